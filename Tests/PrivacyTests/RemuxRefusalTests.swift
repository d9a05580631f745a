import ClipModel
import Foundation
import ISOMedia
import LibAV
import TestSupport
import Testing

@testable import Privacy

/// Errors for files that cannot be copied without loss.
@Suite struct RemuxRefusalTests {
  @Test func refusesUnsupportedContainers() throws {
    let path = try ClipFactory.clip("other.flv", RemuxTests.video + ["-c:v", "flv1"])
    #expect(throws: RemuxError.unsupported(name: (path as NSString).lastPathComponent)) {
      try ContainerFixture.strip(path)
    }
  }

  @Test(arguments: ["mpg", "vob"])
  func refusesProgramStreams(fileExtension: String) async throws {
    let path = try ClipFactory.clip("disc.\(fileExtension)", RemuxTests.both + ["-c:v", "mpeg2video", "-c:a", "mp2"])
    let folder = try ScratchFolder()
    let copy = folder.path("copy.\(fileExtension)")
    let expected = RemuxError.programStream(name: (path as NSString).lastPathComponent)
    #expect(throws: expected) { try ContainerFixture.strip(path) }
    await #expect(throws: expected) { try await Stripper.strip(source: path, destination: copy) }
    #expect(expected.explanation.id == "strip.program-stream")
    #expect(!FileManager.default.fileExists(atPath: copy))
  }

  /// Transport streams may omit the times of packets, but no camera omits all of them.
  @Test func refusesPacketsWithoutTimes() throws {
    let path = try ClipFactory.clip("timed.ts", RemuxTests.video + ["-c:v", "mpeg2video"])
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    for start in bytes.indices.dropLast(20) where bytes[start...].starts(with: [0, 0, 1, 0xE0]) {
      // Clears the flags of the times and overwrites the times with filler.
      let end = start + 9 + Int(bytes[start + 8])
      bytes[start + 7] = 0
      bytes.replaceSubrange(start + 9..<end, with: repeatElement(0xFF, count: end - start - 9))
    }
    let folder = try ScratchFolder()
    let copy = folder.path("untimed.ts")
    try Data(bytes).write(to: URL(filePath: copy))
    #expect(throws: RemuxError.noTime(name: "untimed.ts", track: 0, codec: "mpeg2video")) {
      try ContainerFixture.strip(copy)
    }
  }

  @Test(arguments: ["mkv", "avi"])
  func refusesTruncatedFiles(fileExtension: String) throws {
    let path = try ClipFactory.clip("whole.\(fileExtension)", RemuxTests.both + ["-c:v", "mpeg4", "-c:a", "mp2"])
    let bytes = try Data(contentsOf: URL(filePath: path))
    let folder = try ScratchFolder()
    for share in [0.3, 0.6, 0.99] {
      let cut = folder.path("cut.\(fileExtension)")
      try bytes.prefix(Int(Double(bytes.count) * share)).write(to: URL(filePath: cut))
      #expect(throws: RemuxError.cutOff(name: "cut.\(fileExtension)")) { try ContainerFixture.strip(cut) }
    }
  }

  @Test(arguments: ["mkv", "avi", "ts"])
  func survivesTruncation(fileExtension: String) throws {
    let path = try ClipFactory.clip(
      "short.\(fileExtension)", RemuxTests.both + ["-t", "0.3", "-c:v", "mpeg4", "-c:a", "mp2"])
    let bytes = try Data(contentsOf: URL(filePath: path))
    let folder = try ScratchFolder()
    let cut = folder.path("cut.\(fileExtension)")
    for count in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 60)) {
      try bytes.prefix(count).write(to: URL(filePath: cut))
      do {
        _ = try ContainerFixture.strip(cut)
        // Only the packets of a transport stream are independent of each other.
        #expect(fileExtension == "ts", "\(count) of \(bytes.count)")
      } catch let error as any ExplainedError {
        #expect(!error.explanation.why.isEmpty)
      }
    }
  }

  @Test func stopsWhenInterrupted() throws {
    let path = try ClipFactory.clip("stop.ts", RemuxTests.both + ["-c:v", "mpeg2video", "-c:a", "mp2"])
    let interruption = Interruption()
    interruption.interrupt()
    let copy = try ScratchFolder().path("stop.ts")
    var remuxer = Remuxer(
      name: "stop.ts", path: path, policy: RemuxPolicy(options: StripOptions()), interruption: interruption)
    #expect(throws: (any Error).self) { try remuxer.run(to: copy) }
  }
}
