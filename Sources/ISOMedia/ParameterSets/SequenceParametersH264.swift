internal import ClipModel

/// Reads an H.264 sequence parameter set (7.3.2.1.1).
extension SequenceParameters {
  mutating func readH264(_ reader: inout BitReader) throws(BitReader.InvalidData) {
    profileIDC = try reader.readBits(8)
    constraints = UInt64(try reader.readBits(8))
    level = try reader.readBits(8)
    identifier = try reader.readUnsigned(atMost: 31)
    if Self.profilesWithChroma.contains(profileIDC) { try readChromaFields(&reader) }
    // log2_max_frame_num_minus4
    _ = try reader.readUnsigned(atMost: 12)
    pictureOrderType = try reader.readUnsigned(atMost: 2)
    try skipPictureOrder(&reader)
    referenceCount = try reader.readUnsigned(atMost: 16)
    allowsFrameNumberGaps = try reader.readFlag()
    try readSize(&reader)
    if try reader.readFlag() { usability = try VideoUsability(h264: &reader) }
    reorderDepth = usability?.reorderDepth ?? inferredReorderDepth
  }

  /// The profiles whose parameter sets contain a chroma format, bit depths and scaling lists.
  private static let profilesWithChroma: Set = [44, 83, 86, 100, 110, 118, 122, 128, 134, 135, 138, 139, 244]

  private mutating func readChromaFields(_ reader: inout BitReader) throws(BitReader.InvalidData) {
    chromaFormat = ChromaFormat(rawValue: try reader.readUnsigned(atMost: 3)) ?? .yuv420
    if chromaFormat == .yuv444 { hasSeparatePlanes = try reader.readFlag() }
    lumaBitDepth = try reader.readUnsigned(atMost: 6) + 8
    chromaBitDepth = try reader.readUnsigned(atMost: 6) + 8
    // qpprime_y_zero_transform_bypass_flag
    try reader.skipBits(1)
    if try reader.readFlag() { try reader.skipScalingListsH264(count: chromaFormat == .yuv444 ? 12 : 8) }
  }

  private func skipPictureOrder(_ reader: inout BitReader) throws(BitReader.InvalidData) {
    switch pictureOrderType {
    case 0:
      // log2_max_pic_order_cnt_lsb_minus4
      _ = try reader.readUnsigned(atMost: 12)
    case 1:
      // delta_pic_order_always_zero_flag, offset_for_non_ref_pic, offset_for_top_to_bottom_field
      try reader.skipBits(1)
      _ = try reader.readSigned()
      _ = try reader.readSigned()
      for _ in 0..<(try reader.readUnsigned(atMost: 255)) { _ = try reader.readSigned() }
    default: break
    }
  }

  private mutating func readSize(_ reader: inout BitReader) throws(BitReader.InvalidData) {
    let columns = try reader.readUnsigned(atMost: Self.sideLimit / 16 - 1) + 1
    let rows = try reader.readUnsigned(atMost: Self.sideLimit / 16 - 1) + 1
    isFrameOnly = try reader.readFlag()
    // mb_adaptive_frame_field_flag
    if !isFrameOnly { try reader.skipBits(1) }
    // direct_8x8_inference_flag
    try reader.skipBits(1)
    // For streams that can contain fields, the coded height is a field's height (7-13 to 7-18).
    let fields = isFrameOnly ? 1 : 2
    (codedSize.width, codedSize.height) = (columns * 16, rows * 16 * fields)
    guard try reader.readFlag() else { return }
    // 7-19 to 7-22.
    let unit = chromaArrayFormat.subsampling
    cropping = try CroppingWindow(&reader, unit: (unit.width, unit.height * fields))
  }

  /// The reorder depth to infer if the stream doesn't specify it (E.2.1): 0 for intra-only profiles and if the display
  /// order equals the decoding order (8.2.1.3).
  private var inferredReorderDepth: Int? {
    let canBeIntra = [44, 86, 100, 110, 122, 244].contains(profileIDC)
    return pictureOrderType == 2 || canBeIntra && constraints & 0x10 != 0 ? 0 : nil
  }
}
