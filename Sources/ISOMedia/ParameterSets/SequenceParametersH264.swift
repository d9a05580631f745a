internal import ClipModel

/// The sequence parameter set of H.264 (7.3.2.1.1).
extension SequenceParameters {
  mutating func readH264(_ reader: inout BitReader) throws(BitReader.Damage) {
    profileIDC = try reader.bits(8)
    constraints = UInt64(try reader.bits(8))
    level = try reader.bits(8)
    identifier = try reader.unsigned(atMost: 31)
    if Self.profilesWithChroma.contains(profileIDC) { try readChroma(&reader) }
    // log2_max_frame_num_minus4
    _ = try reader.unsigned(atMost: 12)
    pictureOrderType = try reader.unsigned(atMost: 2)
    try skipPictureOrder(&reader)
    referenceCount = try reader.unsigned(atMost: 16)
    allowsFrameNumberGaps = try reader.flag()
    try readSize(&reader)
    if try reader.flag() { usability = try VideoUsability(h264: &reader) }
    reorderDepth = usability?.reorderDepth ?? inferredReorderDepth
  }

  /// The profiles whose parameter sets contain a chroma format, bit depths and scaling lists.
  private static let profilesWithChroma: Set = [44, 83, 86, 100, 110, 118, 122, 128, 134, 135, 138, 139, 244]

  private mutating func readChroma(_ reader: inout BitReader) throws(BitReader.Damage) {
    chromaFormat = ChromaFormat(rawValue: try reader.unsigned(atMost: 3)) ?? .yuv420
    if chromaFormat == .yuv444 { hasSeparatePlanes = try reader.flag() }
    lumaBitDepth = try reader.unsigned(atMost: 6) + 8
    chromaBitDepth = try reader.unsigned(atMost: 6) + 8
    // qpprime_y_zero_transform_bypass_flag
    try reader.skip(1)
    if try reader.flag() { try reader.skipScalingListsH264(count: chromaFormat == .yuv444 ? 12 : 8) }
  }

  private func skipPictureOrder(_ reader: inout BitReader) throws(BitReader.Damage) {
    switch pictureOrderType {
    case 0:
      // log2_max_pic_order_cnt_lsb_minus4
      _ = try reader.unsigned(atMost: 12)
    case 1:
      // delta_pic_order_always_zero_flag, offset_for_non_ref_pic, offset_for_top_to_bottom_field
      try reader.skip(1)
      _ = try reader.signed()
      _ = try reader.signed()
      for _ in 0..<(try reader.unsigned(atMost: 255)) { _ = try reader.signed() }
    default: break
    }
  }

  private mutating func readSize(_ reader: inout BitReader) throws(BitReader.Damage) {
    let columns = try reader.unsigned(atMost: Self.sideLimit / 16 - 1) + 1
    let rows = try reader.unsigned(atMost: Self.sideLimit / 16 - 1) + 1
    isFrameOnly = try reader.flag()
    // mb_adaptive_frame_field_flag
    if !isFrameOnly { try reader.skip(1) }
    // direct_8x8_inference_flag
    try reader.skip(1)
    // If pictures can be fields, the height is the height of a field (7-13 to 7-18).
    let fields = isFrameOnly ? 1 : 2
    (codedSize.width, codedSize.height) = (columns * 16, rows * 16 * fields)
    guard try reader.flag() else { return }
    // 7-19 to 7-22.
    let unit = chromaArrayFormat.subsampling
    cropping = try PictureWindow(&reader, unit: (unit.width, unit.height * fields))
  }

  /// The reorder depth that E.2.1 infers if it isn't coded: 0 for intra-only profiles, and if the display order equals
  /// the decoding order (8.2.1.3).
  private var inferredReorderDepth: Int? {
    let canBeIntra = [44, 86, 100, 110, 122, 244].contains(profileIDC)
    return pictureOrderType == 2 || canBeIntra && constraints & 0x10 != 0 ? 0 : nil
  }
}
