import CFFmpeg
public import ClipModel

/// A track in an open container. A wrapper for libav's `AVStream`.
///
/// The stream retains its container, so that the pointer remains valid.
public struct SourceStream {
  let container: InputContainer
  let pointer: UnsafeMutablePointer<AVStream>

  var parameters: AVCodecParameters { pointer.pointee.codecpar.pointee }

  public enum Kind: String, Sendable {
    case video, audio, data, subtitle, attachment, unknown
  }

  public var index: Int { Int(pointer.pointee.index) }
  /// The ID of the track in the container, such as `track_ID` in MP4.
  public var trackID: Int { Int(pointer.pointee.id) }
  /// libav's short name for the container format.
  public var containerFormatName: String { container.formatName }
  public var timeBase: Rational { Rational(pointer.pointee.time_base) }

  public var kind: Kind {
    switch parameters.codec_type {
    case AVMEDIA_TYPE_VIDEO: .video
    case AVMEDIA_TYPE_AUDIO: .audio
    case AVMEDIA_TYPE_DATA: .data
    case AVMEDIA_TYPE_SUBTITLE: .subtitle
    case AVMEDIA_TYPE_ATTACHMENT: .attachment
    default: .unknown
    }
  }

  /// Whether the installed FFmpeg has a decoder for the track.
  public var isDecodable: Bool { avcodec_find_decoder(parameters.codec_id) != nil }

  public var codecName: String { String(cString: avcodec_get_name(parameters.codec_id)) }
  public var profileName: String? { bsc_profile_name(pointer.pointee.codecpar).map { String(cString: $0) } }
  public var level: Int? { parameters.level > 0 ? Int(parameters.level) : nil }

  /// The four-character code of the sample entry, with unprintable characters escaped. `nil` if the container doesn't
  /// store a code.
  public var codecTag: String? {
    let tag = parameters.codec_tag
    guard tag != 0 else { return nil }
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: tag >> (8 * $0)) }
    return bytes.map { (0x20...0x7e).contains($0) ? String(UnicodeScalar($0)) : "[\($0)]" }.joined()
  }

  public var width: Int { Int(parameters.width) }
  public var height: Int { Int(parameters.height) }

  public var pixelFormat: PixelFormat? {
    guard kind == .video, parameters.format >= 0 else { return nil }
    return PixelFormat(AVPixelFormat(parameters.format))
  }

  /// The pixel aspect ratio from the container or the codec, or `nil` if neither specifies one.
  public var sampleAspectRatio: Rational? {
    rationalIfPositive(av_guess_sample_aspect_ratio(container.pointer, pointer, nil))
  }
  public var averageFrameRate: Rational? { rationalIfPositive(pointer.pointee.avg_frame_rate) }
  public var realFrameRate: Rational? { rationalIfPositive(pointer.pointee.r_frame_rate) }
  public var frameCount: Int64? { pointer.pointee.nb_frames > 0 ? pointer.pointee.nb_frames : nil }

  /// The duration that libav computes after applying the edit list.
  public var duration: Timestamp? {
    let ticks = pointer.pointee.duration
    return ticks == bsc_AV_NOPTS_VALUE || ticks <= 0 ? nil : Timestamp(ticks: ticks, timeBase: timeBase)
  }

  public var start: Timestamp? {
    let ticks = pointer.pointee.start_time
    return ticks == bsc_AV_NOPTS_VALUE ? nil : Timestamp(ticks: ticks, timeBase: timeBase)
  }

  public var bitsPerSecond: Int64? { parameters.bit_rate > 0 ? parameters.bit_rate : nil }
  public var isDefault: Bool { pointer.pointee.disposition & AV_DISPOSITION_DEFAULT != 0 }
  public var isAttachedPicture: Bool { pointer.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 }
  public var metadata: [String: String] { makeDictionary(pointer.pointee.metadata) }
  /// Whether libav knows the properties that are required to write the track to a transport stream. They are unknown if
  /// an audio track has no frame in the analyzed part of the file. Video tracks don't require them.
  public var isDescribed: Bool { kind != .audio || sampleRate > 0 }
  public var sampleRate: Int { Int(parameters.sample_rate) }
  public var channelCount: Int { Int(parameters.ch_layout.nb_channels) }

  public var channelLayoutName: String? {
    guard kind == .audio else { return nil }
    var layout = parameters.ch_layout
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      guard let base = buffer.baseAddress, av_channel_layout_describe(&layout, base, buffer.count) > 0 else {
        return nil
      }
      return String(cString: base)
    }
  }

  /// The scan type: `progressive`, or the field order `tt`, `bb`, `tb` or `bt`.
  public var fieldOrder: String? {
    switch parameters.field_order {
    case AV_FIELD_PROGRESSIVE: "progressive"
    case AV_FIELD_TT: "tt"
    case AV_FIELD_BB: "bb"
    case AV_FIELD_TB: "tb"
    case AV_FIELD_BT: "bt"
    default: nil
    }
  }

  /// The layout of the stored frames, according to the headers of the container and the bitstream.
  public var codedLayout: FrameLayout {
    let parameters = parameters
    return FrameLayout(
      width: width, height: height, pixelFormat: pixelFormat ?? .yuv420p, matrix: parameters.color_space,
      transfer: parameters.color_trc, primaries: parameters.color_primaries,
      isFullRange: parameters.color_range == AVCOL_RANGE_JPEG, location: parameters.chroma_location)
  }

  /// The color properties, according to the headers of the container and the bitstream.
  public var color: ColorDescription {
    let parameters = parameters
    var color = ColorDescription()
    color.primaries = nameIfSpecified(av_color_primaries_name(parameters.color_primaries))
    color.transfer = nameIfSpecified(av_color_transfer_name(parameters.color_trc))
    color.matrix = nameIfSpecified(av_color_space_name(parameters.color_space))
    color.range = nameIfSpecified(av_color_range_name(parameters.color_range))
    color.chromaLocation = nameIfSpecified(av_chroma_location_name(parameters.chroma_location))
    color.dynamicRange =
      switch parameters.color_trc {
      case AVCOL_TRC_ARIB_STD_B67: .hlg
      case AVCOL_TRC_SMPTE2084: .pq
      default: .sdr
      }
    if let bytes = sideData(AV_PKT_DATA_DOVI_CONF),
      bytes.count >= MemoryLayout<AVDOVIDecoderConfigurationRecord>.size
    {
      let record = bytes.withUnsafeBytes { $0.loadUnaligned(as: AVDOVIDecoderConfigurationRecord.self) }
      color.dolbyVisionProfile = Int(record.dv_profile)
      color.dolbyVisionCompatibility = Int(record.dv_bl_signal_compatibility_id)
    }
    return color
  }

  /// The nine values of the display matrix in libav's format (16.16 fixed point, with the last column in 2.30). `nil`
  /// if the container has no display matrix.
  private var displayMatrix: [Int32]? {
    guard let bytes = sideData(AV_PKT_DATA_DISPLAYMATRIX), bytes.count >= 36 else { return nil }
    return (0..<9).map { index in
      bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: index * 4, as: Int32.self) }
    }
  }

  public var orientation: Orientation { displayMatrix.flatMap(Orientation.init(displayMatrix:)) ?? .upright }

  /// An entry in the container's index.
  public struct IndexEntry: Sendable {
    /// The decoding time in the stream's time base.
    public var ticks: Int64
    public var isKeyFrame: Bool
    /// Whether the edit list hides the packet.
    public var isDiscarded: Bool
    /// The packet's byte range in the file.
    public var byteRange: Range<Int64>
  }

  /// The container's index for this track. Empty if the index has more than half a million entries, which is two hours
  /// at 60 frames per second.
  public var indexEntries: [IndexEntry] {
    guard avformat_index_get_entries_count(pointer) <= 1 << 19 else { return [] }
    return (0..<avformat_index_get_entries_count(pointer)).map { position in
      let entry = bsc_index_entry_at(pointer, position)
      let count = Int64(max(entry.size, 0))
      let start = min(max(entry.offset, 0), Int64.max - count)
      return IndexEntry(
        ticks: entry.timestamp, isKeyFrame: entry.is_key, isDiscarded: entry.is_discarded,
        byteRange: start..<start + count)
    }
  }

  private func rationalIfPositive(_ value: AVRational) -> Rational? {
    value.num > 0 && value.den > 0 ? Rational(value) : nil
  }

  /// Returns the name as a string, or `nil` if it is libav's name for an unspecified value.
  private func nameIfSpecified(_ name: UnsafePointer<CChar>?) -> String? {
    name.map { String(cString: $0) }.flatMap { ["unknown", "unspecified"].contains($0) ? nil : $0 }
  }
}

extension Rational {
  init(_ raw: AVRational) { self.init(raw.num, raw.den) }
  var raw: AVRational { AVRational(num: numerator, den: denominator) }
}

extension Orientation {
  /// Creates an orientation from a display matrix `a b u / c d v / x y w`, which maps stored points to displayed
  /// points. The y axis points down.
  ///
  /// Only the signs and the dominant axis are used, so a scaled matrix is treated as a rotation by quarter turns.
  /// Returns `nil` for a degenerate matrix.
  public init?(displayMatrix matrix: [Int32]) {
    guard matrix.count == 9 else { return nil }
    let (a, b, c, d) = (Int64(matrix[0]), Int64(matrix[1]), Int64(matrix[3]), Int64(matrix[4]))
    let determinant = a * d - b * c
    guard determinant != 0 else { return nil }
    // Mirroring before rotating negates the first row. Undo the negation to get the rotation.
    let isMirrored = determinant < 0
    let (x, y) = isMirrored ? (-a, -b) : (a, b)
    // The matrix maps the stored x axis (1, 0) to (x, y).
    let degrees = abs(x) >= abs(y) ? (x > 0 ? 0 : 180) : (y > 0 ? 90 : 270)
    self.init(clockwiseDegrees: degrees, isMirrored: isMirrored)
  }

  /// The display matrix for this orientation, without the translation that some writers add.
  public var displayMatrix: [Int32] {
    let one: Int32 = 1 << 16
    let (cosine, sine): (Int32, Int32) =
      switch clockwiseDegrees {
      case 90: (0, one)
      case 180: (-one, 0)
      case 270: (0, -one)
      default: (one, 0)
      }
    let sign: Int32 = isMirrored ? -1 : 1
    return [sign * cosine, sign * sine, 0, -sine, cosine, 0, 0, 0, 1 << 30]
  }
}
