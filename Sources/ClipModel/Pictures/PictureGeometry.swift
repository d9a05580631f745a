/// How big pictures are, stored and shown: the one policy of transcode, thumbnails and probe.
public struct PictureSize: Codable, Hashable, Sendable, CustomStringConvertible {
  /// Pixels across.
  public var width: Int
  /// Pixels down.
  public var height: Int

  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  public var description: String { "\(width)x\(height)" }
  /// The greater of both.
  public var longSide: Int { max(width, height) }
  /// The smaller of both.
  public var shortSide: Int { min(width, height) }
  /// Width and height exchanged.
  public var turned: PictureSize { PictureSize(width: height, height: width) }

  /// With square pixels: a ratio above 1 widens, below 1 heightens, so that no stored line is thrown away.
  public func squared(sampleAspectRatio ratio: Rational?) -> PictureSize {
    guard let ratio, ratio.numerator > 0, ratio.denominator > 0, ratio.numerator != ratio.denominator,
      Self.sensibleAspectRatios.contains(ratio.value)
    else { return self }
    if ratio.numerator > ratio.denominator {
      return PictureSize(width: Int((Double(width) * ratio.value).rounded()), height: height)
    }
    return PictureSize(width: width, height: Int((Double(height) / ratio.value).rounded()))
  }

  /// No camera and no tape has pixels farther from a square; a file that claims so would ask for any size.
  static let sensibleAspectRatios = 1.0 / 16...16

  /// The largest size of the same shape with at most these sides, either way up; never larger than it is, both sides
  /// even, as 4:2:0 needs them.
  public func fitted(longSide longest: Int, shortSide shortest: Int) -> PictureSize {
    scaled(by: min(1, Double(longest) / Double(longSide), Double(shortest) / Double(shortSide)))
  }

  /// The same with at most this width.
  public func fitted(width widest: Int) -> PictureSize { scaled(by: min(1, Double(widest) / Double(width))) }

  /// In the same shape, with at most so many lines; never enlarged.
  public func fitted(height highest: Int) -> PictureSize { scaled(by: min(1, Double(highest) / Double(height))) }

  /// Both sides times `scale`, even, at least 2.
  public func scaled(by scale: Double) -> PictureSize {
    func even(_ side: Int) -> Int {
      max(2, Int((Double(side) * scale / 2).rounded(scale < 1 ? .toNearestOrEven : .down)) * 2)
    }
    return PictureSize(width: even(width), height: even(height))
  }
}

extension VideoTrack {
  /// As the codec stores it.
  public var storedSize: PictureSize { PictureSize(width: width, height: height) }

  /// As people see it: square pixels, turned upright.
  public var shownSize: PictureSize {
    let square = storedSize.squared(sampleAspectRatio: sampleAspectRatio)
    return orientation.swapsAxes ? square.turned : square
  }

  /// Also when the file does not tell.
  public var hasSquarePixels: Bool {
    guard let ratio = sampleAspectRatio else { return true }
    return ratio.numerator == ratio.denominator
  }
}
