extension VideoUsability {
  /// E.2.1 of H.265.
  init(
    hevc reader: inout BitReader, layerCount: Int, of sequence: SequenceParameters
  ) throws(BitReader.Damage) {
    try readCommon(&reader)
    // neutral_chroma_indication_flag
    try reader.skip(1)
    isFieldSequence = try reader.flag()
    hasPictureStructure = try reader.flag()
    let hasTiming = try readWindow(&reader, unit: sequence.chromaFormat.subsampling)
    if hasTiming { try readTiming(&reader, layerCount: layerCount) }
    // bitstream_restriction_flag: three flags, min_spatial_segmentation_idc and four limits.
    guard try reader.flag() else { return }
    try reader.skip(3)
    for limit in [4095, 16, 16, 16, 15] { _ = try reader.unsigned(atMost: limit) }
  }

  /// The default display window, and whether timing follows. There are writers that leave the flag of the window out;
  /// as libav does, both signs of that are heeded.
  private mutating func readWindow(
    _ reader: inout BitReader, unit: (width: Int, height: Int)
  ) throws(BitReader.Damage) -> Bool {
    // A window whose first offset is 0x7FFFF or more: `vui_timing_info_present_flag`, and 20 zeros of a small number.
    if reader.remaining >= 68, try reader.peek(21) == 1 << 20 { return try reader.flag() }
    let hasWindow = try reader.flag()
    let behindFlag = reader
    if hasWindow { defaultDisplayWindow = try PictureWindow(&reader, unit: unit) }
    let hasTiming = try reader.flag()
    // Timing has 66 bits at least: when fewer are left, it has been taken for the window.
    if hasTiming, hasWindow, reader.remaining < 66 {
      defaultDisplayWindow = nil
      reader = behindFlag
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
