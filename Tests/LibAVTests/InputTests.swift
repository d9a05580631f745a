import ClipModel
import Foundation
import TestSupport
import Testing

@testable import LibAV

/// Reading containers: `InputContainer`, `SourceStream` and `Packet`.
@Suite struct InputTests {
  static let kinds = ["mp4", "mkv", "ts", "webm"]

  private static func packetCount(_ container: InputContainer) throws -> Int {
    let packet = try Packet()
    var count = 0
    while try container.read(into: packet) { count += 1 }
    return count
  }

  @Test(arguments: kinds) func readingAfterTheEndReturnsNothing(kind: String) throws {
    let container = try InputContainer(path: try LibAVMedia.clip(kind))
    #expect(try Self.packetCount(container) > 25)
    #expect(try Self.packetCount(container) == 0)
    // A seek to the start delivers the packets again.
    let video = try #require(container.streams.first { $0.kind == .video })
    #expect(try container.seek(stream: video, ticks: 0))
    #expect(try Self.packetCount(container) > 25)
  }

  @Test(arguments: kinds) func seeksPastBothEndsStayInTheFile(kind: String) throws {
    let container = try InputContainer(path: try LibAVMedia.clip(kind))
    let video = try #require(container.streams.first { $0.kind == .video })
    for ticks in [-1_000_000_000_000, 1_000_000_000_000, Int64.min + 1, .max] {
      // The result depends on the container, but none reads outside the file.
      _ = try? container.seek(stream: video, ticks: ticks)
      #expect(try Self.packetCount(container) <= 200)
    }
  }

  @Test(arguments: kinds) func streamsOfAnotherContainerAreRejected(kind: String) throws {
    let container = try InputContainer(path: try LibAVMedia.clip(kind))
    let other = try #require(try InputContainer(path: try LibAVMedia.clip(kind)).streams.last)
    let error = #expect(throws: FFmpegError.self) { try container.seek(stream: other, ticks: 0) }
    #expect(error?.call == "av_seek_frame")
    #expect(try Self.packetCount(container) > 25)
  }

  /// Streams retain their container, and packets own their bytes.
  @Test(arguments: kinds) func streamsAndPacketsOutliveTheirContainer(kind: String) throws {
    let packet = try Packet()
    var streams: [SourceStream] = []
    do {
      let container = try InputContainer(path: try LibAVMedia.clip(kind))
      streams = container.streams
      #expect(try container.read(into: packet))
    }
    #expect(streams.map(\.kind).sorted { $0.rawValue < $1.rawValue } == [.audio, .video])
    #expect(streams.allSatisfy { !$0.presentation.isEmpty && $0.indexEntries.count >= 0 && !$0.codecName.isEmpty })
    #expect(packet.byteCount > 0 && packet.bytes.count == packet.byteCount)
  }

  /// A truncated file is opened or rejected. An opened one can be read to its end, and all descriptors are closed.
  @Test(arguments: kinds) func truncatedFilesCanBeReadToTheirEnd(kind: String) throws {
    let folder = try ScratchFolder()
    let whole = try Data(contentsOf: URL(filePath: try LibAVMedia.clip(kind)))
    let path = folder.path("cut.\(kind)")
    for part in 0..<16 {
      try whole.prefix(whole.count * part / 16).write(to: URL(filePath: path))
      for analysis in [InputContainer.Analysis.always, .never, .whenNeeded, .whole] {
        do {
          let container = try InputContainer(path: path, analysis: analysis)
          #expect(try Self.packetCount(container) <= 200)
        } catch let error as FFmpegError {
          // The error is about damage, not about the disk, so another try would not help.
          #expect(error.explanation.category == .unjudged && !error.isTransient, "\(part)/16: \(error)")
        }
      }
    }
    #expect(OpenFiles.paths(withPrefix: folder.path).isEmpty)
  }

  /// The second container keeps the file open, even if the first one is released and the file is removed.
  @Test(arguments: kinds) func reopenedContainersStartAgain(kind: String) throws {
    let folder = try ScratchFolder()
    let path = folder.path("copy.\(kind)")
    try FileManager.default.copyItem(atPath: try LibAVMedia.clip(kind), toPath: path)
    let count = try Self.packetCount(InputContainer(path: path))
    func reopened() throws -> InputContainer {
      let container = try InputContainer(path: path)
      for _ in 0..<10 { #expect(try container.read(into: Packet())) }
      let other = try container.reopen()
      #expect(try Self.packetCount(container) == count - 10)
      return other
    }
    let other = try reopened()
    try FileManager.default.removeItem(atPath: path)
    #expect(try Self.packetCount(other.reopen()) == count)
    #expect(try Self.packetCount(other) == count)
  }

  @Test(arguments: ["", ".", "no/such/folder/a.mp4", "http://127.0.0.1:1/a.mp4", "pipe:0", "-", "concat:a|b"])
  func pathsThatAreNotFilesAreNotOpened(path: String) throws {
    let error = #expect(throws: FFmpegError.self) { try InputContainer(path: path) }
    #expect(error?.explanation.category == .noInput, "\(String(describing: error))")
  }

  /// Playlists would open other files.
  @Test func playlistsAreRejectedRegardlessOfTheirName() throws {
    let folder = try ScratchFolder()
    let path = try folder.write("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n/etc/passwd\n", to: "list.mp4")
    #expect(throws: FFmpegError.self) { try InputContainer(path: path) }
  }

  @Test(arguments: InputTests.kinds) func interruptedContainersDoNotOpen(kind: String) throws {
    let path = try LibAVMedia.clip(kind)
    let interruption = Interruption()
    interruption.interrupt()
    let error = #expect(throws: FFmpegError.self) { try InputContainer(path: path, interruption: interruption) }
    #expect(error?.isInterruption == true)
    #expect(OpenFiles.paths(withPrefix: path).isEmpty)
  }

  // MARK: Packets

  @Test func emptyPacketsHaveNoBytes() throws {
    let packet = try Packet()
    #expect(packet.byteCount == 0 && packet.bytes.isEmpty && packet.firstByte == nil && packet.lastByte == nil)
    #expect(packet.presentationTicks == nil && packet.decodingTicks == nil)
    packet.changeSideData { _ in
      Issue.record("there is no side data")
      return nil
    }
  }

  /// libav uses a denominator of 0 for unknown time bases.
  @Test(arguments: [Rational(1, 0), Rational(0, 0)]) func undefinedTimeBasesRemoveTheTicks(timeBase: Rational) throws {
    let packet = try Packet(bytes: [1, 2, 3], isKeyFrame: true)
    packet.rescaleTicks(from: Rational(1, 25), to: Rational(1, 50))
    #expect(packet.presentationTicks == nil && packet.decodingTicks == nil)
    (packet.presentationTicks, packet.decodingTicks) = (5, 4)
    packet.rescaleTicks(from: Rational(1, 25), to: Rational(1, 50))
    #expect(packet.presentationTicks == 10 && packet.decodingTicks == 8)
    packet.rescaleTicks(from: timeBase, to: Rational(1, 25))
    #expect(packet.presentationTicks == nil && packet.decodingTicks == nil)
    #expect(packet.bytes == [1, 2, 3] && packet.isKeyFrame)
  }

  @Test(arguments: [0, 1, 1000]) func replacingBytesChangesNothingElse(count: Int) throws {
    let container = try InputContainer(path: try LibAVMedia.clip("mp4"))
    let packet = try Packet()
    #expect(try container.read(into: packet))
    let (ticks, stream, isKey) = (packet.presentationTicks, packet.streamIndex, packet.isKeyFrame)
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    for _ in 0..<3 { try packet.replaceBytes(with: bytes) }
    #expect(packet.bytes == bytes && packet.firstByte == bytes.first && packet.lastByte == bytes.last)
    #expect((packet.presentationTicks, packet.streamIndex, packet.isKeyFrame) == (ticks, stream, isKey))
  }

  /// Replacements of another size are ignored.
  @Test func sideDataKeepsItsSize() throws {
    // WebM stores the alpha plane as side data of each packet.
    let path = try ClipFactory.clip(
      "alpha.webm",
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:d=1,format=yuva420p", "-c:v", "libvpx", "-auto-alt-ref", "0"])
    let container = try InputContainer(path: path)
    let packet = try Packet()
    var seen = 0
    while try container.read(into: packet) {
      packet.changeSideData { bytes in
        seen += 1
        return bytes + [0]
      }
      packet.changeSideData { bytes in bytes.map { _ in 7 } }
      packet.changeSideData { bytes in
        #expect(bytes.allSatisfy { $0 == 7 })
        return nil
      }
    }
    #expect(seen > 0)
  }
}
