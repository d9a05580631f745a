internal import ClipModel

/// The sequence parameter set of HEVC (7.3.2.2.1).
extension SequenceParameters {
  mutating func readHEVC(_ reader: inout BitReader) throws(BitReader.Damage) {
    // sps_video_parameter_set_id
    try reader.skip(4)
    temporalLayerCount = try reader.bits(3) + 1
    // sps_max_sub_layers_minus1 is at most 6. sps_temporal_id_nesting_flag follows.
    guard temporalLayerCount <= 7 else { throw BitReader.Damage() }
    try reader.skip(1)
    try readProfile(&reader)
    identifier = try reader.unsigned(atMost: 15)
    try readPicture(&reader)
    let orderBits = try reader.unsigned(atMost: 12) + 4
    try readBuffering(&reader)
    try readBlocks(&reader)
    try reader.skipShortTermReferenceSets()
    if try reader.flag() {
      // lt_ref_pic_poc_lsb_sps, used_by_curr_pic_lt_sps_flag
      for _ in 0..<(try reader.unsigned(atMost: 32)) { try reader.skip(orderBits + 1) }
    }
    // sps_temporal_mvp_enabled_flag, strong_intra_smoothing_enabled_flag
    try reader.skip(2)
    if try reader.flag() { usability = try VideoUsability(hevc: &reader, of: self) }
    // sps_extension_present_flag. The extension is ignored, but the parameter set must not end before it.
    try reader.skip(1)
  }

  private mutating func readPicture(_ reader: inout BitReader) throws(BitReader.Damage) {
    chromaFormat = ChromaFormat(rawValue: try reader.unsigned(atMost: 3)) ?? .yuv420
    if chromaFormat == .yuv444 { hasSeparatePlanes = try reader.flag() }
    codedSize.width = try reader.unsigned(atMost: Self.sideLimit)
    codedSize.height = try reader.unsigned(atMost: Self.sideLimit)
    if try reader.flag() { cropping = try PictureWindow(&reader, unit: chromaFormat.subsampling) }
    lumaBitDepth = try reader.unsigned(atMost: 8) + 8
    chromaBitDepth = try reader.unsigned(atMost: 8) + 8
  }

  /// Reads one entry for each layer, or only one for the highest layer.
  private mutating func readBuffering(_ reader: inout BitReader) throws(BitReader.Damage) {
    let isForEachLayer = try reader.flag()
    for _ in 0..<(isForEachLayer ? temporalLayerCount : 1) {
      // MaxDpbSize is 16 (A.4.2). The second value should not exceed the first, but some writers ignore that.
      referenceCount = try reader.unsigned(atMost: 15)
      reorderDepth = try reader.unsigned(atMost: 15)
      // sps_max_latency_increase_plus1
      _ = try reader.unsigned()
    }
  }

  /// Reads block sizes and coding tools. Only the smallest block size matters, because the picture size is a multiple
  /// of it.
  private func readBlocks(_ reader: inout BitReader) throws(BitReader.Damage) {
    // 7.4.3.2.1: blocks have 8 to 64 samples per side, transforms 4 to 32.
    let smallest = try 8 << reader.unsigned(atMost: 3)
    guard codedSize.width % smallest == 0, codedSize.height % smallest == 0 else { throw BitReader.Damage() }
    for limit in [3, 3, 3, 4, 4] { _ = try reader.unsigned(atMost: limit) }
    // scaling_list_enabled_flag, sps_scaling_list_data_present_flag
    if try reader.flag(), try reader.flag() { try reader.skipScalingListsHEVC() }
    // amp_enabled_flag, sample_adaptive_offset_enabled_flag
    try reader.skip(2)
    guard try reader.flag() else { return }
    // pcm_enabled_flag: two bit depths, two block sizes, pcm_loop_filter_disabled_flag.
    try reader.skip(8)
    for limit in [2, 2] { _ = try reader.unsigned(atMost: limit) }
    try reader.skip(1)
  }
}
