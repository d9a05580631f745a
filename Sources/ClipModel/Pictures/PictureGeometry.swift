/// The size of a frame or picture. All size calculations are here: for transcoding, pictures and probing.
public struct PictureSize: Codable, Hashable, Sendable, CustomStringConvertible {
  /// The width in pixels.
  public var width: Int
  /// The height in pixels.
  public var height: Int

  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  public var description: String { "\(width)x\(height)" }
  /// The larger of width and height.
  public var longSide: Int { max(width, height) }
  /// The smaller of width and height.
  public var shortSide: Int { min(width, height) }
  /// The size with width and height swapped.
  public var transposed: PictureSize { PictureSize(width: height, height: width) }

  /// The size with square pixels. The smaller side grows, so that no stored line is lost.
  public func withSquarePixels(sampleAspectRatio ratio: Rational?) -> PictureSize {
    guard let ratio, ratio.numerator > 0, ratio.denominator > 0, ratio.numerator != ratio.denominator,
      Self.sensibleAspectRatios.contains(ratio.value)
    else { return self }
    if ratio.numerator > ratio.denominator {
      return PictureSize(width: Int((Double(width) * ratio.value).rounded()), height: height)
    }
    return PictureSize(width: width, height: Int((Double(height) / ratio.value).rounded()))
  }

  /// Real cameras and tapes have pixels in this range. Other values would lead to arbitrary sizes.
  static let sensibleAspectRatios = 1.0 / 16...16

  /// The largest size with the same aspect ratio within these limits, in either orientation. It is never enlarged, and
  /// both sides are even, as 4:2:0 requires.
  public func fitted(longSide longest: Int, shortSide shortest: Int) -> PictureSize {
    scaled(by: min(1, Double(longest) / Double(longSide), Double(shortest) / Double(shortSide)))
  }

  /// The largest size with the same aspect ratio and at most this width, never enlarged.
  public func fitted(width widest: Int) -> PictureSize { scaled(by: min(1, Double(widest) / Double(width))) }

  /// The largest size with the same aspect ratio and at most this height, never enlarged.
  public func fitted(height highest: Int) -> PictureSize { scaled(by: min(1, Double(highest) / Double(height))) }

  /// Multiplies both sides by `scale`, rounding them to even numbers of at least 2.
  public func scaled(by scale: Double) -> PictureSize {
    func even(_ side: Int) -> Int {
      max(2, Int((Double(side) * scale / 2).rounded(scale < 1 ? .toNearestOrEven : .down)) * 2)
    }
    return PictureSize(width: even(width), height: even(height))
  }
}

extension VideoTrack {
  /// The size as stored by the codec.
  public var storedSize: PictureSize { PictureSize(width: width, height: height) }

  /// The size as displayed: with square pixels and rotated.
  public var shownSize: PictureSize {
    let square = storedSize.withSquarePixels(sampleAspectRatio: sampleAspectRatio)
    return orientation.swapsAxes ? square.transposed : square
  }

  /// Whether the pixels are square. True if the file does not state it.
  public var hasSquarePixels: Bool {
    guard let ratio = sampleAspectRatio else { return true }
    return ratio.numerator == ratio.denominator
  }
}
