import ClipModel
import Foundation
import TestSupport
import Testing

@Suite struct RallyMetadataDamageTests {
  static let sidecar: RallySidecar = {
    var sidecar = RallySidecar()
    sidecar.segments.append(RallySidecar.Segment(start: "14.25", end: "23.0"))
    return sidecar
  }()

  static func isValid(_ bytes: [UInt8]) -> Bool {
    let (metadata, findings) = RallyMetadata.read(bytes: bytes)
    return metadata != nil && !findings.contains { $0.severity == .error }
  }

  @Test func truncatedFilesAreInvalid() {
    let bytes = Self.sidecar.bytes
    #expect(Self.isValid(bytes))
    for length in 0..<bytes.count where Self.isValid(Array(bytes[..<length])) {
      Issue.record("valid when truncated to \(length) bytes")
    }
  }

  @Test func damagedFilesNeverCrashAndAreExplained() {
    let seed = UInt64.random(in: 0 ... .max)
    print("RallyMetadataDamageTests seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let original = Self.sidecar.bytes
    for _ in 0..<5_000 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let (metadata, findings) = RallyMetadata.read(bytes: bytes)
      if metadata == nil, !findings.contains(where: { $0.severity == .error }) {
        Issue.record("no metadata and no error, seed \(seed)")
      }
      for segment in metadata?.segments ?? [] where !segment.startTime.isFinite || !segment.endTime.isFinite {
        Issue.record("a time is not finite, seed \(seed)")
      }
    }
  }

  @Test(arguments: [
    [], Array("[]".utf8), Array("null".utf8), [0xFF, 0xFE, 0x7B, 0], [0x7B, 0, 0x7D, 0], [0, 0x7B],
    Array(String(repeating: "[", count: 1000).utf8),
  ])
  func filesWithoutAJSONObjectAreRejected(bytes: [UInt8]) {
    let (metadata, findings) = RallyMetadata.read(bytes: bytes)
    #expect(metadata == nil)
    #expect(findings.map(\.rule) == ["rally.json"])
  }

  /// The bytes are a JSON object, so only the size is wrong.
  @Test func hugeFilesAreRejectedWithoutReadingThem() {
    let (metadata, findings) = RallyMetadata.read(
      bytes: Array("{}".utf8) + [UInt8](repeating: UInt8(ascii: " "), count: RallyMetadata.byteLimit - 1))
    #expect(metadata == nil)
    #expect(findings.map(\.rule) == ["rally.json"])
  }

  @Test func largeFilesAreRead() {
    var sidecar = Self.sidecar
    let entry = """
      {"accelerationValid": true, "confidenceLevel": 0.95, "curvatureValid": true, "isValid": true, "rSquared": 0.95, \
      "id": "7AA00004-0000-4000-8000-000000000001", "positionJumpsValid": true, "timestamp": 32.8, \
      "trajectoryId": "7AA00001-0000-4000-8000-000000000001", "velocityConsistent": true}
      """
    sidecar.more = ", \"physicsValidation\": [" + Array(repeating: entry, count: 20_000).joined(separator: ",") + "]"
    let bytes = sidecar.bytes
    #expect(bytes.count > 5_000_000)
    #expect(Self.isValid(bytes))
  }
}
