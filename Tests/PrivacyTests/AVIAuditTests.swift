import ClipModel
import ISOMedia
import TestSupport
import Testing

@testable import Privacy

@Suite struct AVIAuditTests {
  typealias Sample = AVISample

  static func audit(_ bytes: [UInt8]) throws -> (carriers: [PrivacyCarrier], unread: [String]) {
    let found = try ContainerFixture.audit(MemoryBytes(bytes), named: "a.avi")
    return (found.carriers.map(\.carrier), found.unread)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var disclosure: PrivacyCarrier.Disclosure
    var kind: String
    var place: String
    var bytes: [UInt8]
    var testDescription: String { "\(kind) at \(place)" }

    init(_ disclosure: PrivacyCarrier.Disclosure, _ kind: String, _ place: String, _ bytes: [UInt8]) {
      (self.disclosure, self.kind, self.place, self.bytes) = (disclosure, kind, place, bytes)
    }
  }

  static let cases: [Case] = [
    Case(
      .location, "iso6709-text", "RIFF/LIST INFO/ICMT",
      Sample.file(more: [Sample.list("INFO", [Sample.text("ICMT", "at \(Sample.position)")])])),
    Case(
      .date, "date-tag", "RIFF/LIST INFO/ICRD",
      Sample.file(more: [Sample.list("INFO", [Sample.text("ICRD", "2026-11-21")])])),
    Case(
      .identity, "identity-tag", "RIFF/LIST INFO/IART",
      Sample.file(more: [Sample.list("INFO", [Sample.text("IART", "Jo")])])),
    Case(
      .date, "date-tag", "RIFF/LIST hdrl/IDIT", Sample.file(headers: [Sample.text("IDIT", "Sat Nov 21 20:00:00 2026")])),
    Case(.location, "xmp-gps", "RIFF/_PMX", Sample.file(more: [Sample.text("_PMX", xmp)])),
    Case(.identity, "avi-xmp", "RIFF/_PMX", Sample.file(more: [Sample.text("_PMX", "<x:xmpmeta/>")])),
    Case(.location, "exif-gps", "RIFF/exif", Sample.file(more: [Sample.chunk("exif", MatroskaAuditTests.exif)])),
    Case(
      .location, "iso6709-text", "RIFF/LIST hdrl/LIST strl/strf",
      Sample.file(headers: [Sample.list("strl", [Sample.text("strh", "auds"), Sample.text("strf", Sample.position)])])),
    Case(.location, "dudubell-gps", "RIFF/gps0", Sample.file(more: [Sample.chunk("gps0", [1, 2, 3, 4])])),
    Case(.location, "70mai-gps", "RIFF/GPS ", Sample.file(more: [Sample.chunk("GPS ", [1, 2, 3, 4])])),
    Case(.location, "gps-chunk", "RIFF/xGps", Sample.file(more: [Sample.chunk("xGps", [1, 2, 3, 4])])),
    Case(.location, "gps-chunk", "RIFF/JUNK", Sample.file(more: [Sample.chunk("JUNK", Array("0GPS".utf8) + [1, 2])])),
    Case(
      .identity, "avi-camera-block", "RIFF/JUNK", Sample.file(more: [Sample.text("JUNK", "OLYMDigital Camera\u{1}")])),
    Case(
      .location, "iso6709-text", "RIFF/JUNK", Sample.file(more: [Sample.text("JUNK", "\0\0\(Sample.position)\0")])),
    Case(.opaque, "unknown-chunk", "RIFF/JUNK", Sample.file(more: [Sample.chunk("JUNK", [0, 0, 0x81, 3])])),
    Case(.opaque, "unknown-chunk", "RIFF/abcd", Sample.file(more: [Sample.chunk("abcd", [1, 2, 3])])),
    Case(
      .identity, "avi-camera-block", "RIFF/LIST ncdt",
      Sample.file(more: [Sample.list("ncdt", [Sample.text("nctg", "NIKON")])])),
    Case(
      .opaque, "unknown-chunk", "RIFF/LIST hdrl/LIST strl/strd",
      Sample.file(streams: [Sample.stream("vids", [Sample.chunk("strd", [1, 2, 3])])])),
    Case(
      .identity, "avi-camera-block", "RIFF/LIST hdrl/LIST strl/strd",
      Sample.file(streams: [Sample.stream("vids", [Sample.chunk("strd", Array("AVIF".utf8) + [0, 0, 0, 0, 0, 0])])])),
    Case(
      .location, "exif-gps", "RIFF/LIST hdrl/LIST strl/strd",
      Sample.file(streams: [
        Sample.stream(
          "vids",
          [
            Sample.chunk(
              "strd", Array("AVIF".utf8) + [0, 0, 0, 0, 1, 0, 0x25, 0x88] + [UInt8](repeating: 0, count: 10))
          ])
      ])),
    Case(
      .location, "exif-gps", "stream 1 (vids)",
      Sample.file(
        streams: [Sample.stream("vids")], packets: [Sample.chunk("00dc", MatroskaAuditTests.jpegWithGPS)])),
    Case(
      .location, "iso6709-text", "stream 1 (vids)",
      Sample.file(
        streams: [Sample.stream("vids", format: "XVID")],
        packets: [
          Sample.chunk("00dc", [0, 0, 1, 0xB2] + Array(Sample.position.utf8) + [0, 0, 1, 0xB6, 0x10])
        ])),
    Case(
      .location, "position-text", "stream 1 (txts)",
      Sample.file(streams: [Sample.stream("txts")], packets: [Sample.text("00tx", "GPS(11.5462, 48.1743, 5)")])),
    Case(
      .opaque, "avi-binary-text", "stream 1 (txts)",
      Sample.file(streams: [Sample.stream("txts")], packets: [Sample.chunk("00tx", [1, 2, 3, 4])])),
    Case(
      .opaque, "avi-unknown-stream", "stream 1 (data)",
      Sample.file(streams: [Sample.stream("data")], packets: [Sample.chunk("00dc", [1])])),
    Case(
      .opaque, "unknown-chunk", "RIFF/LIST movi/07dc",
      Sample.file(streams: [Sample.stream("vids")], packets: [Sample.chunk("07dc", [1, 2, 3])])),
    Case(
      .location, "iso6709-text", "RIFF[2]/JUNK",
      Sample.file() + Sample.list("AVIX", [Sample.text("JUNK", "  \(Sample.position)")], in: "RIFF")),
    Case(.opaque, "unaccounted-bytes", "after the last chunk", Sample.file() + [0, 1, 2]),
  ]

  static let xmp = "<x:xmpmeta exif:GPSLatitude=\"48,10.4587N\" exif:GPSLongitude=\"11,32.7743E\"/>"

  @Test(arguments: cases)
  func findsTheCarrier(test: Case) throws {
    let found = try Self.audit(test.bytes)
    #expect(found.carriers.map(\.disclosure) == [test.disclosure])
    #expect(found.carriers.map(\.kind) == [test.kind])
    #expect(found.carriers.map(\.place) == [test.place])
    #expect(found.unread == [])
  }

  static let harmless: [[UInt8]] = [
    // Acceleration.
    Sample.file(more: [Sample.chunk("gsen", [1, 2, 3, 4]), Sample.chunk("SGLT", [1, 2, 3, 4])]),
    Sample.file(more: [Sample.chunk("JUNK", [UInt8](repeating: 0, count: 501))]),
    Sample.file(more: [Sample.text("JUNK", "VirtualDub build 32842/release")]),
    // Reserved space for an unused index.
    Sample.file(more: [
      Sample.chunk(
        "JUNK", [4, 0, 0, 0, 0, 0, 0, 0] + Array("00dc".utf8) + [UInt8](repeating: 0, count: 200))
    ]),
    Sample.file(headers: [
      Sample.chunk("JUNK", Array("odmldmlh".utf8) + [0xF8, 0, 0, 0] + [UInt8](repeating: 0, count: 248))
    ]),
    Sample.file(more: [Sample.list("INFO", [Sample.text("ISFT", "CanonMVI06"), Sample.text("INAM", "Final")])]),
    Sample.file(streams: [Sample.stream("auds")], packets: [Sample.text("00wb", Sample.position)]),
    Sample.file(streams: [Sample.stream("txts")], packets: [Sample.text("00tx", "Sideout, 25:23!")]),
    Sample.file(
      streams: [Sample.stream("vids")],
      packets: [Sample.chunk("00dc", [0xFF, 0xD8, 0xFF, 0xFE, 0, 6, 0x4C, 0x61, 0x76, 0x63, 0xFF, 0xD9])]),
  ]

  @Test(arguments: harmless)
  func ignoresHarmlessContent(bytes: [UInt8]) throws {
    let found = try Self.audit(bytes)
    #expect(found.carriers == [])
    #expect(found.unread == [])
  }

  /// An interlaced frame consists of two images.
  @Test func examinesTheSecondField() throws {
    let field: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDA, 0, 2, 1, 2, 3, 0xFF, 0xD9]
    let found = try Self.audit(
      Sample.file(
        streams: [Sample.stream("vids")], packets: [Sample.chunk("00dc", field + MatroskaAuditTests.jpegWithGPS)]))
    #expect(found.carriers.map(\.kind) == ["exif-gps"])
  }

  // MARK: Damage

  @Test func auditsTruncatedFiles() throws {
    let whole = try Self.audit(Sample.rich)
    #expect(whole.carriers.count == 7, "\(whole.carriers)")
    #expect(whole.unread == [])
    for length in 0..<Sample.rich.count {
      let found = try Self.audit(Array(Sample.rich[..<length]))
      expectRangesInside(found.carriers, length)
      if length >= 12 { #expect(!found.unread.isEmpty, "cut to \(length)") }
    }
  }

  @Test(arguments: [0x00, 0x01, 0x7F, 0x80, 0xFF] as [UInt8])
  func auditsFilesWithDamagedBytes(value: UInt8) throws {
    for offset in Sample.rich.indices {
      var bytes = Sample.rich
      bytes[offset] = value
      expectRangesInside(try Self.audit(bytes).carriers, bytes.count)
    }
  }

  @Test func limitsNesting() throws {
    var inner = Sample.text("abcd", Sample.position)
    for _ in 0..<2000 { inner = Sample.list("abcd", [inner]) }
    #expect(try Self.audit(Sample.file(more: [inner])).carriers.map(\.disclosure) == [.location])
  }

  private func expectRangesInside(_ carriers: [PrivacyCarrier], _ count: Int) {
    #expect(carriers.compactMap(\.byteRange).allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= count })
  }
}
