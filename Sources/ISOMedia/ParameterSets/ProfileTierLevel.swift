extension SequenceParameters {
  /// Reads `profile_tier_level` (H.265, 7.3.3): 88 general bits, the level, and the values for each sub-layer.
  mutating func readProfile(_ reader: inout BitReader) throws(BitReader.InvalidData) {
    // general_profile_space, general_tier_flag
    try reader.skipBits(3)
    let stated = try reader.readBits(5)
    let compatibility = UInt32(truncatingIfNeeded: try reader.readBits(32))
    let upper = try reader.readBits(24)
    constraints = UInt64(upper << 24 | (try reader.readBits(24)))
    // Only the first two constraint flags describe the scan type.
    source = SourceScanType(
      isMarkedProgressive: constraints >> 47 & 1 == 1, isMarkedInterlaced: constraints >> 46 & 1 == 1)
    level = try reader.readBits(8)
    // Like libav, this uses the first compatible profile if the stream doesn't specify a profile.
    profileIDC = stated == 0 && compatibility != 0 ? compatibility.leadingZeroBitCount : stated
    guard temporalLayerCount > 1 else { return }
    // Each sub-layer has sub_layer_profile_present_flag and sub_layer_level_present_flag. Reserved bits pad the flags
    // to eight layers.
    var bitCounts: [Int] = []
    for _ in 0..<8 { bitCounts.append((try reader.readFlag() ? 88 : 0) + (try reader.readFlag() ? 8 : 0)) }
    for count in bitCounts.prefix(temporalLayerCount - 1) { try reader.skipBits(count) }
  }
}
