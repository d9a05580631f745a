import ClipModel
import Testing

@testable import ClipMedia

@Suite struct DitheringTests {
  private static let blackAndWhite = ColorPalette([
    RGBColor(red: 0, green: 0, blue: 0), RGBColor(red: 255, green: 255, blue: 255),
  ])

  private static func gray(_ code: UInt8, width: Int, height: Int) -> RGBPicture {
    RGBPicture(width: width, height: height, bytes: [UInt8](repeating: code, count: width * height * 3))
  }

  private static func indexes(_ picture: RGBPicture, _ palette: ColorPalette, _ dithering: Dithering) -> [UInt8] {
    var mapper = PaletteMapper(palette)
    return mapper.indexes(of: picture, dithering: dithering)
  }

  @Test func flatAreasStayFlatWithoutDithering() {
    let picture = Self.gray(100, width: 9, height: 5)
    #expect(Self.indexes(picture, Self.blackAndWhite, .none) == [UInt8](repeating: 0, count: 45))
  }

  /// The share of white pixels equals the gray level.
  @Test(arguments: [UInt8(20), 64, 100, 128, 200])
  func diffusionKeepsTheMean(code: UInt8) {
    let whites = Self.indexes(Self.gray(code, width: 64, height: 64), Self.blackAndWhite, .errorDiffusion)
      .reduce(0) { $0 + Int($1) }
    let expected = 64 * 64 * Int(code) / 255
    #expect(abs(whites - expected) < 64, "\(whites) \(expected)")
  }

  /// A single direction would draw visible curves. The first two rows are computed manually.
  @Test func diffusionAlternatesItsDirection() {
    // From the left: 100 black, 144 white, 51 black, 122 black; then from the right: 141 white, 82, 117 black, 162
    // white.
    let indexes = Self.indexes(Self.gray(100, width: 4, height: 2), Self.blackAndWhite, .errorDiffusion)
    #expect(indexes == [0, 1, 0, 0, 1, 0, 0, 1])
  }

  /// The same gray has the same pattern 8 pixels away, and in the next picture.
  @Test func orderedPatternIsFixed() {
    let palette = ColorPalette([
      RGBColor(red: 100, green: 100, blue: 100), RGBColor(red: 120, green: 120, blue: 120),
    ])
    var mapper = PaletteMapper(palette)
    let small = mapper.indexes(of: Self.gray(110, width: 8, height: 8), dithering: .ordered)
    _ = mapper.indexes(of: Self.gray(119, width: 31, height: 5), dithering: .ordered)
    let large = mapper.indexes(of: Self.gray(110, width: 24, height: 16), dithering: .ordered)
    for y in 0..<16 {
      for x in 0..<24 { #expect(large[y * 24 + x] == small[y % 8 * 8 + x % 8]) }
    }
  }

  /// Half way between two colors each has half of the pixels; at a color all pixels have it.
  @Test func orderedPatternFitsTheSpacing() {
    let palette = ColorPalette([
      RGBColor(red: 100, green: 100, blue: 100), RGBColor(red: 120, green: 120, blue: 120),
    ])
    #expect(abs(palette.spacing - 20) < 0.001)
    func second(_ code: UInt8) -> Int {
      Self.indexes(Self.gray(code, width: 8, height: 8), palette, .ordered).reduce(0) { $0 + Int($1) }
    }
    #expect(second(100) == 0)
    #expect((10...22).contains(second(105)))
    #expect((26...38).contains(second(110)))
    #expect((42...54).contains(second(115)))
    #expect(second(120) == 64)
  }

  @Test func singleColorsHaveNoPattern() {
    let palette = ColorPalette([RGBColor(red: 9, green: 9, blue: 9)])
    #expect(palette.spacing == 0)
    for dithering in Dithering.allCases {
      #expect(Self.indexes(Self.gray(200, width: 3, height: 3), palette, dithering) == [UInt8](repeating: 0, count: 9))
    }
  }

  @Test func palettesHaveUniqueColorsUpToTheirLimit() {
    let black = RGBColor(red: 0, green: 0, blue: 0)
    #expect(ColorPalette([black, black]).colors == [black])
    #expect(ColorPalette([]).colors == [black])
    let many = (0..<600).map { RGBColor(red: UInt8($0 % 256), green: UInt8($0 / 256), blue: 0) }
    #expect(ColorPalette(many).colors == Array(many.prefix(256)))
  }
}
