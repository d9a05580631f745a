/// The user's choices for the output. The defaults are those of the product.
public struct ProcessingSettings: Codable, Equatable, Sendable {
  /// The maximum of width and height, in pixels.
  public var longSide = 1920
  /// The maximum of the smaller of width and height, in pixels.
  public var shortSide = 1080
  /// x264's constant rate factor, 0 to 51: a lower value means higher quality and a larger file.
  public var constantRateFactor = 21.0
  /// The pictures that are rendered from the output.
  public var pictures = PictureSettings()
  /// Whether the audio is removed.
  public var mute = false
  /// The codec of the video if the video is not copied.
  public var codec = CodecChoice.h264
  /// Whether HDR is kept, in 10-bit HEVC.
  public var keepsHDR = false
  /// The maximum size of the output, regardless of the quality.
  public var maximumByteCount: Int64?
  /// Whether the intact part of a damaged or truncated source is used, up to the first damage.
  public var salvages = false
  /// Whether a hardware encoder is used if one works.
  public var usesHardware = false

  /// The codec of the output.
  public enum CodecChoice: String, Codable, CaseIterable, Sendable {
    /// Supported by every player.
    case h264
    /// Half the size, but not supported by every player.
    case hevc
    /// The source's codec if it is H.264 or HEVC.
    case keep
  }

  public init(
    longSide: Int = 1920, shortSide: Int = 1080, constantRateFactor: Double = 21,
    pictures: PictureSettings = PictureSettings(), mute: Bool = false
  ) {
    self.longSide = longSide
    self.shortSide = shortSide
    self.constantRateFactor = constantRateFactor
    self.pictures = pictures
    self.mute = mute
  }

  /// Limits the short side to a number of pixels, and the long side to 16:9.
  public mutating func limit(height: Int) {
    shortSide = height
    longSide = height * 16 / 9
  }
}
