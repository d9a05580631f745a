/// The user's settings for the output. The initial values are the product's defaults.
public struct ProcessingSettings: Codable, Equatable, Sendable {
  /// The maximum length of the longer side, in pixels.
  public var longSide = 1920
  /// The maximum length of the shorter side, in pixels.
  public var shortSide = 1080
  /// x264's constant rate factor, from 0 to 51. A lower value means higher quality and a larger file.
  public var constantRateFactor = 21.0
  /// How much CPU time the encoder may take.
  public var effort = EncodingEffort.fast
  /// The settings for pictures that are rendered from the output.
  public var pictures = PictureSettings()
  /// Whether to remove the audio.
  public var mute = false
  /// The video codec to use if the video cannot be copied.
  public var codec = CodecChoice.h264
  /// Whether to keep HDR by encoding 10-bit HEVC.
  public var keepsHDR = false
  /// The maximum output size in bytes, regardless of quality; `nil` for no limit.
  public var maximumByteCount: Int64?
  /// Whether to use the intact part of a damaged or truncated source, up to the first damaged sample.
  public var salvages = false
  /// Whether to use a hardware encoder if one is available.
  public var usesHardware = false

  /// The video codec of the output.
  public enum CodecChoice: String, Codable, CaseIterable, Sendable {
    /// H.264, which every player supports.
    case h264
    /// HEVC, which needs half the bit rate of H.264, but isn't supported by every player.
    case hevc
    /// The source's codec if that is H.264 or HEVC.
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

  /// Limits the short side to the given number of pixels, and the long side to a 16:9 aspect ratio.
  public mutating func limitResolution(height: Int) {
    shortSide = height
    longSide = height * 16 / 9
  }
}
