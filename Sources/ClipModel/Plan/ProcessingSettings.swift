/// What the user can choose about the output; the defaults are the product's.
public struct ProcessingSettings: Codable, Equatable, Sendable {
  /// Pixels at most on the long and the short side, either way up.
  public var longSide = 1920
  /// Pixels at most on the short side, either way up.
  public var shortSide = 1080
  /// x264's constant rate factor, 0 to 51: lower is better and bigger.
  public var constantRateFactor = 21.0
  /// Pictures that are drawn of the output, in the same pass.
  public var pictures = PictureSettings()
  /// The output has no sound.
  public var mute = false
  /// What the picture becomes where it is not copied.
  public var codec = CodecChoice.h264
  /// HDR stays HDR, in HEVC with 10 bits.
  public var keepsHDR = false
  /// The output has at most so many bytes, whatever that costs in quality.
  public var maximumByteCount: Int64?
  /// Of a damaged or cut off source the good part is taken, up to the first damage.
  public var salvages = false
  /// An encoder of the graphics card or the processor's media engine is used where one works.
  public var usesHardware = false

  /// Which codec the picture gets.
  public enum CodecChoice: String, Codable, CaseIterable, Sendable {
    /// What every player takes.
    case h264
    /// Half the size, and not played everywhere.
    case hevc
    /// H.264 or HEVC as the source has it, as long as it fits otherwise.
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

  /// At most so many lines on the short side, and 16 to 9 of them on the long one.
  public mutating func limit(height: Int) {
    shortSide = height
    longSide = height * 16 / 9
  }
}
