/// What the user can choose about the output; the defaults are the product's.
public struct ProcessingSettings: Codable, Equatable, Sendable {
  /// Pixels at most on the long and the short side, either way up.
  public var longSide: Int
  public var shortSide: Int
  /// x264's constant rate factor, 0 to 51: lower is better and bigger.
  public var constantRateFactor: Double
  /// Where the poster is taken, seconds from the start of the output; clamped to the clip.
  public var posterSeconds: Double
  public var mute: Bool

  public init(
    longSide: Int = 1920, shortSide: Int = 1080, constantRateFactor: Double = 21, posterSeconds: Double = 2,
    mute: Bool = false
  ) {
    self.longSide = longSide
    self.shortSide = shortSide
    self.constantRateFactor = constantRateFactor
    self.posterSeconds = posterSeconds
    self.mute = mute
  }
}
