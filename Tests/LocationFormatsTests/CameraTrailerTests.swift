import ClipModel
import ISOMedia
import LocationFormats
import TestSupport
import Testing

@Suite struct CameraTrailerTests {
  static let insta360: [UInt8] = {
    let fixes = bytes {
      for status in ["A", "V", "A"] {
        $0.zeros(10)
        $0.text(status)
        $0.littleDouble(48.137)
        $0.text("N")
        $0.littleDouble(11.575)
        $0.text("O")
        $0.zeros(24)
      }
    }
    let records: [(UInt16, [UInt8])] = [
      (0x101, Array("\u{A}\u{5}IXE42".utf8)), (0x300, [UInt8](repeating: 1, count: 20)), (0x900, [1, 2, 3]),
      (0x700, fixes),
    ]
    var trailer: [UInt8] = []
    for (index, record) in records.enumerated() {
      trailer += record.1
      trailer += bytes {
        $0.little(record.0)
        $0.little(UInt32(record.1.count))
      }
      if index == records.count - 1 {
        let length = trailer.count + 72
        trailer += bytes {
          $0.zeros(32)
          $0.little(UInt32(length))
          $0.zeros(4)
          $0.text("8db42d694ccc418790edff439fe026bf")
        }
      }
    }
    return trailer
  }()

  static let autoVox = bytes {
    $0.text("gpsa")
    $0.little(UInt32(8))
    $0.zeros(8)
    $0.text("gps0")
    $0.little(UInt32(40))
    $0.text("AITG")
    $0.littleDouble(4808.22)
    $0.littleDouble(1134.5)
    $0.zeros(13)
    $0.append([1, 2, 0x40])
    $0.zeros(4)
    $0.text("gsen")
    $0.little(UInt32(12))
    $0.text("AITS")
    $0.zeros(8)
  }

  static func examine(_ bytes: [UInt8], after media: Int = 0) throws -> [PayloadFinding] {
    let source = MemoryBytes([UInt8](repeating: 0xAB, count: media) + bytes)
    return try CameraBlocks.examineTrailer(Int64(media)..<source.byteCount, in: source)
  }

  static func summary(_ findings: [PayloadFinding]) -> [String] { findings.map { "\($0.kind) \($0.disclosure)" } }

  @Test func readsInsta360Trailers() throws {
    let findings = try Self.examine(Self.insta360, after: 100)
    #expect(
      Self.summary(findings) == [
        "insta360-gps location", "insta360-record opaque", "insta360-gyro motion", "insta360-identity identity",
      ])
    #expect(findings.first?.trace.begins(at: 48.137, -11.575, count: 2) == true)
    // Bytes before the trailer are a separate part.
    #expect(Self.summary(try Self.examine([1, 2, 3] + Self.insta360)).last == "unknown-trailer opaque")
  }

  @Test func readsAutoVoxTrailers() throws {
    let findings = try Self.examine(Self.autoVox, after: 7)
    #expect(Self.summary(findings) == ["autovox-gps location", "autovox-gsensor motion"])
    #expect(findings.first?.trace.begins(at: 48.137, -11.575, count: 1) == true)
  }

  @Test func readsSamsungTrailers() throws {
    let entries: [(type: UInt16, name: String, value: String)] = [
      (0x0A01, "Image_UTC_Data", "1500000000000"), (0x0AA1, "MCC_Data", "262"), (0x0890, "SlowMotion_Data", "88"),
    ]
    let findings = try Self.examine(samsung(entries), after: 20)
    #expect(Self.summary(findings) == ["samsung-time date", "samsung-mcc location", "samsung-sef harmless"])
    let damaged = samsung([(0x0890, "SlowMotion_Data", "88")]).dropFirst(4)
    #expect(Self.summary(try Self.examine(Array(damaged))).contains("samsung-sef opaque"))
  }

  @Test func readsTagsAndPadding() throws {
    #expect(try Self.examine([UInt8](repeating: 0, count: 70_000)).isEmpty)
    #expect(try Self.examine([]).isEmpty)
    #expect(Self.summary(try Self.examine([0, 0, 1])) == ["unknown-trailer opaque"])
    let id3 = Array("TAG".utf8) + [UInt8](repeating: 32, count: 125)
    let newID3 = Array("ID3\u{3}\0\0\0\0\0\u{4}abcd".utf8)
    let ape = bytes {
      $0.text("abcdefgh")
      $0.text("APETAGEX")
      $0.little(UInt32(2000))
      $0.little(UInt32(40))
      $0.zeros(16)
    }
    #expect(Self.summary(try Self.examine(newID3 + ape + id3)) == Array(repeating: "music-tag harmless", count: 3))
    #expect(Self.summary(try Self.examine(Array("&&&&LIGOGPSINFO".utf8) + [1, 2])) == ["ligogps location"])
  }

  @Test(arguments: [insta360, autoVox, samsung([(0x0AA1, "MCC_Data", "262"), (0x0A01, "Image_UTC_Data", "1")])])
  func survivesDamage(_ trailer: [UInt8]) throws {
    for length in 1..<trailer.count {
      // A truncated trailer may be unknown, but it is still reported.
      for part in [Array(trailer.prefix(length)), Array(trailer.suffix(length))] where part.contains(where: { $0 != 0 })
      {
        #expect(try !Self.examine(part).isEmpty, "\(length) bytes")
      }
    }
    for index in trailer.indices {
      var damaged = trailer
      damaged[index] ^= 0xFF
      #expect(try !Self.examine(damaged).isEmpty)
    }
  }

  @Test func readsASamsungFile() throws {
    guard let path = SharedMedia.path("samsung-sef-slow-motion.mp4") else { return }
    let source = try FileBytes(path: path)
    let box = try #require(try ISOFile.read(from: source)?.topLevelBoxes.first { $0.type == "sefd" })
    let finding = try #require(try CameraBlocks.examine(box, in: source))
    #expect(finding == PayloadFinding(kind: "samsung-sef", disclosure: .harmless))
  }
}
