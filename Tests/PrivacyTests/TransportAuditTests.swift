import ClipModel
import ISOMedia
import LocationFormats
import TestSupport
import Testing

@testable import Privacy

@Suite struct TransportAuditTests {
  typealias Sample = TransportSample

  static func audit(_ bytes: [UInt8]) throws -> (carriers: [PrivacyCarrier], unread: [String]) {
    let found = try ContainerFixture.audit(MemoryBytes(bytes), named: "a.ts")
    return (found.carriers.map(\.carrier), found.unread)
  }

  static let klva: [UInt8] = [5, 4, 0x4B, 0x4C, 0x56, 0x41]
  static let hdmv: [UInt8] = [5, 4, 0x48, 0x44, 0x4D, 0x56]

  /// A stream of one program with one payload.
  struct Case: Sendable, CustomTestStringConvertible {
    var type: UInt8
    var descriptors: [UInt8]
    var payload: [UInt8]
    /// `nil` for no carrier.
    var expected: (PrivacyCarrier.Disclosure, String)?
    var testDescription: String { "type \(type): \(expected?.1 ?? "nothing")" }

    init(
      _ type: UInt8, _ descriptors: [UInt8], _ payload: [UInt8],
      _ expected: (PrivacyCarrier.Disclosure, String)?
    ) {
      (self.type, self.descriptors, self.payload, self.expected) = (type, descriptors, payload, expected)
    }
  }

  static let text = Array("GPS(11.5462, 48.1743, 5)".utf8)
  static let cases: [Case] = [
    Case(0x06, [], text, (.location, "position-text")),
    Case(0x06, [], [1, 2, 3], (.opaque, "ts-private-data")),
    Case(0x06, klva, [1, 2, 3], (.opaque, "ts-klv")),
    Case(0x15, klva, motionImagery(48.1743, 11.5462), (.location, "misb-klv")),
    Case(0x15, [], [1, 2, 3], (.opaque, "ts-metadata")),
    Case(0x05, [], [1, 2, 3], (.opaque, "ts-data")),
    Case(0x92, [], text, (.location, "position-text")),
    Case(0x02, [], [0, 0, 1, 0xB2] + Array(Sample.position.utf8) + [0, 0, 1, 0], (.location, "iso6709-text")),
    // AC-3, teletext, subtitles, bitmaps of Blu-ray, audio.
    Case(0x06, [0x6A, 0], [1, 2, 3], nil),
    Case(0x06, [0x56, 0], [1, 2, 3], nil),
    Case(0x06, [0x59, 0], [1, 2, 3], nil),
    Case(0x90, hdmv, [1, 2, 3], nil),
    Case(0x0F, [], text, nil),
    Case(0x81, [], text, nil),
    Case(0x1B, [], [0, 0, 0, 1, 9, 0x10, 0, 0, 1, 0x65, 0x88], nil),
  ]

  @Test(arguments: cases, [0, 4])
  func classifiesStreams(test: Case, prefix: Int) throws {
    var sample = Sample(prefix: prefix, streams: [(test.type, 0x1011, test.descriptors)])
    sample.elementary(pid: 0x1011, test.payload)
    let found = try Self.audit(sample.bytes)
    #expect(found.carriers.map(\.disclosure) == (test.expected.map { [$0.0] } ?? []))
    #expect(found.carriers.map(\.kind) == (test.expected.map { [$0.1] } ?? []))
    #expect(found.carriers.allSatisfy { $0.place == "PID 0x1011" && $0.trackIndex == 0 })
    #expect(found.unread == [])
  }

  /// A local set with the sensor's position (MISB ST 0601).
  static func motionImagery(_ latitude: Double, _ longitude: Double) -> [UInt8] {
    func item(_ tag: UInt8, _ degrees: Double, _ range: Double) -> [UInt8] {
      let value = Int32(degrees / range * Double(Int32.max))
      return [tag, 4] + (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
    let key: [UInt8] = [0x06, 0x0E, 0x2B, 0x34, 0x02, 0x0B, 0x01, 0x01, 0x0E, 0x01, 0x03, 0x01, 0x01, 0, 0, 0]
    let items = item(13, latitude, 90) + item(14, longitude, 180)
    return key + [UInt8(items.count)] + items
  }

  @Test func readsPositionsOfDrones() throws {
    var sample = Sample(streams: [(0x15, 0x110, Self.klva)])
    sample.elementary(pid: 0x110, Self.motionImagery(-33.8568, 151.2153))
    let carrier = try #require(try ContainerFixture.audit(MemoryBytes(sample.bytes), named: "a.ts").carriers.first)
    let position = try #require(GeoPosition(latitude: -33.8568, longitude: 151.2153))
    #expect(carrier.trace.first?.isNear(position) == true)
  }

  @Test func reportsUnlistedStreams() throws {
    var sample = Sample()
    sample.packet(pid: 0x300, [1, 2, 3])
    sample.packet(pid: 0x301, Array(Sample.position.utf8))
    sample.packet(pid: 0x302, [0xFF, 0xFF])
    let found = try Self.audit(sample.bytes)
    #expect(found.carriers.map(\.place) == ["PID 0x300", "PID 0x301"])
    #expect(found.carriers.map(\.kind) == ["unaccounted-pid", "iso6709-text"])
  }

  @Test func searchesStuffing() throws {
    var sample = Sample()
    sample.packet(pid: 0x1FFF, [UInt8](repeating: 0xFF, count: 184))
    #expect(try Self.audit(sample.bytes).carriers == [])
    sample.packet(pid: 0x1FFF, Array(Sample.position.utf8) + [UInt8](repeating: 0xFF, count: 166))
    #expect(try Self.audit(sample.bytes).carriers.map(\.place) == ["null packets"])
  }

  @Test func searchesAdaptationFields() throws {
    var sample = Sample(streams: [(0x0F, 0x101, [])])
    sample.packet(pid: 0x101, [], privateData: Array(Sample.position.utf8))
    #expect(try Self.audit(sample.bytes).carriers.map(\.place) == ["PID 0x101, adaptation field"])
  }

  @Test func reportsBytesBetweenPackets() throws {
    var sample = Sample(streams: [(0x0F, 0x101, [])])
    sample.packet(pid: 0x101, [1])
    sample.packet(pid: 0x101, [1])
    sample.raw(Array(Sample.position.utf8))
    sample.packet(pid: 0x101, [1])
    sample.packet(pid: 0x101, [1])
    let found = try Self.audit(sample.bytes)
    #expect(found.carriers.map(\.place) == ["between packets"])
    #expect(found.carriers.map(\.disclosure) == [.location])
    #expect(found.carriers.first?.byteRange == 752..<770)
  }

  /// A frame is reassembled from its packets before it is examined.
  @Test func findsMessagesAcrossPackets() throws {
    var sample = Sample(streams: [(0x10, 0x101, [])])
    let filler = [UInt8](repeating: 0x55, count: 165)
    sample.elementary(pid: 0x101, streamID: 0xE0, [0, 0, 1, 0xB2] + filler + Array(Sample.position.utf8))
    #expect(try Self.audit(sample.bytes).carriers.map(\.pointCount) == [1])
  }

  @Test func reportsAMissingProgramMap() throws {
    let sample = Sample(streams: [(0x1B, 0x101, [])])
    let found = try Self.audit(Array(sample.bytes.prefix(188)) + sample.bytes.prefix(188))
    #expect(found.unread == ["there is no program map, so the stream types are unknown"])
  }

  // MARK: Program streams

  static let pack: [UInt8] = [0, 0, 1, 0xBA, 0x44, 0, 4, 0, 4, 1, 0, 0, 3, 0xF8]

  static func elementary(_ id: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let header: [UInt8] = [0xBE, 0xBF].contains(id) ? [] : [0x80, 0, 0]
    return [0, 0, 1, id, 0, UInt8(header.count + payload.count)] + header + payload
  }

  @Test(
    arguments: [
      (0xE0, [0, 0, 1, 0xB2] + Array(Sample.position.utf8) + [0, 0, 1, 0], "iso6709-text"),
      (0xBD, [0x80, 1, 2, 3], nil), (0xBD, [0x01, 1, 2, 3], "ps-private-data"), (0xBF, [1, 2, 3], "ps-data"),
      (0xBF, [0, 0, 0], nil), (0xBE, Array(Sample.position.utf8), "iso6709-text"), (0xBE, [0xFF, 0xFF, 0xFF], nil),
      (0xC0, Array(Sample.position.utf8), nil),
    ] as [(UInt8, [UInt8], String?)])
  func readsProgramStreams(id: UInt8, payload: [UInt8], kind: String?) throws {
    let found = try Self.audit(Self.pack + Self.elementary(id, payload) + [0, 0, 1, 0xB9])
    #expect(found.carriers.map(\.kind) == (kind.map { [$0] } ?? []))
    #expect(found.unread == [])
  }

  @Test func reportsGarbageInAProgramStream() throws {
    let found = try Self.audit(Self.pack + [7, 7, 7] + Self.pack)
    #expect(found.carriers.map(\.byteRange) == [14..<17])
    #expect(found.carriers.map(\.disclosure) == [.opaque])
  }

  // MARK: Damage

  @Test func auditsTruncatedFiles() throws {
    let whole = try Self.audit(Sample.rich)
    #expect(whole.carriers.map(\.kind) == ["position-text", "ts-metadata", "iso6709-text"])
    for length in 0..<Sample.rich.count {
      let carriers = try Self.audit(Array(Sample.rich[..<length])).carriers
      #expect(carriers.compactMap(\.byteRange).allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= length })
    }
  }

  @Test(arguments: [0x00, 0x47, 0x7F, 0xFF] as [UInt8])
  func auditsFilesWithDamagedBytes(value: UInt8) throws {
    for offset in Sample.rich.indices {
      var bytes = Sample.rich
      bytes[offset] = value
      let carriers = try Self.audit(bytes).carriers
      #expect(carriers.compactMap(\.byteRange).allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= bytes.count })
    }
  }

  /// Files that consist only of sync bytes, start codes, or both.
  @Test(arguments: [[0x47], [0, 0, 1, 0xB9], [7, 0, 0, 1, 0xBA], [0x47, 0, 0, 1]] as [[UInt8]])
  func survivesRepeatedPatterns(pattern: [UInt8]) throws {
    let bytes = Array([[UInt8]](repeating: pattern, count: 20_000).joined())
    #expect(try Self.audit(bytes).carriers.count <= 4096)
  }
}
