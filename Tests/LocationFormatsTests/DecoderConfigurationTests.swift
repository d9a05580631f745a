import ClipModel
import ISOMedia
import LocationFormats
import Testing

@Suite struct DecoderConfigurationTests {
  static let parameters: [[UInt8]] = [[32 << 1, 1, 0x0C], [33 << 1, 1, 0x42, 0x01], [34 << 1, 1, 0xC1]]
  static let position = NALBytes.message(5, NALBytes.unknownUUID + Array("+48.1375+011.5755/".utf8))
  static let mastering = NALBytes.message(137, [UInt8](repeating: 7, count: 24))
  static let settings = NALBytes.message(5, NALBytes.unknownUUID + Array("x265 (build 199) - crf=28".utf8))

  /// - Parameter arrays: lists of units. The type of an array is that of its first unit.
  static func hvcC(_ arrays: [[[UInt8]]], rest: [UInt8] = []) -> [UInt8] {
    let head = [1, 0x21] + [UInt8](repeating: 0xA5, count: 20)
    let lists = arrays.flatMap { units in
      let type = 0x80 | (units.first?.first ?? 0) >> 1
      return [type] + FormBytes.big(UInt16(units.count)) + units.flatMap { FormBytes.big(UInt16($0.count)) + $0 }
    }
    return head + [UInt8(arrays.count)] + lists + rest
  }

  static func sei(_ messages: [UInt8]...) -> [UInt8] {
    NALBytes.unit(header: [39 << 1, 1], messages.flatMap { $0 } + [0x80])
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var record: [UInt8]
    var disclosures: [PayloadFinding.Disclosure]
    var stripped: [UInt8]
  }

  static let records: [Case] = [
    Case(
      testDescription: "only parameter sets", record: hvcC([parameters]), disclosures: [],
      stripped: hvcC([parameters])),
    Case(
      testDescription: "an encoder's settings", record: hvcC([parameters, [sei(settings)]]), disclosures: [],
      stripped: hvcC([parameters, [sei(settings)]])),
    Case(
      testDescription: "a position in a separate array", record: hvcC([parameters, [sei(position)]]),
      disclosures: [.location], stripped: hvcC([parameters])),
    Case(
      testDescription: "a position and light levels", record: hvcC([[sei(position, mastering)], parameters]),
      disclosures: [.location], stripped: hvcC([[sei(mastering)], parameters])),
    Case(
      testDescription: "two units, one of them harmless", record: hvcC([[sei(settings), sei(position)]]),
      disclosures: [.location], stripped: hvcC([[sei(settings)]])),
    Case(
      testDescription: "text after the arrays", record: hvcC([parameters], rest: Array("+48.1375+011.5755/".utf8)),
      disclosures: [.location], stripped: hvcC([parameters])),
    Case(
      testDescription: "unknown bytes after the arrays", record: hvcC([parameters], rest: [1, 2, 3]),
      disclosures: [.opaque], stripped: hvcC([parameters])),
    Case(
      testDescription: "zeros after the arrays", record: hvcC([[]], rest: [0, 0]), disclosures: [],
      stripped: hvcC([[]], rest: [0, 0])),
    Case(
      testDescription: "start codes", record: [0, 0, 0, 1] + sei(position), disclosures: [],
      stripped: [0, 0, 0, 1] + sei(position)),
  ]

  @Test(arguments: records)
  func removesHEVCMessages(test: Case) throws {
    #expect(DecoderConfiguration.hvcC.findings(in: test.record).map(\.disclosure) == test.disclosures)
    let stripped = DecoderConfiguration.hvcC.removeMessages({ $0.disclosure != .harmless }, from: test.record)
    #expect(stripped == test.stripped)
    #expect(DecoderConfiguration.hvcC.findings(in: stripped) == [])
    #expect(DecoderConfiguration.hvcC.removeMessages({ _ in false }, from: test.record) == test.record)
  }

  @Test func readsPositions() throws {
    let findings = DecoderConfiguration.hvcC.findings(in: Self.hvcC([[Self.sei(Self.position)]]))
    let position = try #require(findings.first?.trace.first)
    #expect(abs(position.latitude - 48.1375) < 1e-4 && abs(position.longitude - 11.5755) < 1e-4)
  }

  static let sequence: [UInt8] = [1 << 3 | 2, 3, 0x18, 0x15, 0x7F]
  static let metadata: [UInt8] = [5 << 3 | 2, 21, 4, 0xB5] + Array("+48.1375+011.5755/".utf8) + [0x80]
  static let lightLevels: [UInt8] = [5 << 3 | 2, 6, 1, 3, 0xE8, 1, 0x90, 0x80]

  @Test func removesAV1Metadata() {
    let head: [UInt8] = [0x81, 0x05, 0x0C, 0x00]
    let record = head + Self.sequence + Self.metadata + Self.lightLevels
    #expect(DecoderConfiguration.av1C.findings(in: record).map(\.disclosure) == [.location])
    let stripped = DecoderConfiguration.av1C.removeMessages({ $0.disclosure == .location }, from: record)
    #expect(stripped == head + Self.sequence + Self.lightLevels)
    #expect(DecoderConfiguration.av1C.removeMessages({ $0.disclosure == .date }, from: record) == record)
    #expect(DecoderConfiguration.av1C.findings(in: Self.sequence + Self.metadata) == [])
    #expect(DecoderConfiguration.av1C.findings(in: head) == [])
  }

  /// Removing all messages from a truncated or damaged record leaves none.
  @Test(arguments: [0x00, 0x01, 0x4E, 0x7F, 0xFF] as [UInt8])
  func survivesDamage(value: UInt8) {
    let hevc = Self.hvcC([[Self.sei(Self.position, Self.mastering)], Self.parameters], rest: [9])
    let av1 = [0x81, 5, 12, 0] + Self.sequence + Self.metadata
    for (record, isHEVC) in [(hevc, true), (av1, false)] {
      for index in record.indices {
        var flipped = record
        flipped[index] = value
        for damaged in [flipped, Array(record[..<index])] {
          let stripped =
            isHEVC
            ? DecoderConfiguration.hvcC.removeMessages({ _ in true }, from: damaged)
            : DecoderConfiguration.av1C.removeMessages({ _ in true }, from: damaged)
          #expect(stripped.count <= damaged.count)
          let left =
            isHEVC
            ? DecoderConfiguration.hvcC.findings(in: stripped) : DecoderConfiguration.av1C.findings(in: stripped)
          #expect(left == [], "\(index) in \(isHEVC ? "hvcC" : "av1C")")
        }
      }
    }
  }
}
