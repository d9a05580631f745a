import ClipModel
import Foundation
import ISOMedia
import LibAV
import LocationFormats
import TestSupport
import Testing

@testable import Privacy

/// Messages in decoder configurations are found and removed.
@Suite struct DecoderSetupTests {
  static let position = Array("+48.1375+011.5755/".utf8)

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var fileName: String
    var arguments: [String]
    /// Adds a position to a setup.
    var addition: @Sendable ([UInt8]) -> [UInt8]
  }

  /// Type 5, size, a UUID of 16 bytes, the text, and the stop bit.
  static let message: [UInt8] = [5, UInt8(16 + position.count)] + (0x30..<0x40) + position + [0x80]

  static let cases: [Case] = [
    // Another array with a prefix message (39). The number of arrays follows 22 bytes.
    Case(
      testDescription: "hvcC", fileName: "setup-hevc.mkv",
      arguments: ["-c:v", "libx265", "-x265-params", "log-level=none"],
      addition: { setup in
        let unit: [UInt8] = [39 << 1, 1] + message
        return setup.prefix(22) + [setup[22] + 1] + setup.dropFirst(23) + [39, 0, 1, 0, UInt8(unit.count)] + unit
      }),
    // A metadata unit (5) with a size, of the kind ITU-T T.35 (4).
    Case(
      testDescription: "av1C", fileName: "setup-av1.mkv", arguments: ["-c:v", "libaom-av1", "-cpu-used", "8"],
      addition: { $0 + [5 << 3 | 2, UInt8(position.count + 3), 4, 0xB5] + position + [0x80] }),
    // User data after the headers.
    Case(
      testDescription: "MPEG-4 headers", fileName: "setup-mpeg4.avi",
      arguments: ["-c:v", "mpeg4", "-flags", "+global_header"],
      addition: { $0 + [0, 0, 1, 0xB2] + position }),
  ]

  @Test(arguments: cases)
  func removesMessagesFromTheSetup(test: Case) throws {
    let clip = try ClipFactory.clip(test.fileName, RemuxTests.video + ["-t", "0.4"] + test.arguments)
    let source = try ScratchFolder().path(test.fileName)
    let setup = try Self.copy(clip, to: source) { test.addition($0) }
    let before = try ContainerFixture.audit(path: source).carriers
    let positions = before.filter { $0.carrier.place.hasPrefix("track 1") || $0.carrier.place.hasPrefix("stream 1") }
    #expect(positions.first?.trace.first.map { abs($0.latitude - 48.1375) < 1e-4 } == true, "\(before.map(\.carrier))")

    let copy = try ContainerFixture.strip(source)
    #expect(copy.report.removed.contains { $0.contains("decoder configuration") }, "\(copy.report)")
    let after = try ContainerFixture.audit(path: copy.path)
    #expect(after.carriers.filter(\.carrier.mustBeRemoved).isEmpty, "\(after.carriers.map(\.carrier))")
    #expect(try Data(contentsOf: URL(filePath: copy.path)).range(of: Data(Self.position)) == nil)
    #expect(try InputContainer(path: copy.path).streams.first?.setup == setup)
    #expect(try ContainerFixture.streamHashes(copy.path) == ContainerFixture.streamHashes(clip))
  }

  /// libav reads the stream data of cameras as a decoder configuration, and other programs store it as one in their
  /// copies.
  @Test(arguments: [nil, "avi", "mkv"])
  func removesCameraDataFromTheSetup(copiedTo fileExtension: String?) throws {
    let camera = try #require(LocationCarrierFile.all.first { $0.name == "avi-strd" })
    let folder = try ScratchFolder()
    var source = try camera.write(to: folder)
    if let fileExtension {
      let copied = folder.path("copied.\(fileExtension)")
      _ = try Tool.run("ffmpeg", ["-v", "error", "-i", source, "-c", "copy", copied])
      source = copied
    }
    let carriers = try ContainerFixture.audit(path: source).carriers
    let expected = try #require(camera.positions.first)
    #expect(carriers.contains { $0.carrier.kind == "exif-gps" && $0.trace.first?.isNear(expected) == true })

    let copy = try ContainerFixture.strip(source)
    #expect(try ContainerFixture.audit(path: copy.path).carriers.filter(\.carrier.mustBeRemoved).isEmpty)
    #expect(try Data(contentsOf: URL(filePath: copy.path)).range(of: Data("AVIF".utf8)) == nil)
    #expect(try ContainerFixture.streamHashes(copy.path) == ContainerFixture.streamHashes(source))
  }

  /// Copies the video of a clip with another decoder configuration.
  /// - Returns: the original configuration.
  private static func copy(_ clip: String, to path: String, changing: ([UInt8]) -> [UInt8]) throws -> [UInt8] {
    let input = try InputContainer(path: clip)
    let stream = try #require(input.streams.first)
    let output = try RemuxContainer(path.hasSuffix("avi") ? .avi : .matroska, at: path)
    let index = try output.addTrack(copying: stream, metadata: [:], setup: changing(stream.setup))
    try output.writeHeader(startSeconds: 0)
    let packet = try Packet()
    while try input.read(into: packet) { try output.write(packet, track: index, timeBase: stream.timeBase) }
    try output.finish()
    return stream.setup
  }
}
