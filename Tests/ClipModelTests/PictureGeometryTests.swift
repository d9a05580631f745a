import ClipModel
import Testing

@Suite struct PictureGeometryTests {
  @Test(arguments: [
    (3840, 2160, 1920, 1080), (2160, 3840, 1080, 1920), (4096, 2160, 1920, 1012), (1920, 1440, 1440, 1080),
    (7680, 4320, 1920, 1080), (1280, 720, 1280, 720), (1081, 721, 1080, 720), (1376, 1840, 1080, 1444),
    (1, 1, 2, 2), (100, 4000, 48, 1920),
  ])
  func sizesAreFittedInBothOrientationsAndEven(width: Int, height: Int, fittedWidth: Int, fittedHeight: Int) {
    let fitted = PictureSize(width: width, height: height).fitted(longSide: 1920, shortSide: 1080)
    #expect(fitted == PictureSize(width: fittedWidth, height: fittedHeight))
  }

  /// For any size, the result is within the limits, even, and not enlarged, except for the minimum of 2.
  @Test func fittedSizesAreWithinTheLimits() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let size = PictureSize(
        width: Int.random(in: 1...9000, using: &generator), height: Int.random(in: 1...9000, using: &generator))
      let fitted = size.fitted(longSide: 1920, shortSide: 1080)
      #expect(fitted.longSide <= 1920 && fitted.shortSide <= 1080, "\(size)")
      #expect(fitted.width % 2 == 0 && fitted.height % 2 == 0, "\(size)")
      #expect(fitted.width <= max(size.width, 2) && fitted.height <= max(size.height, 2), "\(size) \(fitted)")
    }
  }

  @Test func nonSquarePixelsIncreaseOneSide() {
    let hdv = PictureSize(width: 1440, height: 1080)
    #expect(hdv.withSquarePixels(sampleAspectRatio: Rational(4, 3)) == PictureSize(width: 1920, height: 1080))
    #expect(hdv.withSquarePixels(sampleAspectRatio: Rational(3, 4)) == PictureSize(width: 1440, height: 1440))
    #expect(hdv.withSquarePixels(sampleAspectRatio: nil) == hdv)
    #expect(hdv.withSquarePixels(sampleAspectRatio: Rational(0, 1)) == hdv)
  }

  @Test func shownSizeIsRotated() {
    var track = VideoTrack(index: 0, codec: "h264", width: 1920, height: 1080)
    track.orientation = Orientation(clockwiseDegrees: 90)
    #expect(track.shownSize == PictureSize(width: 1080, height: 1920))
    track.orientation = Orientation(clockwiseDegrees: 180)
    #expect(track.shownSize == PictureSize(width: 1920, height: 1080))
  }
}
