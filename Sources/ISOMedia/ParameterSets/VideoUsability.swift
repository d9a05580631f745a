package import ClipModel

/// Video usability information (VUI), which describes how to display frames and when (annex E of ITU-T H.264 and
/// H.265).
package struct VideoUsability: Equatable, Sendable {
  /// `num_units_in_tick` and `time_scale`.
  package struct Timing: Equatable, Sendable {
    package var unitsInTick: Int
    package var timeScale: Int
  }

  /// The pixel aspect ratio; `nil` if unspecified.
  package var sampleAspectRatio: Rational?
  /// Whether the samples use the full range; `nil` if unspecified, which means limited range.
  package var isFullRange: Bool?
  /// The color description; `nil` if unspecified.
  package var color: ColorCodes?
  /// The value of `chroma_sample_loc_type_top_field`; `nil` if unspecified. The default is 0: left, midway between two
  /// lines.
  package var chromaLocation: Int?
  package var timing: Timing?
  /// Whether the stream has hypothetical reference decoder (HRD) parameters.
  package var hasBufferingModel = false
  /// The value of `max_num_reorder_frames`, which follows `bitstream_restriction_flag` (H.264).
  package var reorderDepth: Int?
  /// Whether each picture is a field (`field_seq_flag` in HEVC).
  package var isFieldSequence = false
  /// The area that players may display (`def_disp_win` in HEVC).
  package var defaultDisplayWindow: CroppingWindow?

  init() {}

  /// Reads the first fields, which are the same in both codecs.
  mutating func readCommonFields(_ reader: inout BitReader) throws(BitReader.InvalidData) {
    if try reader.readFlag() { sampleAspectRatio = try Self.readAspectRatio(&reader) }
    // overscan_info_present_flag, overscan_appropriate_flag
    if try reader.readFlag() { try reader.skipBits(1) }
    if try reader.readFlag() {
      // video_format
      try reader.skipBits(3)
      isFullRange = try reader.readFlag()
      if try reader.readFlag() { color = try ColorCodes(&reader) }
    }
    if try reader.readFlag() {
      chromaLocation = try reader.readUnsigned(atMost: 5)
      // chroma_sample_loc_type_bottom_field
      _ = try reader.readUnsigned(atMost: 5)
    }
  }

  private static func readAspectRatio(_ reader: inout BitReader) throws(BitReader.InvalidData) -> Rational? {
    let index = try reader.readBits(8)
    // Extended_SAR
    guard index == 255 else { return index < aspectRatios.count ? aspectRatios[index] : nil }
    let (width, height) = (try reader.readBits(16), try reader.readBits(16))
    guard width > 0, height > 0 else { return nil }
    return Rational(Int32(truncatingIfNeeded: width), Int32(truncatingIfNeeded: height))
  }

  /// The aspect ratios in table E-1 of both standards. Index 0 means unspecified.
  private static let aspectRatios: [Rational?] = [
    nil, Rational(1, 1), Rational(12, 11), Rational(10, 11), Rational(16, 11), Rational(40, 33), Rational(24, 11),
    Rational(20, 11), Rational(32, 11), Rational(80, 33), Rational(18, 11), Rational(15, 11), Rational(64, 33),
    Rational(160, 99), Rational(4, 3), Rational(3, 2), Rational(2, 1),
  ]

  /// Reads the timing; returns `nil` if the frame rate is invalid.
  static func readTimingFields(_ reader: inout BitReader) throws(BitReader.InvalidData) -> Timing? {
    let timing = Timing(unitsInTick: try reader.readBits(32), timeScale: try reader.readBits(32))
    return timing.unitsInTick > 0 && timing.timeScale > 0 ? timing : nil
  }
}
