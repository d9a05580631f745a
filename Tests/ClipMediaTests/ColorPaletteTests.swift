import ClipModel
import TestSupport
import Testing

@testable import ClipMedia

@Suite struct ColorPaletteTests {
  /// A smooth picture with some noise, and more colors than a palette.
  private static func picture(width: Int = 96, height: Int = 64, seed: UInt64 = 1) -> RGBPicture {
    var generator = SeededGenerator(seed: seed)
    var bytes: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let noise = Int.random(in: -6...6, using: &generator)
        for value in [x * 200 / width + 20, y * 180 / height + 30, (x + y) * 150 / (width + height) + 40] {
          bytes.append(UInt8(min(max(value + noise, 0), 255)))
        }
      }
    }
    return RGBPicture(width: width, height: height, bytes: bytes)
  }

  /// Mean squared error per component.
  private static func error(_ indexes: [UInt8], _ palette: ColorPalette, _ picture: RGBPicture) -> Double {
    var sum = 0
    for (pixel, index) in indexes.enumerated() {
      let color = palette.colors[Int(index)]
      let expected = picture[pixel % picture.width, pixel / picture.width]
      for (one, other) in [(color.red, expected.red), (color.green, expected.green), (color.blue, expected.blue)] {
        sum += (Int(one) - Int(other)) * (Int(one) - Int(other))
      }
    }
    return Double(sum) / Double(indexes.count * 3)
  }

  @Test func samePicturesHaveTheSamePalette() {
    let pictures = [Self.picture(seed: 1), Self.picture(seed: 2)]
    let palette = ColorPalette(for: pictures)
    #expect(palette == ColorPalette(for: pictures))
    #expect(Set(palette.colors).count == palette.colors.count)
  }

  @Test(arguments: [1, 2, 16, 255, 256])
  func palettesHaveAtMostTheRequestedColors(count: Int) {
    let colors = ColorPalette(for: [Self.picture()], count: count).colors
    #expect(colors.count <= count && colors.count >= (count + 1) / 2)
  }

  @Test(arguments: [-1, 0, 1])
  func palettesHaveAtLeastOneColor(count: Int) {
    let picture = RGBPicture(width: 2, height: 1, bytes: [10, 20, 30, 30, 40, 50])
    #expect(ColorPalette(for: [picture], count: count).colors == [RGBColor(red: 20, green: 30, blue: 40)])
    #expect(ColorPalette(for: [RGBPicture](), count: count).colors == [RGBColor(red: 0, green: 0, blue: 0)])
  }

  @Test func fewColorsAreKeptExactly() {
    let bytes: [UInt8] = [0, 0, 0, 255, 255, 255, 250, 10, 10, 13, 77, 201]
    let picture = RGBPicture(width: 4, height: 1, bytes: bytes)
    let palette = ColorPalette(for: [picture])
    #expect(palette.colors.count == 4)
    for dithering in Dithering.allCases {
      var mapper = PaletteMapper(palette)
      if dithering != .ordered {
        #expect(Self.error(mapper.indexes(of: picture, dithering: dithering), palette, picture) == 0)
      }
    }
  }

  /// A rare, distant color gets its own entry, although only one picture has it.
  @Test func palettesCoverAllPictures() {
    let gray = RGBPicture(width: 16, height: 16, bytes: (0..<256).flatMap { [UInt8($0), UInt8($0), UInt8($0)] })
    let red = RGBPicture(width: 4, height: 4, bytes: (0..<16).flatMap { _ in [UInt8(255), 0, 0] })
    let colors = ColorPalette(for: [gray, red, gray], count: 8).colors
    #expect(colors.contains(RGBColor(red: 255, green: 0, blue: 0)))
  }

  /// Boxes without refinement have an error of 9.38, and evenly distributed colors much more.
  @Test func errorIsSmall() {
    let picture = Self.picture()
    let palette = ColorPalette(for: [picture])
    var mapper = PaletteMapper(palette)
    #expect(Self.error(mapper.indexes(of: picture, dithering: .none), palette, picture) < 9.2)
  }

  /// Compares with an exhaustive search, also with many colors in one cell.
  @Test(arguments: [(2, 0...255), (17, 0...255), (256, 0...255), (256, 100...131), (40, 250...255)])
  func nearestColorsAreExact(count: Int, codes: ClosedRange<UInt8>) {
    var generator = SeededGenerator(seed: UInt64(count))
    func random() -> UInt8 { UInt8.random(in: codes, using: &generator) }
    let colors = (0..<count).map { _ in RGBColor(red: random(), green: random(), blue: random()) }
    var nearest = NearestColors(colors)
    func distance(_ color: RGBColor, _ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Int {
      let differences = [Int(color.red) - Int(red), Int(color.green) - Int(green), Int(color.blue) - Int(blue)]
      return differences.reduce(0) { $0 + $1 * $1 }
    }
    for _ in 0..<5000 {
      let (red, green, blue) = (random(), random(), random())
      let all = colors.map { distance($0, red, green, blue) }
      let least = all.min() ?? 0
      #expect(Int(nearest.nearestIndex(red: red, green: green, blue: blue)) == all.firstIndex(of: least))
      // The second result is from the cache.
      #expect(Int(nearest.nearestIndex(red: red, green: green, blue: blue)) == all.firstIndex(of: least))
    }
  }

  @Test(arguments: [
    [RGBColor(red: 0, green: 0, blue: 0)],
    [RGBColor(red: 0, green: 0, blue: 0), RGBColor(red: 255, green: 255, blue: 255)],
  ])
  func extremesAreFound(colors: [RGBColor]) {
    var nearest = NearestColors(colors)
    for code: UInt8 in [0, 255, 0, 255] {
      #expect(Int(nearest.nearestIndex(red: code, green: code, blue: code)) == (code == 0 ? 0 : colors.count - 1))
    }
  }
}
