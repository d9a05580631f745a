import CFFmpeg
import ClipModel

/// What a picture's code values mean: everything a converter has to know about one side of a conversion.
///
/// The colour codes are those of ITU-T H.273, which libav and zimg share.
public struct PictureLayout: Equatable, Sendable {
  public var width: Int
  public var height: Int
  public var pixelFormat: PixelFormat
  public var matrix: Matrix
  public var transfer: Transfer
  public var primaries: Primaries
  public var isFullRange: Bool
  public var chromaLocation: ChromaLocation

  public init(
    width: Int, height: Int, pixelFormat: PixelFormat, matrix: Matrix, transfer: Transfer, primaries: Primaries,
    isFullRange: Bool, chromaLocation: ChromaLocation
  ) {
    self.width = width
    self.height = height
    self.pixelFormat = pixelFormat
    self.matrix = matrix
    self.transfer = transfer
    self.primaries = primaries
    self.isFullRange = isFullRange
    self.chromaLocation = chromaLocation
  }

  public struct Matrix: RawRepresentable, Hashable, Sendable {
    public var rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }
    public static let rgb = Matrix(rawValue: 0)
    public static let bt709 = Matrix(rawValue: 1)
    public static let unspecified = Matrix(rawValue: 2)
    /// BT.601 as 625-line systems name it.
    public static let bt470bg = Matrix(rawValue: 5)
    /// BT.601 as 525-line systems name it; the same numbers.
    public static let bt601 = Matrix(rawValue: 6)
    public static let bt2020 = Matrix(rawValue: 9)
  }

  public struct Transfer: RawRepresentable, Hashable, Sendable {
    public var rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }
    public static let bt709 = Transfer(rawValue: 1)
    public static let unspecified = Transfer(rawValue: 2)
    public static let pq = Transfer(rawValue: 16)
    public static let hlg = Transfer(rawValue: 18)
  }

  public struct Primaries: RawRepresentable, Hashable, Sendable {
    public var rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }
    public static let bt709 = Primaries(rawValue: 1)
    public static let unspecified = Primaries(rawValue: 2)
    public static let bt2020 = Primaries(rawValue: 9)
    /// Display P3, with the white of daylight.
    public static let displayP3 = Primaries(rawValue: 12)
  }

  public enum ChromaLocation: Int32, Sendable {
    case left = 0
    case center, topLeft, top, bottomLeft, bottom
  }
}

extension PictureLayout {
  /// With "unspecified" in place of reserved codes and of those that zimg has no arithmetic for.
  public var withoutUnknownCodes: PictureLayout {
    var layout = self
    if ![0, 1, 4, 5, 6, 7, 8, 9, 10].contains(matrix.rawValue) { layout.matrix = .unspecified }
    if ![1, 4, 5, 6, 7, 8, 11, 13, 14, 15, 16, 18].contains(transfer.rawValue) { layout.transfer = .unspecified }
    if ![1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 22].contains(primaries.rawValue) { layout.primaries = .unspecified }
    return layout
  }
}

extension Frame {
  /// The brightest that the source was made with, cd/m²: what the content claims of itself (`MaxCLL`), else the display
  /// it was graded on; `nil` when the stream does not tell.
  public var peakLuminance: Double? {
    if let data = av_frame_get_side_data(pointer, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL)?.pointee.data {
      let level = UnsafeMutableRawPointer(data).load(as: AVContentLightMetadata.self)
      if level.MaxCLL > 0 { return Double(level.MaxCLL) }
    }
    if let data = av_frame_get_side_data(pointer, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA)?.pointee.data {
      let display = UnsafeMutableRawPointer(data).load(as: AVMasteringDisplayMetadata.self)
      let peak = Rational(display.max_luminance)
      if display.has_luminance != 0, peak.isDefined, peak.value > 0 { return peak.value }
    }
    return nil
  }

  /// The display that HDR was graded on, in the words and units of x265: primaries in 1/50000, luminance in 1/10000.
  public var masteringDisplay: String? {
    guard let data = av_frame_get_side_data(pointer, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA)?.pointee.data else {
      return nil
    }
    let display = UnsafeMutableRawPointer(data).load(as: AVMasteringDisplayMetadata.self)
    guard display.has_primaries != 0, display.has_luminance != 0 else { return nil }
    func text(_ x: AVRational, _ y: AVRational, _ unit: Double) -> String {
      func number(_ value: AVRational) -> Int { Int((Rational(value).value * unit).rounded()) }
      guard x.den != 0, y.den != 0 else { return "(0,0)" }
      return "(\(number(x)),\(number(y)))"
    }
    let (red, green, blue) = display.display_primaries
    return "G" + text(green.0, green.1, 50_000) + "B" + text(blue.0, blue.1, 50_000) + "R" + text(red.0, red.1, 50_000)
      + "WP" + text(display.white_point.0, display.white_point.1, 50_000)
      + "L" + text(display.max_luminance, display.min_luminance, 10_000)
  }

  /// `MaxCLL,MaxFALL` in cd/m².
  public var contentLight: String? {
    guard let data = av_frame_get_side_data(pointer, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL)?.pointee.data else {
      return nil
    }
    let level = UnsafeMutableRawPointer(data).load(as: AVContentLightMetadata.self)
    return level.MaxCLL > 0 ? "\(level.MaxCLL),\(level.MaxFALL)" : nil
  }

  func fits(_ layout: PictureLayout) -> Bool {
    width == layout.width && height == layout.height && pixelFormat == layout.pixelFormat
  }

  /// The frame's own tags, as the decoder found them in the bitstream. `chromaLocation` falls back to `left`, as H.264
  /// and HEVC define it.
  public var layout: PictureLayout {
    let raw = pointer.pointee
    let location = Int32(bitPattern: raw.chroma_location.rawValue) - 1
    return PictureLayout(
      width: width, height: height, pixelFormat: pixelFormat,
      matrix: PictureLayout.Matrix(rawValue: Int32(bitPattern: raw.colorspace.rawValue)),
      transfer: PictureLayout.Transfer(rawValue: Int32(bitPattern: raw.color_trc.rawValue)),
      primaries: PictureLayout.Primaries(rawValue: Int32(bitPattern: raw.color_primaries.rawValue)),
      isFullRange: raw.color_range == AVCOL_RANGE_JPEG || pixelFormat.isFullRangeByName,
      chromaLocation: PictureLayout.ChromaLocation(rawValue: location) ?? .left)
  }

  /// Writes the tags of a layout into the frame, for the encoder.
  public func tag(as layout: PictureLayout) {
    pointer.pointee.colorspace = AVColorSpace(rawValue: UInt32(bitPattern: layout.matrix.rawValue))
    pointer.pointee.color_trc = AVColorTransferCharacteristic(rawValue: UInt32(bitPattern: layout.transfer.rawValue))
    pointer.pointee.color_primaries = AVColorPrimaries(rawValue: UInt32(bitPattern: layout.primaries.rawValue))
    pointer.pointee.color_range = layout.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
    pointer.pointee.chroma_location = AVChromaLocation(UInt32(layout.chromaLocation.rawValue + 1))
    pointer.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
  }
}
