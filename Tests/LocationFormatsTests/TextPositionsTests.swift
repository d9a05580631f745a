import ClipModel
import Foundation
import TestSupport
import Testing

@testable import LocationFormats

@Suite struct TextPositionsTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var text: String
    var kind: String
    var positions: [TestPosition]

    init(_ text: String, _ kind: String = "position-text", _ positions: TestPosition...) {
      (self.text, self.kind, self.positions) = (text, kind, positions)
    }

    var testDescription: String { text }
  }

  static let munich = TestPosition(48.1375, 11.5755)

  static let cases: [Case] = [
    // ISO 6709
    Case("+37.7600-122.5100/", "iso6709-text", TestPosition(37.76, -122.51)),
    Case("-33.8568+151.2153+012.000CRSWGS_84/", "iso6709-text", TestPosition(-33.8568, 151.2153)),
    Case("+4808.25+01134.53/", "iso6709-text", munich),
    Case("+480815.0+0113431.8/", "iso6709-text", munich),
    Case("+480815+0113432/", "iso6709-text", TestPosition(48.1375, 11.575556)),
    Case("+48,1375+011,5755+520,3/", "iso6709-text", munich),
    Case("+048.1375+011.5755/", "iso6709-text", munich),
    Case("+8.1375-9.5755/", "iso6709-text", TestPosition(8.1375, -9.5755)),
    Case("+48+011/", "iso6709-text", TestPosition(48, 11)),
    Case("+00.0000+000.0000/", "iso6709-text"),
    Case("a +48.1375+011.5755/ b -33.8568+151.2153/", "iso6709-text", munich, TestPosition(-33.8568, 151.2153)),
    // XMP
    Case(#"<a exif:GPSLatitude="48,8.25N" exif:GPSLongitude="11,34.53E"/>"#, "xmp-gps", munich),
    Case(
      #"<a exif:GPSLatitude='33,51,24.48S' exif:GPSLongitude='151,12,55.08E'/>"#, "xmp-gps",
      TestPosition(-33.8568, 151.2153)),
    Case(
      "<exif:GPSLatitude>48,8.25N</exif:GPSLatitude>\n <exif:GPSLongitude>11,34.53W</x>", "xmp-gps",
      TestPosition(48.1375, -11.5755)),
    Case(
      #"drone-dji:GpsLatitude="+48.1375" drone-dji:GpsLongitude="-11.5755""#, "xmp-gps", TestPosition(48.1375, -11.5755)
    ),
    Case(#"drone-dji:GpsLatitude="48.1375" drone-dji:GpsLongtitude="11.5755""#, "xmp-gps", munich),
    Case(#"drone-dji:Latitude="48.1375" drone-dji:Longitude="11.5755""#, "xmp-gps", munich),
    Case("<exif:GPSLatitude>", "xmp-gps"),
    Case(#"<a photoshop:City="Ulm"/>"#, "xmp-place"),
    Case("<photoshop:Country>Germany</photoshop:Country>", "xmp-place"),
    Case(#"Iptc4xmpCore:Location="Hall 3""#, "xmp-place"),
    // Receivers
    Case(
      "$GPRMC,082138,A,5330.6683,N,00641.9749,W,012.5,87.86,050213,002.1,A", "nmea-text",
      TestPosition(53.511138, -6.699582)),
    Case(
      "$GNGGA,201555.00,3356.8925,S,08420.2071,E,1,8,1.0,9.8,M,,M,,*5C", "nmea-text",
      TestPosition(-33.948208, 84.336785)),
    Case("$GPGLL,4808.2500,N,01134.5300,E,082138,A", "nmea-text", munich),
    Case(
      "A,270519,201555.000,3356.8925,N,08420.2071,W,000.0,331.0M,+01.84,-09.80,-00.61;\n", "nmea-text",
      TestPosition(33.948208, -84.336785)),
    Case(
      "gsensori,4,512,-67,-12,100;GNRMC,161313.00,A,4529.87489,N,07337.01215,W,6.225,35.34,310819,,,A*52..;",
      "nmea-text", TestPosition(45.497915, -73.616869)),
    Case("$GPRMC,082138,V,,,,,,,050213,,,N*53", "nmea-text"),
    // Subtitles of drones
    Case(
      "F/3.5, SS 1000, ISO 100, EV 0, GPS (8.6499, 53.1665, 18), D 24.26m", "position-text",
      TestPosition(53.1665, 8.6499)),
    Case("GPS(149.0251,-20.2532,16)", "position-text", TestPosition(-20.2532, 149.0251)),
    Case(
      "HOME(149.0251,-20.2532) GPS(149.0252,-20.2533,16)", "position-text", TestPosition(-20.2532, 149.0251),
      TestPosition(-20.2533, 149.0252)),
    Case("HOME(W: 80.5211, N: 26.1302) ", "position-text", TestPosition(26.1302, -80.5211)),
    Case("[latitude: 22.5412] [longitude : 113.9021]", "position-text", TestPosition(22.5412, 113.9021)),
    Case("[latitude: 22.5412] [longtitude: 113.9021]", "position-text", TestPosition(22.5412, 113.9021)),
    Case("Lat: 48.1375 Lon: 11.5755", "position-text", munich),
    Case("lat=48.1375 lng=11.5755", "position-text", munich),
    Case("GPS: 48.1375, 11.5755", "position-text", munich),
    Case("$G:2019-01-02 10:11:12-N48.1375-E011.5755-S012", "position-text", munich),
    // Lists, links, letters
    Case(#"{"latitude": 1.2,"longitude": 3.4}"#, "position-text", TestPosition(1.2, 3.4)),
    Case(#"{"longitude":11.5755,"latitude":48.1375}"#, "position-text", munich),
    Case(#"{"latitudeE7": 481375000, "longitudeE7": -115755000}"#, "position-text", TestPosition(48.1375, -11.5755)),
    Case(#""coordinates":[11.5755,48.1375]"#, "position-text", munich),
    Case(
      "<key>latitude</key>\n\t<real>48.1375</real>\n<key>longitude</key><real>11.5755</real>", "position-text", munich),
    Case("https://maps.google.com/maps?q=48.1375,11.5755", "position-text", munich),
    Case("http://maps.google.com/?q=loc:48.1375%2C-11.5755&z=4", "position-text", TestPosition(48.1375, -11.5755)),
    Case("https://www.google.com/maps/@48.1375,11.5755,17z", "position-text", munich),
    Case("geo:48.1375,11.5755;u=35", "position-text", munich),
    Case("48°8'15.0\"N 11°34'31.8\"E", "position-text", munich),
    Case("48 deg 8' 15.00\" N, 11 deg 34' 31.80\" W", "position-text", TestPosition(48.1375, -11.5755)),
    Case("48.1375° N, 11.5755° E", "position-text", munich),
    Case("N48.1375 E11.5755", "position-text", munich),
    Case("latitude 48.1375", "position-text"),
  ]

  static func expect(_ finding: PayloadFinding?, _ test: Case, sourceLocation: SourceLocation = #_sourceLocation) throws
  {
    let finding = try #require(finding, sourceLocation: sourceLocation)
    #expect(finding.kind == test.kind, sourceLocation: sourceLocation)
    #expect(finding.disclosure == .location, sourceLocation: sourceLocation)
    #expect(finding.trace.kept.compactMap { TestPosition($0) } == test.positions, sourceLocation: sourceLocation)
  }

  @Test(arguments: cases)
  func readsThePosition(test: Case) throws {
    try Self.expect(TextPositions.examine(Array(test.text.utf8)), test)
  }

  @Test(arguments: cases)
  func readsThePositionBetweenOtherBytes(test: Case) throws {
    let bytes = [0, 1, 2, 0xFF, 0x0A] + Array(test.text.utf8) + [0x0A, 0xFF, 0xFE, 0, 0, 7]
    try Self.expect(TextPositions.examine(bytes), test)
  }

  @Test(arguments: cases, [true, false])
  func readsThePositionInUTF16(test: Case, isLittle: Bool) throws {
    let bytes = [9, 9, 0, 0] + FormBytes.wide(test.text, isLittle: isLittle) + [0, 0, 8, 8]
    try Self.expect(TextPositions.examine(bytes), test)
  }

  /// Also finds reads out of bounds when it runs with the address sanitizer.
  @Test(arguments: cases)
  func truncatedBytesYieldValidResults(test: Case) {
    let bytes = Array(test.text.utf8)
    for count in 0..<bytes.count {
      for finding in [TextPositions.examine(Array(bytes[..<count])), TextPositions.examine(Array(bytes[count...]))] {
        for position in finding?.trace.kept ?? [] {
          #expect(abs(position.latitude) <= 90 && abs(position.longitude) <= 180)
        }
      }
    }
  }

  @Test(arguments: [
    "The GPS is broken, turn left at +12", "Score 25-23, 12.50 apart", "x264 - core 148 lookahead=40 rc=crf crf=23.0",
    "1.0000 0.0000 0.0000 1.0000", "00:00:01,000 --> 00:00:02,000", "position: 0.500, 0.500", "x+8.1-1.5",
    "F.PRY (1.0°, 2.0°, 3.0°)", "latency: 12.345", "a flat 48.1 long 12", "<photoshop:City/>", #"photoshop:City="""#,
    "<photoshop:City></photoshop:City>", "+95.0000+011.0000/", "+48.1375+211.0000/", "matrix(1.00000,0.00000)",
    "https://example.org/maps?id=12,13", "aGVsbG8+48+abc/", "2019-05-27 12:30:15 +02:00", "$GPRMX,1,2", "5ºW|S9",
    "5° W, 9° S",
  ])
  func ignoresOrdinaryText(text: String) {
    #expect(TextPositions.examine(Array(text.utf8)) == nil)
  }

  // MARK: Exif

  static let exifMunich: [(UInt32, UInt32)] = [(48, 1), (8, 1), (1500, 100)]

  @Test(arguments: [true, false])
  func readsExif(isLittle: Bool) throws {
    let first = FormBytes.exif(
      isLittle: isLittle, latitude: Self.exifMunich, north: "N", longitude: [(11, 1), (3453, 100), (0, 0)], east: "W")
    let second = FormBytes.exif(
      isLittle: !isLittle, latitude: [(338_568, 10_000)], north: "S", longitude: [(151, 1), (12, 1), (5508, 100)],
      east: "E")
    let bytes = Array("....Exif\0\0".utf8) + first + [1, 2, 3] + second
    let finding = try #require(TextPositions.examine(bytes))
    #expect(finding.kind == "exif-gps")
    #expect(
      finding.trace.kept.compactMap { TestPosition($0) } == [
        TestPosition(48.1375, -11.5755), TestPosition(-33.8568, 151.2153),
      ])
  }

  @Test func exifWithoutFixIsLocationData() throws {
    let bytes = FormBytes.exif(isLittle: true, latitude: [(0, 0)], north: "N", longitude: [(0, 0)], east: "E")
    let finding = try #require(TextPositions.examine(bytes))
    #expect(finding.kind == "exif-gps" && finding.trace.isEmpty)
  }

  @Test func damagedExifYieldsValidPositions() {
    let bytes = FormBytes.exif(
      isLittle: false, latitude: Self.exifMunich, north: "N", longitude: Self.exifMunich, east: "E")
    for index in bytes.indices {
      _ = TextPositions.examine(Array(bytes[..<index]))
      for value in [UInt8(0), 0x7F, 0x80, 0xFF] {
        var damaged = bytes
        damaged[index] = value
        for position in TextPositions.examine(damaged)?.trace.kept ?? [] {
          #expect(abs(position.latitude) <= 90 && abs(position.longitude) <= 180)
        }
      }
    }
  }

  /// Many Exif headers refer to one directory full of entries.
  @Test func repeatedExifHeadersExhaustTheBudget() throws {
    var bytes: [UInt8] = []
    let count = 1 << 16
    for index in 0..<count { bytes += [0x49, 0x49, 0x2A, 0] + FormBytes.little(UInt32(8 * (count - index))) }
    bytes += FormBytes.little(UInt16(512))
    for _ in 0..<512 {
      bytes += FormBytes.little(UInt16(2)) + FormBytes.little(UInt16(5)) + FormBytes.little(3 as UInt32) + [0, 0, 0, 0]
    }
    let scan = PositionScan(bytes)
    #expect(scan.directoryBudget == 0)
    #expect(scan.finding?.disclosure == .location)
  }

  // MARK: GoPro

  @Test(arguments: [("GPS5", "l", 20), ("GPS9", "?", 32)])
  func readsRawGoProStreams(key: String, type: String, size: Int) throws {
    var bytes = Array("xxx\(key)\(type)".utf8) + [UInt8(size), 0, 2]
    for position in [Self.munich, TestPosition(-33.8568, 151.2153)] {
      bytes += FormBytes.big(Int32((position.latitude * 1e7).rounded()))
      bytes += FormBytes.big(Int32((position.longitude * 1e7).rounded()))
      bytes += [UInt8](repeating: 0, count: size - 8)
    }
    let finding = try #require(TextPositions.examine(bytes))
    #expect(finding.kind == "gopro-gpmf")
    #expect(finding.trace.kept.compactMap { TestPosition($0) } == [Self.munich, TestPosition(-33.8568, 151.2153)])
    for count in 0..<bytes.count { _ = TextPositions.examine(Array(bytes[..<count])) }
  }

  // MARK: No false alarms

  @Test func randomBytesContainNoPosition() {
    #expect(TextPositions.examine(FormBytes.random(8 << 20, seed: FormBytes.seed())) == nil)
  }

  @Test(arguments: SharedClips.clean)
  func cleanFilesContainNoPosition(name: String) throws {
    guard let path = SharedMedia.path(name) else { return }
    #expect(TextPositions.examine([UInt8](try SharedClips.mediaData(path))) == nil)
  }

  /// Finds the position that exiftool reads.
  @Test(arguments: [
    "iphone5-1080p-gps-keys-udta.mov", "iphone7-1080p-rot90-gps-mebx.mov", "iphone6s-livephoto-pcm-gps-mebx.mov",
    "iphone14pro-dovi-hlg-1080p-rot90-gps.mov", "phone-1080p-rot90-gps-xyz.mp4",
    "android-hevc-1080p-rot90-gps-xyz-mett.mp4", "pixel-night-vp9-1920x1440-gps-ilst.mp4",
    "phone-1080p-rot90-gps-xyz-one-frame.mov",
  ])
  func matchesExiftoolOnRealFiles(name: String) throws {
    guard let path = SharedMedia.path(name) else { return }
    let finding = try #require(TextPositions.examine([UInt8](try Data(contentsOf: URL(filePath: path)))))
    #expect(finding.kind == "iso6709-text")
    #expect(TestPosition(finding.trace.first) == (try SharedClips.exiftoolPosition(path)))
  }
}
