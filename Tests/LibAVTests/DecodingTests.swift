import ClipModel
import Foundation
import TestSupport
import Testing

@testable import LibAV

/// `Decoder`: the order of calls, damage, and memory after its release.
@Suite struct DecodingTests {
  private static func opened(_ kind: SourceStream.Kind = .video) throws -> (InputContainer, SourceStream) {
    let container = try InputContainer(path: try LibAVMedia.clip("mp4"))
    let stream = try #require(container.streams.first { $0.kind == kind })
    container.select([stream.index])
    return (container, stream)
  }

  @Test(arguments: [1, 2, 8]) func decodesAllFramesAndThenEnds(threadCount: Int) throws {
    let (container, stream) = try Self.opened()
    let decoder = try Decoder(stream, threadCount: threadCount)
    #expect(try decoder.receive(into: Frame()) == .needsInput)
    let frames = try LibAVMedia.frames(of: decoder, in: container)
    #expect(frames.count == 25 && Set(frames.map(\.presentationTicks)).count == 25)
    // After the end, packets are ignored and no frames are returned.
    let packet = try Packet()
    try container.seek(stream: stream, ticks: 0)
    #expect(try container.read(into: packet))
    #expect(try decoder.send(packet))
    #expect(try decoder.send(nil))
    #expect(try decoder.receive(into: Frame()) == .finished)
    // A flush restarts the decoder.
    decoder.flush()
    try container.seek(stream: stream, ticks: 0)
    #expect(try LibAVMedia.frames(of: decoder, in: container).count == 25)
    #expect(decoder.takeConcealedError() == nil)
  }

  @Test func fullDecodersRefusePacketsUntilFramesAreReceived() throws {
    let (container, stream) = try Self.opened()
    let decoder = try Decoder(stream, threadCount: 1)
    let packet = try Packet()
    var sent = 0
    while try container.read(into: packet), try decoder.send(packet) { sent += 1 }
    #expect((1..<25).contains(sent))
    // The refused packet isn't lost: the decoder accepts it once there is room.
    let refused = packet.bytes
    repeat { #expect(try decoder.receive(into: Frame()) == .produced) } while try !decoder.send(packet)
    #expect(packet.bytes == refused)
  }

  @Test func unknownCodecsAreRejected() throws {
    let folder = try ScratchFolder()
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: try LibAVMedia.clip("mp4"))))
    for offset in 0..<bytes.count - 4 where bytes[offset..<offset + 4].elementsEqual("avc1".utf8) {
      bytes.replaceSubrange(offset..<offset + 4, with: "zzzz".utf8)
    }
    let path = folder.path("unknown.mp4")
    try Data(bytes).write(to: URL(filePath: path))
    let stream = try #require(try InputContainer(path: path).streams.first { $0.kind == .video })
    #expect(!stream.isDecodable)
    let error = #expect(throws: FFmpegError.self) { try Decoder(stream) }
    #expect(error?.isUnusableDecoder == true && error?.call == "avcodec_find_decoder")
  }

  /// libav frees what the decoder has allocated before it reads the damaged part.
  @Test func damagedConfigurationsAreRejected() throws {
    let folder = try ScratchFolder()
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: try LibAVMedia.clip("webm"))))
    // The third header of Vorbis contains the codebooks.
    let header = [5] + Array("vorbis".utf8)
    let found = bytes.indices.first { bytes[$0...].starts(with: header) }
    let start = try #require(found) + header.count
    bytes.replaceSubrange(start..<start + 64, with: repeatElement(0, count: 64))
    let path = folder.path("damaged.webm")
    try Data(bytes).write(to: URL(filePath: path))
    let stream = try #require(try InputContainer(path: path, analysis: .never).streams.first { $0.kind == .audio })
    for _ in 0..<5 {
      let error = #expect(throws: FFmpegError.self) { try Decoder(stream) }
      #expect(error?.isUnusableDecoder == true && error?.call == "avcodec_open2")
    }
  }

  /// Random bytes result in an error, or in a frame and a concealed error. The decoder doesn't crash, and can be used
  /// again.
  @Test(arguments: 1...12 as ClosedRange<UInt64>) func randomBytesAreReportedAsDamage(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (container, stream) = try Self.opened()
    let decoder = try Decoder(stream, threadCount: Int(seed % 4))
    let packet = try Packet()
    var damageCount = 0
    while try container.read(into: packet) {
      var bytes = packet.bytes
      for _ in 0..<bytes.count / 20 + 1 {
        bytes[Int.random(in: 4..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      try packet.replaceBytes(with: bytes.dropLast(Int.random(in: 0...bytes.count / 2, using: &random)))
      do {
        _ = try decoder.send(packet)
        while try decoder.receive(into: Frame()) == .produced {}
      } catch {
        #expect(error.isDecodingFailure, "seed \(seed): \(error)")
        damageCount += 1
      }
      if decoder.takeConcealedError() != nil { damageCount += 1 }
    }
    #expect(damageCount > 0, "seed \(seed)")
    decoder.flush()
    try container.seek(stream: stream, ticks: 0)
    #expect(try LibAVMedia.frames(of: decoder, in: container).count == 25, "seed \(seed)")
  }

  @Test func packetsOfAnotherTrackAreReportedAsDamage() throws {
    let (container, _) = try Self.opened(.audio)
    let (_, video) = try Self.opened()
    let decoder = try Decoder(video, threadCount: 1)
    let packet = try Packet()
    var failureCount = 0
    while try container.read(into: packet) {
      do { _ = try decoder.send(packet) } catch {
        #expect(error.isDecodingFailure)
        failureCount += 1
      }
      #expect(try decoder.receive(into: Frame()) == .needsInput)
    }
    #expect(failureCount > 0)
  }

  /// Frames own their buffers, so the decoder, its threads and its container may be released first.
  @Test(arguments: [1, 4]) func framesOutliveTheirDecoder(threadCount: Int) throws {
    var frames: [Frame] = []
    do {
      let (container, stream) = try Self.opened()
      frames = try LibAVMedia.frames(of: Decoder(stream, threadCount: threadCount), in: container)
    }
    for frame in frames {
      var sum = 0
      frame.withRows(ofPlane: 0) { _, bytes in sum += bytes.reduce(0) { $0 + Int($1) } }
      #expect(sum > 0)
    }
  }

  /// While all threads have packets. Another decoder can then decode the same stream.
  @Test(arguments: [0, 1, 3, 30]) func decodersCanBeReleasedAtAnyTime(packetCount: Int) throws {
    let (container, stream) = try Self.opened()
    for _ in 0..<10 {
      weak var released: Decoder?
      do {
        let decoder = try Decoder(stream, threadCount: 4)
        released = decoder
        let (packet, frame) = (try Packet(), try Frame())
        for _ in 0..<packetCount {
          guard try container.read(into: packet) else { break }
          _ = try decoder.send(packet)
          _ = try decoder.receive(into: frame)
        }
      }
      let isReleased = released == nil
      #expect(isReleased)
      try container.seek(stream: stream, ticks: 0)
    }
    #expect(try LibAVMedia.frames(of: Decoder(stream, threadCount: 4), in: container).count == 25)
  }

  @Test func loggedErrorsAreReturnedOnce() {
    let errors = DecoderErrors(toleratesGaps: true)
    errors.record("Frame num gap 3 1")
    #expect(errors.takeFirstLine() == nil)
    errors.record(" ")
    #expect(errors.takeFirstLine() == "")
    errors.record(" ")
    errors.record("error while decoding MB 1 2")
    errors.record("another")
    #expect(errors.takeFirstLine() == "error while decoding MB 1 2")
    #expect(errors.takeFirstLine() == nil)
    let strict = DecoderErrors(toleratesGaps: false)
    strict.record("Frame num gap 3 1")
    #expect(strict.takeFirstLine() == "Frame num gap 3 1")
  }

  /// The threads of a decoder log at the same time.
  @Test func linesOfManyThreadsAreOneError() {
    let errors = DecoderErrors(toleratesGaps: false)
    DispatchQueue.concurrentPerform(iterations: 200) { errors.record("error \($0)") }
    #expect(errors.takeFirstLine()?.hasPrefix("error ") == true)
    #expect(errors.takeFirstLine() == nil)
  }

  /// A stream that starts with a recovery point continues the frame numbers of the data before it.
  @Test func gapsAtTheStartAreIgnoredOnce() {
    let errors = DecoderErrors(toleratesGaps: false)
    errors.ignoreStartGap()
    errors.record("Frame num gap 5 0")
    errors.record("Frame num gap 5 1")
    #expect(errors.takeFirstLine() == nil)
    errors.record("Frame num gap 9 6")
    errors.record("Frame num gap 5 1")
    #expect(errors.takeFirstLine() == "Frame num gap 9 6")
  }
}
