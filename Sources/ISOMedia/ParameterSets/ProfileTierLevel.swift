extension SequenceParameters {
  /// `profile_tier_level` (H.265, 7.3.3): 88 general bits, the level, and the sub-layer values.
  mutating func readProfile(_ reader: inout BitReader) throws(BitReader.Damage) {
    // general_profile_space, general_tier_flag
    try reader.skip(3)
    let stated = try reader.bits(5)
    let compatibility = UInt32(truncatingIfNeeded: try reader.bits(32))
    let upper = try reader.bits(24)
    constraints = UInt64(upper << 24 | (try reader.bits(24)))
    // The first two of the constraint flags.
    source = SourceScan(
      isMarkedProgressive: constraints >> 47 & 1 == 1, isMarkedInterlaced: constraints >> 46 & 1 == 1)
    level = try reader.bits(8)
    // Like libav, this uses the first compatible profile if none is stated.
    profileIDC = stated == 0 && compatibility != 0 ? compatibility.leadingZeroBitCount : stated
    guard temporalLayerCount > 1 else { return }
    // sub_layer_profile_present_flag, sub_layer_level_present_flag, with reserved bits for up to 8 layers.
    var bitCounts: [Int] = []
    for _ in 0..<8 { bitCounts.append((try reader.flag() ? 88 : 0) + (try reader.flag() ? 8 : 0)) }
    for count in bitCounts.prefix(temporalLayerCount - 1) { try reader.skip(count) }
  }
}
