import CFFmpeg
public import ClipModel

/// The size, pixel format and color space of a frame, which are all the properties that a conversion depends on.
///
/// The color codes are defined in ITU-T H.273 and are the same in libav and zimg. Codes that zimg doesn't support
/// become `unspecified`.
public struct FrameLayout: Equatable, Sendable {
  public var width: Int
  public var height: Int
  public var pixelFormat = PixelFormat.yuv420p
  public var matrix = Matrix.bt709
  public var transfer = Transfer.bt709
  public var primaries = Primaries.bt709
  public var isFullRange = false
  public var chromaLocation = ChromaLocation.left

  /// The YUV matrix. `bt470bg` and `bt601` have the same coefficients.
  public enum Matrix: UInt32, Sendable {
    case rgb, bt709, unspecified
    case fcc = 4
    case bt470bg, bt601, smpte240m, ycgco, bt2020, bt2020Constant
  }

  public enum Transfer: UInt32, Sendable {
    case bt709 = 1
    case unspecified
    case gamma22 = 4
    case gamma28, bt601, smpte240m, linear
    case iec61966 = 11
    case srgb = 13
    case bt2020Ten, bt2020Twelve, pq
    case hlg = 18
  }

  public enum Primaries: UInt32, Sendable {
    case bt709 = 1
    case unspecified
    case bt470m = 4
    case bt470bg, bt601, smpte240m, film, bt2020, xyz, p3
    /// Display P3, with the D65 white point.
    case displayP3
    case ebu3213 = 22
  }

  /// The position of chroma samples, with the values of `AVChromaLocation`.
  public enum ChromaLocation: UInt32, Sendable {
    case left = 1
    case center, topLeft, top, bottomLeft, bottom
  }
}

extension FrameLayout {
  public var size: PictureSize { PictureSize(width: width, height: height) }

  /// Returns the usual layout for H.264: 8-bit 4:2:0, BT.709, limited range.
  public static func video(_ size: PictureSize) -> FrameLayout {
    FrameLayout(width: size.width, height: size.height)
  }

  /// Returns the layout for JFIF: 4:2:0, BT.601 matrix, full range, centered chroma. Every viewer interprets it as
  /// sRGB.
  public static func jpeg(_ size: PictureSize) -> FrameLayout {
    FrameLayout(
      width: size.width, height: size.height, pixelFormat: .yuvj420p, matrix: .bt601, isFullRange: true,
      chromaLocation: .center)
  }

  /// Returns the layout for lossy WebP, which is the JPEG layout with limited range.
  public static func webp(_ size: PictureSize) -> FrameLayout {
    FrameLayout(width: size.width, height: size.height, matrix: .bt601, chromaLocation: .center)
  }

  /// Returns the layout for planar sRGB.
  public static func rgb(_ size: PictureSize) -> FrameLayout {
    FrameLayout(
      width: size.width, height: size.height, pixelFormat: .rgbPlanes, matrix: .rgb, isFullRange: true)
  }

  /// Creates a layout from libav's values.
  /// - Parameter location: the chroma location. If unspecified, `left` is used, which is the default in H.264 and HEVC.
  init(
    width: Int, height: Int, pixelFormat: PixelFormat, matrix: AVColorSpace, transfer: AVColorTransferCharacteristic,
    primaries: AVColorPrimaries, isFullRange: Bool, location: AVChromaLocation
  ) {
    self.init(
      width: width, height: height, pixelFormat: pixelFormat,
      matrix: Matrix(rawValue: matrix.rawValue) ?? .unspecified,
      transfer: Transfer(rawValue: transfer.rawValue) ?? .unspecified,
      primaries: Primaries(rawValue: primaries.rawValue) ?? .unspecified, isFullRange: isFullRange,
      chromaLocation: ChromaLocation(rawValue: location.rawValue) ?? .left)
  }

  var avMatrix: AVColorSpace { AVColorSpace(rawValue: matrix.rawValue) }
  var avTransfer: AVColorTransferCharacteristic { AVColorTransferCharacteristic(rawValue: transfer.rawValue) }
  var avPrimaries: AVColorPrimaries { AVColorPrimaries(rawValue: primaries.rawValue) }
  var avRange: AVColorRange { isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG }
  var avChromaLocation: AVChromaLocation { AVChromaLocation(rawValue: chromaLocation.rawValue) }
}

extension Frame {
  /// The brightest value of the content (`MaxCLL`) or, if unknown, the mastering display's peak luminance, in cd/m².
  /// `nil` if the stream contains neither value.
  public var peakLuminance: Double? {
    if let level = lightLevel { return Double(level.MaxCLL) }
    guard let display = gradingDisplay, display.has_luminance != 0 else { return nil }
    let peak = Rational(display.max_luminance)
    return peak.isDefined && peak.value > 0 ? peak.value : nil
  }

  /// The properties of the HDR mastering display, in x265's syntax. Primaries are in units of 1/50,000, and luminance
  /// is in units of 1/10,000 cd/m².
  public var masteringDisplay: String? {
    guard let display = gradingDisplay, display.has_primaries != 0, display.has_luminance != 0 else { return nil }
    func formatPoint(_ x: AVRational, _ y: AVRational, _ unit: Double) -> String {
      func scaledInteger(_ value: AVRational) -> Int { Int((Rational(value).value * unit).rounded()) }
      guard x.den != 0, y.den != 0 else { return "(0,0)" }
      return "(\(scaledInteger(x)),\(scaledInteger(y)))"
    }
    let (red, green, blue) = display.display_primaries
    return "G" + formatPoint(green.0, green.1, 50_000) + "B" + formatPoint(blue.0, blue.1, 50_000) + "R"
      + formatPoint(red.0, red.1, 50_000)
      + "WP" + formatPoint(display.white_point.0, display.white_point.1, 50_000)
      + "L" + formatPoint(display.max_luminance, display.min_luminance, 10_000)
  }

  /// The content light level as `MaxCLL,MaxFALL`, in cd/m².
  public var contentLight: String? { lightLevel.map { "\($0.MaxCLL),\($0.MaxFALL)" } }

  /// The content light level, or `nil` if the stream contains no level above 0.
  private var lightLevel: AVContentLightMetadata? {
    let level = sideData(AV_FRAME_DATA_CONTENT_LIGHT_LEVEL, as: AVContentLightMetadata.self)
    return level.flatMap { $0.MaxCLL > 0 ? $0 : nil }
  }

  private var gradingDisplay: AVMasteringDisplayMetadata? {
    sideData(AV_FRAME_DATA_MASTERING_DISPLAY_METADATA, as: AVMasteringDisplayMetadata.self)
  }

  private func sideData<Value>(_ type: AVFrameSideDataType, as value: Value.Type) -> Value? {
    av_frame_get_side_data(pointer, type)?.pointee.data.map { UnsafeMutableRawPointer($0).load(as: value) }
  }

  func matches(_ layout: FrameLayout) -> Bool {
    width == layout.width && height == layout.height && pixelFormat == layout.pixelFormat
  }

  /// The frame's layout, according to the tags that the decoder found in the bitstream.
  public var layout: FrameLayout {
    let raw = pointer.pointee
    return FrameLayout(
      width: width, height: height, pixelFormat: pixelFormat, matrix: raw.colorspace, transfer: raw.color_trc,
      primaries: raw.color_primaries,
      isFullRange: raw.color_range == AVCOL_RANGE_JPEG || pixelFormat.isFullRangeByName, location: raw.chroma_location)
  }

  /// Sets the frame's color tags, which the encoder reads, to those of a layout.
  public func tag(as layout: FrameLayout) {
    pointer.pointee.colorspace = layout.avMatrix
    pointer.pointee.color_trc = layout.avTransfer
    pointer.pointee.color_primaries = layout.avPrimaries
    pointer.pointee.color_range = layout.avRange
    pointer.pointee.chroma_location = layout.avChromaLocation
    pointer.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
  }
}
