import ClipModel
import TestSupport
import Testing

@testable import ISOMedia

/// Hostile and damaged parameter sets must not cause a crash, a hang, or an impossible size.
@Suite struct ParameterSetDamageTests {
  static let sets: [(codec: NALUnitCodec, bytes: [UInt8])] =
    StoredSet.h264.map { (.h264, $0.bytes) } + StoredSet.hevc.map { (.hevc, $0.bytes) }
    + ComposedSet.all.map { ($0.codec, $0.bytes) }

  static func check(_ codec: NALUnitCodec, _ bytes: [UInt8], _ label: @autoclosure () -> String) {
    guard let set = SequenceParameters(codec, unit: bytes) else { return }
    _ = (set.pixelFormat, set.profileName, set.chromaLocationName, set.isProgressive)
    if set.size.width <= 0 || set.size.height <= 0 || max(set.size.width, set.size.height) > 1 << 16 {
      Issue.record("\(set.size): \(label())")
    }
  }

  @Test(arguments: sets.indices) func truncatedAndBitFlippedSetsAreHandled(index: Int) {
    let (codec, bytes) = Self.sets[index]
    for length in bytes.indices { Self.check(codec, Array(bytes[..<length]), "set \(index) truncated to \(length)") }
    for bit in 0..<bytes.count * 8 {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << (bit % 8)
      Self.check(codec, damaged, "set \(index), bit \(bit)")
    }
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64]) func mutatedSetsAreHandled(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for round in 0..<5000 {
      guard let (codec, whole) = Self.sets.randomElement(using: &random) else { return }
      var bytes = whole
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let offset = Int.random(in: 1..<bytes.count, using: &random)
        bytes[offset] = UInt8.random(in: 0...255, using: &random)
      }
      Self.check(codec, bytes, "seed \(seed), round \(round)")
    }
  }

  @Test(arguments: [0x00, 0xFF, 0x55, 0x80] as [UInt8]) func longAndEmptySetsAreHandled(filling: UInt8) {
    for (codec, bytes) in Self.sets {
      Self.check(codec, bytes.prefix(6) + [UInt8](repeating: filling, count: 16_000), "\(filling)")
      Self.check(codec, bytes + [UInt8](repeating: filling, count: 1 << 20), "\(filling)")
    }
    #expect(SequenceParameters(.h264, unit: []) == nil)
    #expect(SequenceParameters(.hevc, unit: [0x42]) == nil)
  }
}
