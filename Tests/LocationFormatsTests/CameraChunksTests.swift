import ClipModel
import ISOMedia
import LocationFormats
import Testing

@Suite struct CameraChunksTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var type: FourCC = "JUNK"
    var bytes: [UInt8]
    var kind: String
    /// Whether the position is readable: 48.1375 north, 11.5755 west, so that a lost sign is noticed.
    var isRead = true
  }

  static let bikeBro: [UInt8] =
    [0, 0, 0, 1, 1] + FormBytes.big(UInt16(11)) + FormBytes.big(UInt32(57_550_000)) + FormBytes.big(UInt16(48))
    + FormBytes.big(UInt32(13_750_000)) + [UInt8](repeating: 0, count: 11) + Array("WN".utf8)

  static func autoVox(_ record: [UInt8]) -> [UInt8] {
    Array("AITG".utf8) + FormBytes.little(4808.25.bitPattern) + FormBytes.little(1134.53.bitPattern)
      + [UInt8](repeating: 0, count: 13) + [1, 2] + [UInt8](repeating: 0, count: 5) + record
  }

  /// A little-endian directory that refers to another one with the hemispheres and degrees.
  static let exif: [UInt8] = {
    func entry(_ tag: UInt16, _ type: UInt16, _ count: UInt32, _ value: [UInt8]) -> [UInt8] {
      FormBytes.little(tag) + FormBytes.little(type) + FormBytes.little(count) + value
    }
    func degrees(_ whole: UInt32, _ rest: UInt32) -> [UInt8] {
      [whole, 1, rest, 10_000, 0, 1].flatMap { FormBytes.little($0) }
    }
    let pointer = FormBytes.little(UInt16(1)) + entry(0x8825, 4, 1, FormBytes.little(UInt32(18))) + [0, 0, 0, 0]
    let gps =
      FormBytes.little(UInt16(4)) + entry(1, 2, 2, Array("N\0\0\0".utf8))
      + entry(2, 5, 3, FormBytes.little(UInt32(72))) + entry(3, 2, 2, Array("W\0\0\0".utf8))
      + entry(4, 5, 3, FormBytes.little(UInt32(96))) + [0, 0, 0, 0]
    return Array("AVIF\0\0\0\0".utf8) + pointer + gps + degrees(48, 82_500) + degrees(11, 345_300)
  }()

  static let chunks: [Case] = [
    Case(testDescription: "BikeBro", type: "SLLT", bytes: bikeBro, kind: "bikebro-gps"),
    Case(
      testDescription: "DuDuBell", type: "gps0",
      bytes: FormBytes.little(4808.25.bitPattern) + FormBytes.little((-1134.53).bitPattern)
        + [UInt8](repeating: 0, count: 16), kind: "dudubell-gps"),
    Case(testDescription: "Auto-Vox", type: "gps0", bytes: autoVox([]), kind: "autovox-gps"),
    Case(testDescription: "Exif without its header", type: "strd", bytes: exif, kind: "exif-gps"),
    Case(testDescription: "Lucas", bytes: Array("0GDA".utf8), kind: "gps-chunk", isRead: false),
    Case(testDescription: "another receiver", type: "nGPS", bytes: [1], kind: "gps-chunk", isRead: false),
  ]

  @Test(arguments: chunks)
  func readsChunks(test: Case) throws {
    let source = MemoryBytes(test.bytes)
    let found = try #require(try CameraChunks.examine(test.type, 0..<source.byteCount, in: source))
    #expect(found.kind == test.kind)
    #expect(found.disclosure == .location)
    #expect(found.trace.count == (test.isRead ? 1 : 0))
    if test.isRead { #expect(Self.hasExpectedPosition(found)) }
  }

  static let records: [Case] = [
    Case(
      testDescription: "Viofo",
      bytes: [UInt8](repeating: 0, count: 24) + Array("ANW\0".utf8) + floats(4808.25, 1134.53),
      kind: "novatek-record"),
    Case(
      testDescription: "Blueskysea",
      bytes: [UInt8](repeating: 7, count: 188) + Array("ANW\0".utf8) + floats(4808.25, 1134.53),
      kind: "novatek-record"),
    Case(
      testDescription: "INNOVV",
      bytes: Array("ANW\0".utf8) + floats(4808.25, 1134.53) + [UInt8](repeating: 0, count: 20),
      kind: "innovv-record"),
    Case(
      testDescription: "encrypted numbers",
      bytes: [UInt8](repeating: 9, count: 44) + Array("A\0\0\0....N\0\0\0....W\0\0\0".utf8)
        + [UInt8](repeating: 9, count: 20), kind: "sealed-record", isRead: false),
    Case(
      testDescription: "Vantrue", bytes: Array("FMAS\0\0\0\0".utf8), kind: "vantrue-fmas", isRead: false),
  ]

  static func floats(_ values: Float...) -> [UInt8] { values.flatMap { FormBytes.little($0.bitPattern) } }

  @Test(arguments: records)
  func readsUnreferencedRecords(test: Case) throws {
    let source = MemoryBytes(test.bytes)
    let found = try #require(try CameraBlocks.examineUnreferencedBytes(0..<source.byteCount, in: source))
    #expect(found.kind == test.kind)
    #expect(found.disclosure == .location)
    if test.isRead { #expect(Self.hasExpectedPosition(found)) } else { #expect(found.trace.isEmpty) }
  }

  static let sentences = [
    "$GPSINFO,0x0004,2022.06.15 10:15:00,4808.25,-1134.53,8.0,51,153,0,0,\r",
    "$GA,052351,A,4808.25,1134.53,049,N,W,*4C\r\n",
  ]

  @Test(arguments: sentences)
  func readsProprietarySentences(text: String) throws {
    let found = try #require(TextPositions.examine(Array(text.utf8)))
    #expect(found.trace.count == 1)
    #expect(Self.hasExpectedPosition(found))
  }

  @Test(arguments: ["$GA,052351,V,,,,,,*4C", "$GA,1,A,4808.25", "GA,052351,A,4808.25,1134.53,049,N,W"])
  func ignoresIncompleteSentences(text: String) {
    #expect(TextPositions.examine(Array(text.utf8)) == nil)
  }

  @Test func sentenceWithoutFixIsLocationData() {
    let found = TextPositions.examine(Array("$GPSINFO,0x0001,2022.06.15 10:15:00,,,".utf8))
    #expect(found?.disclosure == .location && found?.trace.isEmpty == true)
  }

  @Test(arguments: chunks + records)
  func readsTruncatedChunks(test: Case) throws {
    for length in test.bytes.indices {
      let source = MemoryBytes(Array(test.bytes[..<length]))
      let chunk = try CameraChunks.examine(test.type, 0..<source.byteCount, in: source)
      let loose = try CameraBlocks.examineUnreferencedBytes(0..<source.byteCount, in: source)
      #expect([chunk, loose].allSatisfy { $0.map { $0.trace.isEmpty || Self.hasExpectedPosition($0) } ?? true })
    }
  }

  private static func hasExpectedPosition(_ finding: PayloadFinding) -> Bool {
    finding.trace.first.map { abs($0.latitude - 48.1375) < 1e-4 && abs($0.longitude + 11.5755) < 1e-4 } ?? false
  }
}
