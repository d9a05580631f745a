extension VideoUsability {
  /// Reads the VUI of H.265 (E.2.1).
  init(hevc reader: inout BitReader, of sequence: SequenceParameters) throws(BitReader.Damage) {
    try readCommon(&reader)
    // neutral_chroma_indication_flag
    try reader.skip(1)
    isFieldSequence = try reader.flag()
    // frame_field_info_present_flag
    try reader.skip(1)
    let hasTiming = try readWindow(&reader, unit: sequence.chromaFormat.subsampling)
    if hasTiming { try readTiming(&reader, layerCount: sequence.temporalLayerCount) }
    // bitstream_restriction_flag: three flags, min_spatial_segmentation_idc and four limits.
    guard try reader.flag() else { return }
    try reader.skip(3)
    for limit in [4095, 16, 16, 16, 15] { _ = try reader.unsigned(atMost: limit) }
  }

  /// Reads the default display window, and returns whether timing follows. Some writers omit the window flag, which
  /// this detects in the same two ways as libav.
  private mutating func readWindow(
    _ reader: inout BitReader, unit: (width: Int, height: Int)
  ) throws(BitReader.Damage) -> Bool {
    // A window with a first offset of 0x7FFFF or more is actually `vui_timing_info_present_flag`, followed by a small
    // number with 20 leading zeros.
    if reader.remaining >= 68, try reader.peek(21) == 1 << 20 { return try reader.flag() }
    let hasWindow = try reader.flag()
    let afterFlag = reader
    if hasWindow { defaultDisplayWindow = try PictureWindow(&reader, unit: unit) }
    let hasTiming = try reader.flag()
    // Timing has at least 66 bits. If fewer bits remain, the timing has been read as the window.
    if hasTiming, hasWindow, reader.remaining < 66 {
      defaultDisplayWindow = nil
      reader = afterFlag
    }
    return hasTiming
  }

  private mutating func readTiming(_ reader: inout BitReader, layerCount: Int) throws(BitReader.Damage) {
    timing = try Self.timing(&reader)
    // vui_poc_proportional_to_timing_flag, vui_num_ticks_poc_diff_one_minus1
    if try reader.flag() { _ = try reader.unsigned() }
    hasBufferingModel = try reader.flag()
    if hasBufferingModel { try reader.skipBufferingModelHEVC(layerCount: layerCount) }
  }
}
