internal import ClipModel

/// Reads an HEVC sequence parameter set (7.3.2.2.1).
extension SequenceParameters {
  mutating func readHEVC(_ reader: inout BitReader) throws(BitReader.InvalidData) {
    // sps_video_parameter_set_id
    try reader.skipBits(4)
    temporalLayerCount = try reader.readBits(3) + 1
    // The maximum value of sps_max_sub_layers_minus1 is 6. sps_temporal_id_nesting_flag follows.
    guard temporalLayerCount <= 7 else { throw BitReader.InvalidData() }
    try reader.skipBits(1)
    try readProfile(&reader)
    identifier = try reader.readUnsigned(atMost: 15)
    try readPictureFields(&reader)
    let orderBits = try reader.readUnsigned(atMost: 12) + 4
    try readBufferingFields(&reader)
    try readBlockSizes(&reader)
    try reader.skipShortTermReferenceSets()
    if try reader.readFlag() {
      // lt_ref_pic_poc_lsb_sps, used_by_curr_pic_lt_sps_flag
      for _ in 0..<(try reader.readUnsigned(atMost: 32)) { try reader.skipBits(orderBits + 1) }
    }
    // sps_temporal_mvp_enabled_flag, strong_intra_smoothing_enabled_flag
    try reader.skipBits(2)
    if try reader.readFlag() { usability = try VideoUsability(hevc: &reader, of: self) }
    // Reads sps_extension_present_flag. If the parameter set ends before this flag, it is truncated. The extension itself
    // is ignored.
    try reader.skipBits(1)
  }

  private mutating func readPictureFields(_ reader: inout BitReader) throws(BitReader.InvalidData) {
    chromaFormat = ChromaFormat(rawValue: try reader.readUnsigned(atMost: 3)) ?? .yuv420
    if chromaFormat == .yuv444 { hasSeparatePlanes = try reader.readFlag() }
    codedSize.width = try reader.readUnsigned(atMost: Self.sideLimit)
    codedSize.height = try reader.readUnsigned(atMost: Self.sideLimit)
    if try reader.readFlag() { cropping = try CroppingWindow(&reader, unit: chromaFormat.subsampling) }
    lumaBitDepth = try reader.readUnsigned(atMost: 8) + 8
    chromaBitDepth = try reader.readUnsigned(atMost: 8) + 8
  }

  /// Reads one buffering entry for each layer, or only the highest layer's entry.
  private mutating func readBufferingFields(_ reader: inout BitReader) throws(BitReader.InvalidData) {
    let isForEachLayer = try reader.readFlag()
    for _ in 0..<(isForEachLayer ? temporalLayerCount : 1) {
      // MaxDpbSize is 16 (A.4.2). The reorder depth shouldn't exceed the reference count, but some encoders ignore this
      // rule.
      referenceCount = try reader.readUnsigned(atMost: 15)
      reorderDepth = try reader.readUnsigned(atMost: 15)
      // sps_max_latency_increase_plus1
      _ = try reader.readUnsigned()
    }
  }

  /// Reads the block sizes and coding tools. Only the minimum block size matters, because the frame size is a multiple
  /// of it.
  private func readBlockSizes(_ reader: inout BitReader) throws(BitReader.InvalidData) {
    // Blocks have 8 to 64 samples per side, and transforms have 4 to 32 (7.4.3.2.1).
    let smallest = try 8 << reader.readUnsigned(atMost: 3)
    guard codedSize.width % smallest == 0, codedSize.height % smallest == 0 else { throw BitReader.InvalidData() }
    for limit in [3, 3, 3, 4, 4] { _ = try reader.readUnsigned(atMost: limit) }
    // scaling_list_enabled_flag, sps_scaling_list_data_present_flag
    if try reader.readFlag(), try reader.readFlag() { try reader.skipScalingListsHEVC() }
    // amp_enabled_flag, sample_adaptive_offset_enabled_flag
    try reader.skipBits(2)
    guard try reader.readFlag() else { return }
    // After pcm_enabled_flag come two bit depths, two block sizes, and pcm_loop_filter_disabled_flag.
    try reader.skipBits(8)
    for limit in [2, 2] { _ = try reader.readUnsigned(atMost: limit) }
    try reader.skipBits(1)
  }
}
