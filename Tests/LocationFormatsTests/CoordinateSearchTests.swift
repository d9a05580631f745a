import ClipModel
import Testing

@testable import LocationFormats

@Suite struct CoordinateSearchTests {
  static let munich = TestPosition(48.1374983, 11.5754912)
  static let rio = TestPosition(-22.9518321, -43.2105847)

  struct Case: Sendable, CustomTestStringConvertible {
    var form: String
    var position: TestPosition
    var bytes: [UInt8]

    init(_ form: String, _ position: TestPosition, _ bytes: [UInt8]) {
      (self.form, self.position, self.bytes) = (form, position, bytes)
    }
    init(_ form: String, _ position: TestPosition, _ text: String) { self.init(form, position, Array(text.utf8)) }

    var testDescription: String { "\(form) of \(position): \(bytes)" }
  }

  static func integers(_ position: TestPosition, scale: Double, isLittle: Bool, gap: Int = 0) -> [UInt8] {
    let values = [position.latitude, position.longitude].map { Int32(($0 * scale).rounded()) }
    let parts = values.map { isLittle ? FormBytes.little($0) : FormBytes.big($0) }
    return parts[0] + [UInt8](repeating: 0xA5, count: gap) + parts[1]
  }

  static func floats(_ values: [Double], isLittle: Bool) -> [UInt8] {
    values.flatMap { isLittle ? FormBytes.little(Float($0).bitPattern) : FormBytes.big(Float($0).bitPattern) }
  }

  static func doubles(_ values: [Double], isLittle: Bool) -> [UInt8] {
    values.flatMap { isLittle ? FormBytes.little($0.bitPattern) : FormBytes.big($0.bitPattern) }
  }

  static func minutes(_ degrees: Double) -> Double {
    let whole = abs(degrees).rounded(.down)
    return whole * 100 + (abs(degrees) - whole) * 60
  }

  static let binary: [Case] = [munich, rio].flatMap { position in
    [true, false].flatMap { isLittle in
      let both = [position.latitude, position.longitude]
      return [
        Case("gopro-int32", position, integers(position, scale: 1e7, isLittle: isLittle)),
        Case("gopro-int32", position, integers(position, scale: 1e7, isLittle: isLittle, gap: 60)),
        Case("int32-e6", position, integers(position, scale: 1e6, isLittle: isLittle, gap: 3)),
        Case("int32-e5", position, integers(position, scale: 1e5, isLittle: isLittle)),
        Case("garmin-semicircles", position, integers(position, scale: 0x8000_0000 / 180, isLittle: isLittle)),
        Case("3gpp-fixed", position, integers(position, scale: 65536, isLittle: isLittle)),
        Case("float32", position, floats(both, isLittle: isLittle)),
        Case("float32", position, floats(both.map { abs($0) }, isLittle: isLittle)),
        Case("float32", position, floats(both.reversed(), isLittle: isLittle)),
        Case("float64", position, doubles(both, isLittle: isLittle)),
        Case("float64", position, doubles(both.map { ($0 * 1e6).rounded() / 1e6 }, isLittle: isLittle)),
        Case("radians-float64", position, doubles(both.map { $0 * .pi / 180 }, isLittle: isLittle)),
        Case("novatek-float", position, floats(both.map(minutes), isLittle: isLittle)),
        Case("novatek-double", position, doubles(both.map(minutes), isLittle: isLittle)),
      ]
    }
  }

  static func rationals(_ degrees: Double, isLittle: Bool) -> [UInt8] {
    let seconds = (abs(degrees) * 3600 * 100).rounded()
    let parts = [
      (seconds / 360_000).rounded(.down), (seconds / 6000).rounded(.down).truncatingRemainder(dividingBy: 60),
    ]
    let words = [parts[0], 1, parts[1], 1, seconds.truncatingRemainder(dividingBy: 6000), 100].map { UInt32($0) }
    return words.flatMap { isLittle ? FormBytes.little($0) : FormBytes.big($0) }
  }

  static let exif: [Case] = [true, false].flatMap { isLittle in
    let decimal: [UInt32] = [229_518_321, 10_000_000, 0, 1, 0, 1, 432_105_847, 10_000_000, 0, 1, 0, 1]
    return [
      Case(
        "exif-rationals", munich, rationals(48.1374983, isLittle: isLittle) + rationals(11.5754912, isLittle: isLittle)),
      Case(
        "exif-rationals", rio,
        rationals(43.2105847, isLittle: isLittle) + [1, 2, 3, 4] + rationals(22.9518321, isLittle: isLittle)),
      Case("exif-rationals", rio, decimal.flatMap { isLittle ? FormBytes.little($0) : FormBytes.big($0) }),
    ]
  }

  static let text: [Case] = [
    Case("iso6709", munich, "+48.1375+011.5755/"), Case("iso6709", rio, "-22.952-043.211+520.000/"),
    Case("iso6709", munich, "+48,1375+011,5755/"), Case("iso6709", munich, "+4808.250+01134.529/"),
    Case("iso6709", munich, "+480814.99+0113431.77/"), Case("degrees-text", munich, "48.1374"),
    Case("degrees-text", munich, "x=11.57549"), Case("degrees-text", munich, "a 48.137 b 11.575"),
    Case("degrees-text", rio, "GPS(-43.2105,-22.9518,3)"), Case("degrees-text", munich, "48.137498300000"),
    Case("dms-text", munich, "48°08'15.0\"N"), Case("dms-text", munich, "48 deg 8' 15.00\""),
    Case("dms-text", munich, "48,8.24990N"), Case("dms-text", munich, "48°8'15\"N 11°34'32\"E"),
    Case("minutes-text", munich, "$GPRMC,1,A,4808.2499,N,01134.5295,E"),
    Case("degrees-e7-text", munich, #""latitudeE7": 481374983, "longitudeE7": 115754912"#),
  ]

  static let others = (0..<64).compactMap { index in
    TestPosition(-80 + 2.47 * Double(index), -170 + 5.13 * Double(index)).geoPosition
  }

  static func search(_ position: TestPosition) -> CoordinateSearch {
    CoordinateSearch(others + [position.geoPosition].compactMap { $0 })
  }

  @Test(arguments: binary + exif + text)
  func findsEveryEncoding(test: Case) throws {
    let padding = [UInt8](repeating: 0x7E, count: 100)
    let match = try #require(Self.search(test.position).firstMatch(in: padding + test.bytes + padding))
    #expect(match.form == test.form)
    #expect((100..<100 + test.bytes.count).contains(match.offset))
    #expect(CoordinateSearch(Self.others).firstMatch(in: padding + test.bytes + padding) == nil)
  }

  @Test(arguments: binary)
  func reportsTheStartOfAPair(test: Case) throws {
    let match = try #require(Self.search(test.position).firstMatch(in: [9, 9, 9] + test.bytes))
    #expect(match.offset == 3)
  }

  @Test(arguments: text, [true, false])
  func findsTextInUTF16(test: Case, isLittle: Bool) throws {
    let text = "text: " + String(decoding: test.bytes, as: UTF8.self)
    let bytes = [7, 0, 0] + FormBytes.wide(text, isLittle: isLittle)
    let match = try #require(Self.search(test.position).firstMatch(in: bytes))
    #expect(match.form == test.form)
    #expect((15..<bytes.count).contains(match.offset))
  }

  /// Matches in truncated bytes are inside the bytes.
  @Test(arguments: binary + exif + text)
  func truncatedBytesYieldValidResults(test: Case) {
    let search = Self.search(test.position)
    for count in 0..<test.bytes.count {
      let match = search.firstMatch(in: Array(test.bytes[..<count]))
      #expect(match.map { (0..<count).contains($0.offset) } ?? true)
      _ = search.firstMatch(in: Array(test.bytes[count...]))
    }
  }

  @Test(arguments: binary)
  func ignoresSingleBinaryNumbers(test: Case) {
    let search = Self.search(test.position)
    #expect(search.firstMatch(in: Array(test.bytes.prefix(test.bytes.count / 2))) == nil)
    #expect(search.firstMatch(in: Array(test.bytes.suffix(test.bytes.count / 2))) == nil)
    // Numbers that are 65 bytes apart are not a pair.
    let far = test.bytes.prefix(test.bytes.count / 2) + [UInt8](repeating: 0x7E, count: 65)
    #expect(search.firstMatch(in: far + test.bytes.suffix(test.bytes.count / 2)) == nil || test.bytes.count > 16)
  }

  @Test(arguments: [
    "48.13", "48.1", "4808", "48.137 and more than sixty-four bytes of something else in between them all 11.575",
    "48.1475", "148.1375", "20261121 481374983", "48 8 15",
  ])
  func ignoresOtherNumbers(text: String) {
    #expect(Self.search(Self.munich).firstMatch(in: Array(text.utf8)) == nil)
  }

  @Test func emptySearchFindsNothing() {
    #expect(CoordinateSearch([]).firstMatch(in: Array("+48.1375+011.5755/".utf8) + [0, 0, 0, 1, 0, 0, 0, 1]) == nil)
  }

  /// Positions near 0, 0 are noise, and zeros must not match them.
  @Test func ignoresZeros() throws {
    let positions = [TestPosition(0.0001, 0.0002), TestPosition(51.4779, 0.0001), TestPosition(0.0001, 11.5)]
      .compactMap(\.geoPosition)
    #expect(positions.count == 3)
    #expect(CoordinateSearch(positions).firstMatch(in: [UInt8](repeating: 0, count: 100_000)) == nil)
  }

  /// The probability of a false alarm is 16 MB × 2e-11.
  @Test func randomBytesContainNoPosition() {
    let seed = FormBytes.seed()
    let numbers = FormBytes.random(64 * 16, seed: seed ^ 1)
    let positions = (0..<64).compactMap { index in
      let parts = numbers[16 * index..<16 * index + 16].map(Double.init)
      return GeoPosition(
        latitude: (parts[0] + parts[1] / 256 + parts[2] / 65536) / 256 * 140 - 70,
        longitude: (parts[3] + parts[4] / 256 + parts[5] / 65536) / 256 * 340 - 170)
    }
    #expect(positions.count == 64)
    #expect(CoordinateSearch(positions).firstMatch(in: FormBytes.random(16 << 20, seed: seed)) == nil)
  }

  /// Many positions share one latitude, and the bytes repeat this latitude. The number of comparisons is limited, so the
  /// search ends early.
  @Test func repeatedLatitudesAreAMatch() throws {
    let positions = (0..<256).compactMap { TestPosition(48.1374983, Double($0) / 2 + 1).geoPosition }
    let latitude = FormBytes.big(Int32(481_374_983))
    let bytes = Array((0..<1 << 16).map { _ in latitude }.joined())
    let match = try #require(CoordinateSearch(positions).firstMatch(in: bytes))
    #expect(match.form == "too-many-halves" && match.offset < bytes.count / 16)
  }
}
