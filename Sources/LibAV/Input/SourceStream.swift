import CFFmpeg
public import ClipModel

/// One track of an opened container: libav's `AVStream`, as facts.
///
/// Holds the container, so the pointer stays valid.
public struct SourceStream {
  let container: InputContainer
  let pointer: UnsafeMutablePointer<AVStream>

  var parameters: AVCodecParameters { pointer.pointee.codecpar.pointee }

  public enum Kind: String, Sendable {
    case video, audio, data, subtitle, attachment, unknown
  }

  public var index: Int { Int(pointer.pointee.index) }
  /// The container's own number of the track: `track_ID` in MP4.
  public var trackID: Int { Int(pointer.pointee.id) }
  /// libav's short name of the container that it is a track of.
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

  /// Something here can decode it.
  public var isDecodable: Bool { avcodec_find_decoder(parameters.codec_id) != nil }

  public var codecName: String { String(cString: avcodec_get_name(parameters.codec_id)) }
  public var profileName: String? { bsc_profile_name(pointer.pointee.codecpar).map { String(cString: $0) } }
  public var level: Int? { parameters.level > 0 ? Int(parameters.level) : nil }

  /// The sample entry's four characters, unprintable ones escaped; `nil` when the container has none.
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

  /// Of a pixel, by the container or the codec; `nil` when neither tells or it is 1:1 by default.
  public var sampleAspectRatio: Rational? {
    let ratio = Rational(av_guess_sample_aspect_ratio(container.pointer, pointer, nil))
    return ratio.numerator > 0 && ratio.denominator > 0 ? ratio : nil
  }

  public var averageFrameRate: Rational? { defined(pointer.pointee.avg_frame_rate) }
  public var realFrameRate: Rational? { defined(pointer.pointee.r_frame_rate) }
  public var frameCount: Int64? { pointer.pointee.nb_frames > 0 ? pointer.pointee.nb_frames : nil }

  /// Edit list applied, as libav works it out.
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
  public var metadata: [String: String] { dictionary(pointer.pointee.metadata) }
  /// libav knows enough of the track to write it to a transport stream. Otherwise it has no frame, or none in the part of
  /// the file that was read for its analysis. Video needs no description there.
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

  /// `progressive`, or the order of the fields: `tt`, `bb`, `tb`, `bt`.
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

  /// What the stored code values mean, as far as the container and the bitstream's headers tell.
  public var codedLayout: PictureLayout {
    let parameters = parameters
    let location = Int32(bitPattern: parameters.chroma_location.rawValue) - 1
    return PictureLayout(
      width: width, height: height, pixelFormat: pixelFormat ?? .yuv420p,
      matrix: PictureLayout.Matrix(rawValue: Int32(bitPattern: parameters.color_space.rawValue)),
      transfer: PictureLayout.Transfer(rawValue: Int32(bitPattern: parameters.color_trc.rawValue)),
      primaries: PictureLayout.Primaries(rawValue: Int32(bitPattern: parameters.color_primaries.rawValue)),
      isFullRange: parameters.color_range == AVCOL_RANGE_JPEG,
      chromaLocation: PictureLayout.ChromaLocation(rawValue: location) ?? .left)
  }

  /// Colour as the container and the bitstream's headers tell.
  public var color: ColorDescription {
    let parameters = parameters
    var color = ColorDescription()
    color.primaries = name(
      av_color_primaries_name(parameters.color_primaries), unless: parameters.color_primaries == AVCOL_PRI_UNSPECIFIED)
    color.transfer = name(
      av_color_transfer_name(parameters.color_trc), unless: parameters.color_trc == AVCOL_TRC_UNSPECIFIED)
    color.matrix = name(
      av_color_space_name(parameters.color_space), unless: parameters.color_space == AVCOL_SPC_UNSPECIFIED)
    color.range = name(
      av_color_range_name(parameters.color_range), unless: parameters.color_range == AVCOL_RANGE_UNSPECIFIED)
    color.chromaLocation = name(
      av_chroma_location_name(parameters.chroma_location),
      unless: parameters.chroma_location == AVCHROMA_LOC_UNSPECIFIED)
    color.dynamicRange =
      switch parameters.color_trc {
      case AVCOL_TRC_ARIB_STD_B67: .hlg
      case AVCOL_TRC_SMPTE2084: .pq
      default: .sdr
      }
    var size = 0
    if let bytes = bsc_stream_side_data(pointer, AV_PKT_DATA_DOVI_CONF, &size),
      size >= MemoryLayout<AVDOVIDecoderConfigurationRecord>.size
    {
      let record = UnsafeRawPointer(bytes).loadUnaligned(as: AVDOVIDecoderConfigurationRecord.self)
      color.dolbyVisionProfile = Int(record.dv_profile)
      color.dolbyVisionCompatibility = Int(record.dv_bl_signal_compatibility_id)
    }
    return color
  }

  /// The nine numbers of the display matrix as libav keeps them (16.16 fixed point, last column 2.30); `nil` when the
  /// container has none.
  public var displayMatrix: [Int32]? {
    var size = 0
    guard let bytes = bsc_stream_side_data(pointer, AV_PKT_DATA_DISPLAYMATRIX, &size), size >= 36 else { return nil }
    return (0..<9).map { UnsafeRawPointer(bytes).loadUnaligned(fromByteOffset: $0 * 4, as: Int32.self) }
  }

  public var orientation: Orientation { displayMatrix.flatMap(Orientation.init(displayMatrix:)) ?? .upright }

  /// An entry of the container's index, if it has one.
  public struct IndexEntry: Sendable {
    /// Decoding time in the stream's time base.
    public var ticks: Int64
    public var isKeyFrame: Bool
    /// Cut off by an edit list.
    public var isDiscarded: Bool
    /// Where the packet lies in the file, bytes.
    public var byteRange: Range<Int64>
  }

  /// Empty when there are more than half a million: two hours of 60 pictures a second.
  public var indexEntries: [IndexEntry] {
    guard avformat_index_get_entries_count(pointer) <= 1 << 19 else { return [] }
    return (0..<avformat_index_get_entries_count(pointer)).compactMap { position in
      var ticks: Int64 = 0
      var isKey: Int32 = 0
      var offset: Int64 = 0
      var size: Int32 = 0
      let discarded = bsc_index_entry(pointer, position, &ticks, &isKey, &offset, &size)
      guard discarded >= 0 else { return nil }
      let count = Int64(max(size, 0))
      let start = min(max(offset, 0), Int64.max - count)
      return IndexEntry(
        ticks: ticks, isKeyFrame: isKey != 0, isDiscarded: discarded != 0, byteRange: start..<start + count)
    }
  }

  private func defined(_ rate: AVRational) -> Rational? {
    rate.num > 0 && rate.den > 0 ? Rational(rate) : nil
  }

  private func name(_ text: UnsafePointer<CChar>?, unless isUnspecified: Bool) -> String? {
    isUnspecified ? nil : text.map { String(cString: $0) }
  }
}

extension Rational {
  init(_ raw: AVRational) { self.init(raw.num, raw.den) }
  var raw: AVRational { AVRational(num: numerator, den: denominator) }
}

extension Orientation {
  /// From a display matrix `a b u / c d v / x y w`, which maps stored points to shown ones; y grows downwards.
  ///
  /// Only the signs and the dominant axis count: a scaled matrix still turns by quarters. `nil` for a degenerate one.
  public init?(displayMatrix matrix: [Int32]) {
    guard matrix.count == 9 else { return nil }
    let (a, b, c, d) = (Int64(matrix[0]), Int64(matrix[1]), Int64(matrix[3]), Int64(matrix[4]))
    let determinant = a * d - b * c
    guard determinant != 0 else { return nil }
    // A mirror before the turn negates the first row; undo it, and what is left is the turn.
    let isMirrored = determinant < 0
    let (x, y) = isMirrored ? (-a, -b) : (a, b)
    // The stored x axis (1, 0) is shown as (x, y).
    let degrees = abs(x) >= abs(y) ? (x > 0 ? 0 : 180) : (y > 0 ? 90 : 270)
    self.init(clockwiseDegrees: degrees, isMirrored: isMirrored)
  }

  /// The matrix that shows a stored picture this way, without the translation that some writers add.
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
