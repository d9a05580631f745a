import ClipModel
import Foundation
import ISOMedia
import LocationFormats
import TestSupport
import Testing

/// A box in the format of one camera.
struct BlockCase: Sendable, CustomTestStringConvertible {
  var name: String
  var box: [UInt8]
  var kind: String
  var disclosure: PayloadFinding.Disclosure
  var first: (Double, Double)?
  var count: Int

  var testDescription: String { name }

  init(
    _ name: String, _ type: FourCC, userType: [UInt8] = [], kind: String, _ disclosure: PayloadFinding.Disclosure,
    first: (Double, Double)? = nil, count: Int = 1, _ content: (inout BoxWriter) -> Void
  ) {
    self.name = name
    self.kind = kind
    self.disclosure = disclosure
    self.first = first
    self.count = first == nil ? 0 : count
    box = bytes { $0.box(type, userType: userType, content) }
  }
}

@Suite struct CameraBlocksTests {
  static let logs: [BlockCase] = [
    BlockCase("70mai", "GPS ", kind: "70mai-gps", .location, first: (52.190_583, 20.789_483), count: 2) {
      for seconds in 0..<2 as Range<UInt32> {
        for value in [1, 1, seconds, 0] as [UInt32] { $0.little(value) }
        $0.text("N")
        $0.little(UInt32(5_211_435))
        $0.text("E")
        $0.little(UInt32(2_047_369))
        $0.zeros(10)
      }
    },
    BlockCase("DuDuBell", "gps0", kind: "dudubell-gps", .location, first: (-52.190_583, 20.789_483)) {
      $0.littleDouble(-5211.435)
      $0.littleDouble(2047.369)
      $0.zeros(16)
    },
    BlockCase("Lamax", "gps0", kind: "lamax-gps0", .location, first: (55.757_5, -37.716_667), count: 2) {
      $0.append(ambarella("N55454500W037430000") + ambarella("N55454500W037430000"))
    },
    BlockCase("DuDuBell acceleration", "gsen", kind: "dashcam-gsensor", .motion) { $0.zeros(30) },
    BlockCase("Garmin", "uuid", userType: garmin, kind: "garmin-gps", .location, first: (48.137, -11.575), count: 2) {
      $0.zeros(17)
      for _ in 0..<2 {
        $0.zeros(12)
        $0.u32(semicircles(48.137))
        $0.u32(semicircles(-11.575))
      }
    },
    BlockCase("360Fly", "uuid", userType: fly360, kind: "360fly", .location, first: (48.137, 11.575)) {
      $0.u8(1)
      $0.zeros(31)
      $0.u8(5)
      $0.zeros(9)
      $0.u32(Float(48.137).bitPattern)
      $0.u32(Float(11.575).bitPattern)
      $0.zeros(14)
    },
    BlockCase("TomTom", "TTMD", kind: "tomtom-ttad", .location, first: (48.137, 11.575)) {
      $0.box("TTAD") {
        $0.zeros(80)
        $0.u8(0xFF)
        $0.little(UInt32(100))
        $0.u8(3)
        $0.zeros(12)
        $0.u8(5)
        $0.zeros(28)
        $0.littleDouble(48.137)
        $0.littleDouble(11.575)
        $0.zeros(48)
      }
    },
    BlockCase("Kenwood", "udta", kind: "kenwood-udta", .location, first: (47.628_421_667, -122.165_023_333)) {
      $0.text("VIDEOUUUUUUUUUUUUUUUUUUUUUU")
      $0.append([0xFE, 0xFE])
      $0.text("20230107111914.20230107111915\u{3}N47377053W122099014+0058000")
    },
    BlockCase("BlackVue", "free", kind: "blackvue-gps", .location, first: (53.511_138, -6.699_582)) {
      $0.box("cprt") { $0.text("Pittasoft Co., Ltd.") }
      $0.box("gps ") { $0.text("[1]$GPRMC,082138,A,5330.6683,N,00641.9749,W,012.5,87.86,050213,,,A*71") }
    },
    BlockCase("BlackVue without GPS", "free", kind: "blackvue-free", .date) {
      $0.box("ptnm") { $0.text("20200101_120000_NF.mp4") }
    },
    BlockCase("FLIR", "uuid", userType: flir, kind: "flir-gps", .location, first: (48.137, 11.575)) {
      $0.u32(0)
      $0.u32(Float(48.137).bitPattern)
      $0.u32(Float(11.575).bitPattern)
    },
    BlockCase("LIGO", "skip", kind: "ligogps", .location) {
      $0.text("&&&&LIGOGPSINFO")
      $0.zeros(200)
    },
  ]

  static let makers: [BlockCase] = [
    BlockCase("Canon", "uuid", userType: canon, kind: "canon-gps", .location, first: (48.137, -11.575)) {
      $0.box("CNCV") { $0.text("CanonHEVC001/10.00.00/00.00.00") }
      $0.box("CMT4") { $0.append(gpsDirectory) }
    },
    BlockCase("Canon without GPS", "uuid", userType: canon, kind: "canon-uuid", .identity) {
      $0.box("CMT1") { $0.zeros(40) }
      $0.box("CMT4") { $0.append([0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 1, 0, 0, 0, 1, 0, 4, 0, 0, 0, 2, 3, 0, 0]) }
    },
    BlockCase("Canon damaged", "uuid", userType: canon, kind: "canon-gps", .location) {
      $0.box("CMT4") { $0.zeros(40) }
    },
    BlockCase("Nikon", "NCDT", kind: "nikon-gps", .location, first: (48.137, -11.575)) {
      $0.box("NCTG") {
        nikon(0x11, type: 2, Array("2017:04:17 19:27:57\0".utf8), to: &$0)
        nikon(0x120_0001, type: 2, [0x4E, 0], to: &$0)
        nikon(0x120_0002, type: 5, bytes { big(48, 8, 132, to: &$0) }, to: &$0)
        nikon(0x120_0003, type: 2, [0x57, 0], to: &$0)
        nikon(0x120_0004, type: 5, bytes { big(11, 34, 300, to: &$0) }, to: &$0)
      }
    },
    BlockCase("Nikon without GPS", "NCDT", kind: "nikon-ncdt", .identity) {
      $0.box("NCTG") { nikon(0x2, type: 2, Array("COOLPIX\0".utf8), to: &$0) }
    },
    BlockCase("Sony XML", "xml ", kind: "sony-nrtm", .location, first: (48.137, -11.575)) {
      $0.text(
        """
        <NonRealTimeMeta><Group name="ExifGPS"><Item name="LatitudeRef" value="N"/><Item name="Latitude" \
        value="48:08:13.2"/><Item name="LongitudeRef" value="W"/><Item name="Longitude" value="11:34:30"/></Group>
        """)
    },
    BlockCase("Sony XML without GPS", "xml ", kind: "sony-nrtm", .identity) {
      $0.text("<NonRealTimeMeta><Device manufacturer=\"Sony\" serialNo=\"0123456\"/>")
    },
    BlockCase("GoPro settings", "GPMF", kind: "gopro-gpmf", .identity) {
      $0.append(GPMFBytes.payload(GPMFBytes.text("CASN", "C3221324545448")))
    },
    BlockCase("GoPro settings with a stream", "GPMF", kind: "gopro-gpmf", .location, first: (48.137, 11.575), count: 2)
    {
      $0.append(GPMFBytes.payload(GPMFBytes.gps5))
    },
    BlockCase("GoPro serial number", "CAME", kind: "gopro-serial", .identity) { $0.zeros(16) },
    BlockCase("Panasonic", "PANA", kind: "panasonic-pana", .identity) { $0.zeros(200) },
    BlockCase("Kodak", "free", kind: "kodak-serial", .identity) { $0.box("Seri") { $0.text("\u{5}\0ABCDE") } },
    BlockCase("Fujifilm", "MVTG", kind: "fujifilm-gps", .location) {
      $0.pad(to: 16)
      $0.append([1, 0, 0x25, 0x88, 4, 0, 1, 0, 0, 0, 99, 0, 0, 0])
    },
    BlockCase("Samsung", "sefd", kind: "samsung-mcc", .location) { $0.append(samsung([(0x0AA1, "MCC_Data", "262")])) },
    BlockCase("Samsung slow motion", "sefd", kind: "samsung-sef", .harmless) {
      $0.append(samsung([(0x0890, "SlowMotion_Data", "88:879:2*1255:1970:4")]))
    },
    BlockCase("thumbnail", "thmb", kind: "thumbnail", .harmless) { $0.append([0xFF, 0xD8, 0xFF]) },
  ]

  @Test(arguments: logs + makers) func classifiesBoxes(_ item: BlockCase) throws {
    let finding = try #require(try CameraBlocks.examine(try onlyBox(item.box), in: MemoryBytes(item.box)))
    #expect(finding.kind == item.kind)
    #expect(finding.disclosure == item.disclosure)
    if let (latitude, longitude) = item.first {
      #expect(finding.trace.begins(at: latitude, longitude, count: item.count), "\(finding.trace)")
    }
  }

  /// A damaged box may look like another maker's, but never has more positions than fit into it.
  @Test(arguments: logs + makers) func survivesDamage(_ item: BlockCase) throws {
    for length in 8..<item.box.count {
      let source = MemoryBytes(Array(item.box.prefix(length)))
      let finding = try CameraBlocks.examine(try onlyBox(source.bytes), in: source)
      #expect((finding?.trace.count ?? 0) <= item.count, "of \(length) bytes")
    }
    for index in 8..<item.box.count {
      var source = MemoryBytes(item.box)
      source.bytes[index] ^= 0xFF
      let finding = try CameraBlocks.examine(try onlyBox(source.bytes), in: source)
      #expect((finding?.trace.count ?? 0) <= item.box.count / 20, "byte \(index)")
    }
  }

  @Test func ignoresUnknownBoxes() throws {
    for type in ["free", "skip", "udta", "xml ", "uuid", "mvhd", "abcd"] as [FourCC] {
      let source = MemoryBytes(bytes { $0.box(type) { $0.zeros(64) } })
      #expect(try CameraBlocks.examine(try onlyBox(source.bytes), in: source) == nil, "\(type)")
    }
  }

  @Test func readsA70maiFile() throws {
    guard let path = SharedMedia.path("dashcam-70mai-gps-box.mp4") else { return }
    let source = try FileBytes(path: path)
    let box = try #require(try ISOFile.read(from: source)?.topLevelBoxes.first { $0.type == "GPS " })
    let finding = try #require(try CameraBlocks.examine(box, in: source))
    #expect(finding.trace.begins(at: 52.190_583_3, 20.789_483_3, count: 61))
  }
}

// MARK: - Builders

private let garmin: [UInt8] = [
  0x9B, 0x63, 0x0F, 0x8D, 0x63, 0x74, 0x40, 0xEC, 0x82, 0x04, 0xBC, 0x5F, 0xF5, 0x09, 0x17, 0x28,
]
private let fly360: [UInt8] = [
  0xEF, 0xE1, 0x58, 0x9A, 0xBB, 0x77, 0x49, 0xEF, 0x80, 0x95, 0x27, 0x75, 0x9E, 0xB1, 0xDC, 0x6F,
]
private let flir: [UInt8] = [
  0x7F, 0x2E, 0x21, 0x00, 0x8B, 0x46, 0x49, 0x18, 0xAF, 0xB1, 0xDE, 0x70, 0x9A, 0x74, 0xF6, 0xF5,
]
private let canon: [UInt8] = [
  0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
]

/// TIFF with the tags 1 to 4 of a GPS directory, little-endian.
private let gpsDirectory = bytes {
  $0.append([0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 4, 0])
  for (tag, type, count, value) in [(1, 2, 2, 0x4E), (2, 5, 3, 62), (3, 2, 2, 0x57), (4, 5, 3, 86)]
    as [(UInt16, UInt16, UInt32, UInt32)]
  {
    $0.little(tag)
    $0.little(type)
    $0.little(count)
    $0.little(value)
  }
  $0.little(UInt32(0))
  $0.pad(to: 62)
  for value in [48, 1, 8, 1, 132, 10, 11, 1, 34, 1, 300, 10] as [UInt32] { $0.little(value) }
}

private func big(_ degrees: UInt32, _ minutes: UInt32, _ tenths: UInt32, to writer: inout BoxWriter) {
  for value in [degrees, 1, minutes, 1, tenths, 10] { writer.u32(value) }
}

private func nikon(_ tag: UInt32, type: UInt16, _ value: [UInt8], to writer: inout BoxWriter) {
  writer.u32(tag)
  writer.u16(type)
  writer.u16(UInt16(value.count / (type == 5 ? 8 : 1)))
  writer.append(value)
}

/// Samsung blocks and their directory.
func samsung(_ entries: [(type: UInt16, name: String, value: String)]) -> [UInt8] {
  var blocks: [[UInt8]] = []
  for entry in entries {
    blocks.append(
      bytes {
        $0.u16(0)
        $0.little(entry.type)
        $0.little(UInt32(entry.name.utf8.count))
        $0.text(entry.name + entry.value)
      })
  }
  let directory = bytes {
    $0.text("SEFH")
    $0.little(UInt32(106))
    $0.little(UInt32(entries.count))
    for (index, entry) in entries.enumerated() {
      $0.u16(0)
      $0.little(entry.type)
      $0.little(UInt32(blocks.dropFirst(index).joined().count))
      $0.little(UInt32(blocks[index].count))
    }
  }
  return Array(blocks.joined()) + directory + bytes { $0.little(UInt32(directory.count)) } + Array("SEFT".utf8)
}
