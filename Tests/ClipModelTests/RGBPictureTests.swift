import ClipModel
import TestSupport
import Testing

@Suite struct RGBPictureTests {
  /// Noise that is the same in every run.
  private static func noise(width: Int, height: Int) -> RGBPicture {
    var generator = SeededGenerator(seed: UInt64(width * 1000 + height))
    return RGBPicture(
      width: width, height: height,
      bytes: (0..<width * height * 3).map { _ in UInt8.random(in: 0...255, using: &generator) })
  }

  @Test func pixelsAreStoredRowByRow() {
    let picture = RGBPicture(width: 2, height: 2, bytes: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    #expect(picture[1, 0] == RGBColor(red: 4, green: 5, blue: 6))
    #expect(picture[0, 1] == RGBColor(red: 7, green: 8, blue: 9))
  }

  @Test func partlyCoveredPixelsCountInProportion() {
    // Three pixels become two: half of the middle one belongs to each. Means are rounded to the nearest integer.
    let picture = RGBPicture(width: 3, height: 1, bytes: [0, 90, 255, 30, 0, 255, 255, 60, 255])
    let scaled = picture.scaled(to: PictureSize(width: 2, height: 1))
    #expect(scaled.bytes == [10, 60, 255, 180, 40, 255])
  }

  @Test func rowsAreAveragedInTheSameWay() {
    let picture = RGBPicture(width: 1, height: 3, bytes: [0, 90, 255, 30, 0, 255, 255, 60, 255])
    let scaled = picture.scaled(to: PictureSize(width: 1, height: 2))
    #expect(scaled == RGBPicture(width: 1, height: 2, bytes: [10, 60, 255, 180, 40, 255]))
  }

  /// Compares with the definition: the picture is enlarged by integers, then divided into whole boxes.
  @Test(arguments: [
    (17, 9, 5, 4), (8, 8, 3, 7), (5, 4, 17, 9), (1, 1, 3, 2), (12, 7, 1, 1), (6, 6, 6, 3), (320, 3, 79, 2),
  ])
  func everyPixelIsTheMeanOfItsArea(width: Int, height: Int, targetWidth: Int, targetHeight: Int) {
    let picture = Self.noise(width: width, height: height)
    let scaled = picture.scaled(to: PictureSize(width: targetWidth, height: targetHeight))
    #expect(scaled.width == targetWidth && scaled.height == targetHeight)
    for y in 0..<targetHeight {
      for x in 0..<targetWidth {
        var sum = 0
        for row in y * height..<(y + 1) * height {
          for column in x * width..<(x + 1) * width {
            sum += Int(picture[column / targetWidth, row / targetHeight].green)
          }
        }
        let area = width * height
        #expect(Int(scaled[x, y].green) == (sum + area / 2) / area, "\(x) \(y)")
      }
    }
  }

  @Test func scalingToTheSameSizeChangesNothing() {
    let picture = Self.noise(width: 13, height: 7)
    #expect(picture.scaled(to: picture.size) == picture)
  }
}
