import ClipModel
import ISOMedia
import LocationFormats
import TestSupport
import Testing

@testable import Privacy

@Suite struct MatroskaAuditTests {
  typealias Sample = MatroskaSample

  static func audit(_ bytes: [UInt8]) throws -> (carriers: [PrivacyCarrier], unread: [String]) {
    let found = try ContainerFixture.audit(MemoryBytes(bytes), named: "a.mkv")
    return (found.carriers.map(\.carrier), found.unread)
  }

  /// Parts of a segment with the expected carrier.
  struct Case: Sendable, CustomTestStringConvertible {
    var disclosure: PrivacyCarrier.Disclosure
    var kind: String
    var place: String
    var parts: [[UInt8]]
    var testDescription: String { "\(kind) at \(place)" }

    init(_ disclosure: PrivacyCarrier.Disclosure, _ kind: String, _ place: String, _ parts: [UInt8]...) {
      (self.disclosure, self.kind, self.place, self.parts) = (disclosure, kind, place, parts)
    }
  }

  static let jpegWithGPS: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xE1, 0, 36] + Array("Exif\0\0".utf8) + exif + [0xFF, 0xDA, 0, 2, 1, 2, 0xFF, 0xD9]
  /// A directory with only the offset of the GPS directory, which is empty.
  static let exif: [UInt8] =
    [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1, 0x88, 0x25, 0, 4, 0, 0, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0, 0, 0]

  static let cases: [Case] = [
    Case(
      .location, "iso6709-text", "Segment/Tags/Tag/SimpleTag/LOCATION",
      Sample.tags([Sample.tag("LOCATION", Sample.position)])),
    Case(
      .location, "location-tag", "Segment/Tags/Tag/SimpleTag/RECORDING_LOCATION",
      Sample.tags([Sample.tag("RECORDING_LOCATION", "DE, Bayern, the old gym")])),
    Case(
      .location, "iso6709-text", "Segment/Tags/Tag/SimpleTag/MOOD",
      Sample.tags([Sample.tag("MOOD", "at \(Sample.position)")])),
    Case(
      .location, "iso6709-text", "Segment/Tags/Tag/SimpleTag/SUBJECT/SimpleTag/HOME",
      Sample.tags([
        Sample.element(0x67C8, Sample.text(0x45A3, "SUBJECT") + Sample.tag("HOME", Sample.position))
      ])),
    Case(
      .date, "date-tag", "Segment/Tags/Tag/SimpleTag/DATE_RECORDED",
      Sample.tags([Sample.tag("DATE_RECORDED", "2024-05-05")])),
    Case(
      .identity, "identity-tag", "Segment/Tags/Tag/SimpleTag/CAMERA_SERIAL_NUMBER",
      Sample.tags([Sample.tag("CAMERA_SERIAL_NUMBER", "123")])),
    Case(
      .identity, "model-tag", "Segment/Tags/Tag/SimpleTag/com.apple.quicktime.model",
      Sample.tags([Sample.tag("com.apple.quicktime.model", "iPhone")])),
    Case(
      .date, "matroska-date", "Segment/Info/DateUTC",
      Sample.element(0x1549_A966, Sample.element(0x4461, [0, 0, 0, 0, 0, 0, 0, 1]))),
    Case(
      .location, "iso6709-text", "Segment/Info/Title",
      Sample.element(0x1549_A966, Sample.text(0x7BA9, "Beach \(Sample.position)"))),
    Case(
      .location, "iso6709-text", "Segment/Chapters/EditionEntry/ChapterAtom/ChapterDisplay/ChapString",
      Sample.element(
        0x1043_A770,
        Sample.element(
          0x45B9, Sample.element(0xB6, Sample.element(0x80, Sample.text(0x85, Sample.position)))))),
    Case(.location, "iso6709-text", "Segment/Void", Sample.text(0xEC, "\0\0\(Sample.position)\0\0")),
    Case(.opaque, "void-leftovers", "Segment/Void", Sample.element(0xEC, [0, 0, 7, 0, 0, 0])),
    Case(
      .location, "iso6709-text", "Segment/0x4FFF", Sample.text(0x4FFF, Sample.position)),
    Case(.opaque, "unknown-element", "Segment/0x4FFF", Sample.element(0x4FFF, [1, 2, 3, 4, 5, 6, 7, 8, 9])),
    Case(
      .location, "exif-gps", "Segment/Attachments/AttachedFile/FileData",
      Sample.attachment("cover.jpg", mediaType: "image/jpeg", jpegWithGPS)),
    Case(
      .opaque, "unknown-attachment", "Segment/Attachments/AttachedFile/FileData",
      Sample.attachment("x", mediaType: "application/octet-stream", [1, 2, 3, 4, 5])),
    Case(
      .location, "position-text", "track 1 (S_TEXT/UTF8)",
      Sample.tracks([Sample.track(1, type: 17, codec: "S_TEXT/UTF8")]),
      Sample.cluster([Sample.simpleBlock(track: 1, Array("GPS(11.5462, 48.1743, 5)".utf8))])),
    Case(
      .opaque, "matroska-data-track", "track 1 (D_X)", Sample.tracks([Sample.track(1, type: 33, codec: "D_X")]),
      Sample.cluster([Sample.simpleBlock(track: 1, [1, 2, 3])])),
    Case(
      .location, "exif-gps", "track 1 (V_MJPEG)", Sample.tracks([Sample.track(1, type: 1, codec: "V_MJPEG")]),
      Sample.cluster([Sample.simpleBlock(track: 1, jpegWithGPS)])),
    Case(
      .opaque, "compressed-track", "track 1 (S_TEXT/UTF8)",
      Sample.tracks([
        Sample.track(
          1, type: 17, codec: "S_TEXT/UTF8",
          Sample.element(0x6D80, Sample.element(0x6240, Sample.element(0x5034, Sample.element(0x4254, [0])))))
      ])),
    Case(
      .opaque, "encrypted-track", "track 1 (V_AV1)",
      Sample.tracks([
        Sample.track(
          1, type: 1, codec: "V_AV1", Sample.element(0x6D80, Sample.element(0x6240, Sample.element(0x5035, []))))
      ])),
    Case(
      .opaque, "unreferenced-block", "a block that belongs to no track",
      Sample.cluster([Sample.simpleBlock(track: 9, [1, 2, 3])])),
  ]

  @Test(arguments: cases)
  func findsTheCarrier(test: Case) throws {
    let bytes = Sample.file(test.parts)
    let found = try Self.audit(bytes)
    #expect(found.carriers.map(\.disclosure) == [test.disclosure])
    #expect(found.carriers.map(\.kind) == [test.kind])
    #expect(found.carriers.map(\.place) == [test.place])
    #expect(found.unread == [])
    for range in found.carriers.compactMap(\.byteRange) {
      #expect(range.lowerBound >= 0 && range.upperBound <= bytes.count && !range.isEmpty)
    }
  }

  /// Content of ordinary files, or content that cannot contain a position.
  static let harmless: [[UInt8]] = [
    Sample.tags([Sample.tag("TITLE", "Final"), Sample.tag("ENCODER", "Lavf59"), Sample.tag("DURATION", "00:00:01")]),
    Sample.element(0xEC, [UInt8](repeating: 0, count: 300)),
    Sample.attachment("a.ttf", mediaType: "application/x-truetype-font", [0, 1, 0, 0, 9, 9, 9, 9, 9]),
    Sample.attachment("read.me", mediaType: "text/plain", Array("Sideout, 25:23!\n".utf8)),
    Sample.element(0x1549_A966, Sample.element(0x73A4, [UInt8](repeating: 0x2B, count: 16))),
    Sample.tracks([Sample.track(1, type: 17, codec: "S_HDMV/PGS")])
      + Sample.cluster([Sample.simpleBlock(track: 1, Array(Sample.position.utf8))]),
    Sample.tracks([Sample.track(1, type: 17, codec: "S_TEXT/ASS")])
      + Sample.cluster([Sample.simpleBlock(track: 1, Array("0,0,Default,,0,0,0,,Ace, 24.50 km/h".utf8))]),
    Sample.tracks([Sample.track(1, type: 2, codec: "A_OPUS")])
      + Sample.cluster([Sample.simpleBlock(track: 1, [1, 2, 3], flags: 0x06)]),
  ]

  @Test(arguments: harmless)
  func ignoresHarmlessContent(part: [UInt8]) throws {
    let found = try Self.audit(Sample.file([part]))
    #expect(found.carriers == [])
    #expect(found.unread == [])
  }

  @Test func numbersRepeatedElements() throws {
    let one = Sample.element(0x7373, Sample.tag("TITLE", "x"))
    let two = Sample.element(0x7373, Sample.tag("LOCATION", Sample.position))
    let found = try Self.audit(Sample.file([Sample.element(0x1254_C367, one + two)]))
    #expect(found.carriers.map(\.place) == ["Segment/Tags/Tag[2]/SimpleTag/LOCATION"])
  }

  /// In a live recording, neither the segment nor the clusters have a size.
  @Test func readsElementsOfUnknownSize() throws {
    let blocks = Sample.simpleBlock(track: 1, Array("GPS(11.5462, 48.1743, 5)".utf8))
    let tracks = Sample.tracks([Sample.track(1, type: 17, codec: "S_TEXT/UTF8")])
    let clusters = (0..<3).flatMap { _ in Sample.openElement(0x1F43_B675, Sample.element(0xE7, [0]) + blocks) }
    let tags = Sample.tags([Sample.tag("LOCATION", Sample.position)])
    let found = try Self.audit(Sample.header + Sample.openElement(0x1853_8067, tracks + clusters + tags))
    #expect(found.carriers.map(\.kind).sorted() == ["iso6709-text", "position-text"])
    #expect(found.carriers.first { $0.kind == "position-text" }?.pointCount == 3)
    #expect(found.unread == [])
  }

  /// The first bytes of all frames are stored only once.
  @Test func restoresStrippedHeaders() throws {
    let stripping = Sample.element(
      0x6D80,
      Sample.element(
        0x6240, Sample.element(0x5034, Sample.element(0x4254, [3]) + Sample.element(0x4255, [0xFF, 0xD8]))))
    let found = try Self.audit(
      Sample.file([
        Sample.tracks([Sample.track(1, type: 1, codec: "V_MJPEG", stripping)]),
        Sample.cluster([Sample.simpleBlock(track: 1, Array(Self.jpegWithGPS.dropFirst(2)))]),
      ]))
    #expect(found.carriers.map(\.kind) == ["exif-gps"])
  }

  @Test func reportsBytesAfterTheSegment() throws {
    let found = try Self.audit(Sample.file([]) + [0, 0, 0] + Array(Sample.position.utf8))
    #expect(found.carriers.map(\.place) == ["after the last element"])
    #expect(found.carriers.map(\.disclosure) == [.location])
    #expect(try Self.audit(Sample.file([]) + [0, 0, 0, 0]).carriers == [])
    #expect(try Self.audit(Sample.file([]) + [0, 0, 0, 5]).carriers.map(\.disclosure) == [.opaque])
  }

  @Test func replacesControlCharactersInNames() throws {
    let found = try Self.audit(Sample.file([Sample.tags([Sample.tag("LOCATION\u{1B}[2J", "x")])]))
    #expect(found.carriers.map(\.place) == ["Segment/Tags/Tag/SimpleTag/LOCATION?[2J"])
  }
}
