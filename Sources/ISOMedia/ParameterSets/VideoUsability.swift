package import ClipModel

/// How frames are displayed and timed (VUI; annex E of ITU-T H.264 and H.265).
package struct VideoUsability: Equatable, Sendable {
  /// `num_units_in_tick` and `time_scale`.
  package struct Timing: Equatable, Sendable {
    package var unitsInTick: Int
    package var timeScale: Int
  }

  /// The pixel aspect ratio; `nil` if unspecified.
  package var sampleAspectRatio: Rational?
  /// Whether the samples have full range; `nil` if unspecified, which means limited range.
  package var isFullRange: Bool?
  /// The color description; `nil` if unspecified.
  package var color: ColorCodes?
  /// `chroma_sample_loc_type_top_field`; `nil` if unspecified, which means 0: left, between two lines.
  package var chromaLocation: Int?
  package var timing: Timing?
  /// Whether hypothetical reference decoder (HRD) parameters are present.
  package var hasBufferingModel = false
  /// `max_num_reorder_frames` in the `bitstream_restriction_flag` part (H.264).
  package var reorderDepth: Int?
  /// `field_seq_flag` of HEVC: each picture is a field.
  package var isFieldSequence = false
  /// `def_disp_win` of HEVC: a cropped area that players may display.
  package var defaultDisplayWindow: PictureWindow?

  init() {}

  /// Reads the first fields, which both codecs share.
  mutating func readCommon(_ reader: inout BitReader) throws(BitReader.Damage) {
    if try reader.flag() { sampleAspectRatio = try Self.aspectRatio(&reader) }
    // overscan_info_present_flag, overscan_appropriate_flag
    if try reader.flag() { try reader.skip(1) }
    if try reader.flag() {
      // video_format
      try reader.skip(3)
      isFullRange = try reader.flag()
      if try reader.flag() { color = try ColorCodes(&reader) }
    }
    if try reader.flag() {
      chromaLocation = try reader.unsigned(atMost: 5)
      // chroma_sample_loc_type_bottom_field
      _ = try reader.unsigned(atMost: 5)
    }
  }

  private static func aspectRatio(_ reader: inout BitReader) throws(BitReader.Damage) -> Rational? {
    let index = try reader.bits(8)
    // Extended_SAR
    guard index == 255 else { return index < aspectRatios.count ? aspectRatios[index] : nil }
    let (width, height) = (try reader.bits(16), try reader.bits(16))
    guard width > 0, height > 0 else { return nil }
    return Rational(Int32(truncatingIfNeeded: width), Int32(truncatingIfNeeded: height))
  }

  /// Table E-1 in both standards; 0 is unspecified.
  private static let aspectRatios: [Rational?] = [
    nil, Rational(1, 1), Rational(12, 11), Rational(10, 11), Rational(16, 11), Rational(40, 33), Rational(24, 11),
    Rational(20, 11), Rational(32, 11), Rational(80, 33), Rational(18, 11), Rational(15, 11), Rational(64, 33),
    Rational(160, 99), Rational(4, 3), Rational(3, 2), Rational(2, 1),
  ]

  /// Reads the timing; `nil` if the rate is invalid.
  static func timing(_ reader: inout BitReader) throws(BitReader.Damage) -> Timing? {
    let timing = Timing(unitsInTick: try reader.bits(32), timeScale: try reader.bits(32))
    return timing.unitsInTick > 0 && timing.timeScale > 0 ? timing : nil
  }
}
