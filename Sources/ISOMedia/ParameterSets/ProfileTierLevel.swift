/// What a decoder must be able to do (`profile_tier_level`; H.265, 7.3.3).
struct ProfileTierLevel {
  let profile: Int
  let isHighTier: Bool
  let level: Int
  let compatibility: UInt32
  let constraints: UInt64

  /// The 88 bits of the whole stream, its level, and what sub-layers have of both.
  init(_ reader: inout BitReader, layerCount: Int) throws(BitReader.Damage) {
    // general_profile_space
    try reader.skip(2)
    isHighTier = try reader.flag()
    let stated = try reader.bits(5)
    compatibility = UInt32(truncatingIfNeeded: try reader.bits(32))
    let upper = try reader.bits(24)
    constraints = UInt64(upper << 24 | (try reader.bits(24)))
    level = try reader.bits(8)
    // As libav does: without a profile it is the first that it is compatible with.
    profile = stated == 0 && compatibility != 0 ? compatibility.leadingZeroBitCount : stated
    try Self.skipLayers(layerCount - 1, &reader)
  }

  private static func skipLayers(_ count: Int, _ reader: inout BitReader) throws(BitReader.Damage) {
    guard count > 0 else { return }
    // sub_layer_profile_present_flag, sub_layer_level_present_flag; reserved ones fill up to 8 layers.
    var present: [(profile: Bool, level: Bool)] = []
    for _ in 0..<8 { present.append((try reader.flag(), try reader.flag())) }
    for layer in present.prefix(count) {
      if layer.profile { try reader.skip(88) }
      if layer.level { try reader.skip(8) }
    }
  }

  /// The first two of the constraint flags.
  var source: SourceScan {
    SourceScan(isMarkedProgressive: constraints >> 47 & 1 == 1, isMarkedInterlaced: constraints >> 46 & 1 == 1)
  }
}
