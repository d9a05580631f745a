/// The size of a frame or picture. Transcoding, pictures and probing all use these size calculations.
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
  /// The larger of the width and the height.
  public var longSide: Int { max(width, height) }
  /// The smaller of the width and the height.
  public var shortSide: Int { min(width, height) }
  /// The size with the width and the height swapped.
  public var transposed: PictureSize { PictureSize(width: height, height: width) }

  /// Returns the size in square pixels. The side with the shorter pixels grows, so no stored line is lost.
  public func withSquarePixels(sampleAspectRatio ratio: Rational?) -> PictureSize {
    guard let ratio, ratio.numerator > 0, ratio.denominator > 0, ratio.numerator != ratio.denominator,
      Self.sensibleAspectRatios.contains(ratio.value)
    else { return self }
    if ratio.numerator > ratio.denominator {
      return PictureSize(width: Int((Double(width) * ratio.value).rounded()), height: height)
    }
    return PictureSize(width: width, height: Int((Double(height) / ratio.value).rounded()))
  }

  /// The aspect ratios of pixels from real cameras and tapes. Other values would result in absurd sizes.
  static let sensibleAspectRatios = 1.0 / 16...16

  /// Returns the largest size with the same aspect ratio that fits the limits in either orientation. The size is never
  /// enlarged, and both sides are even, as 4:2:0 requires.
  public func fitted(longSide longest: Int, shortSide shortest: Int) -> PictureSize {
    scaled(by: min(1, Double(longest) / Double(longSide), Double(shortest) / Double(shortSide)))
  }

  /// Returns the largest size with the same aspect ratio and at most this width. The size is never enlarged.
  public func fitted(width widest: Int) -> PictureSize { scaled(by: min(1, Double(widest) / Double(width))) }

  /// Returns the largest size with the same aspect ratio and at most this height. The size is never enlarged.
  public func fitted(height highest: Int) -> PictureSize { scaled(by: min(1, Double(highest) / Double(height))) }

  /// Multiplies both sides by `scale` and rounds them to even numbers, at least 2.
  public func scaled(by scale: Double) -> PictureSize {
    func roundToEven(_ side: Int) -> Int {
      max(2, Int((Double(side) * scale / 2).rounded(scale < 1 ? .toNearestOrEven : .down)) * 2)
    }
    return PictureSize(width: roundToEven(width), height: roundToEven(height))
  }
}

extension VideoTrack {
  /// The frame size as stored by the codec.
  public var storedSize: PictureSize { PictureSize(width: width, height: height) }

  /// The frame size as displayed, in square pixels and after rotation.
  public var shownSize: PictureSize {
    let square = storedSize.withSquarePixels(sampleAspectRatio: sampleAspectRatio)
    return orientation.swapsAxes ? square.transposed : square
  }

  /// Whether the pixels are square. True if the file doesn't specify an aspect ratio.
  public var hasSquarePixels: Bool {
    guard let ratio = sampleAspectRatio else { return true }
    return ratio.numerator == ratio.denominator
  }
}
