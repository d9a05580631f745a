extension VideoUsability {
  /// Reads the HEVC VUI (H.265, E.2.1).
  init(hevc reader: inout BitReader, of sequence: SequenceParameters) throws(BitReader.InvalidData) {
    try readCommonFields(&reader)
    // neutral_chroma_indication_flag
    try reader.skipBits(1)
    isFieldSequence = try reader.readFlag()
    // frame_field_info_present_flag
    try reader.skipBits(1)
    let hasTiming = try readDisplayWindow(&reader, unit: sequence.chromaFormat.subsampling)
    if hasTiming { try readTiming(&reader, layerCount: sequence.temporalLayerCount) }
    // Three flags, min_spatial_segmentation_idc and four limits follow bitstream_restriction_flag.
    guard try reader.readFlag() else { return }
    try reader.skipBits(3)
    for limit in [4095, 16, 16, 16, 15] { _ = try reader.readUnsigned(atMost: limit) }
  }

  /// Reads the default display window, and returns whether timing fields follow. Like libav, this detects the two ways
  /// in which encoders incorrectly omit the window flag.
  private mutating func readDisplayWindow(
    _ reader: inout BitReader, unit: (width: Int, height: Int)
  ) throws(BitReader.InvalidData) -> Bool {
    // If a window's first offset would be 0x7FFFF or more, the bit is actually `vui_timing_info_present_flag`, followed
    // by a small number with 20 leading zeros.
    if reader.remaining >= 68, try reader.peekBits(21) == 1 << 20 { return try reader.readFlag() }
    let hasWindow = try reader.readFlag()
    let afterFlag = reader
    if hasWindow { defaultDisplayWindow = try CroppingWindow(&reader, unit: unit) }
    let hasTiming = try reader.readFlag()
    // The timing fields have at least 66 bits. If fewer bits remain, this code has read the timing fields as a window.
    if hasTiming, hasWindow, reader.remaining < 66 {
      defaultDisplayWindow = nil
      reader = afterFlag
    }
    return hasTiming
  }

  private mutating func readTiming(_ reader: inout BitReader, layerCount: Int) throws(BitReader.InvalidData) {
    timing = try Self.readTimingFields(&reader)
    // vui_poc_proportional_to_timing_flag, vui_num_ticks_poc_diff_one_minus1
    if try reader.readFlag() { _ = try reader.readUnsigned() }
    hasBufferingModel = try reader.readFlag()
    if hasBufferingModel { try reader.skipBufferingModelHEVC(layerCount: layerCount) }
  }
}
