import ClipModel
import ISOMedia
import LocationFormats
import Testing

/// A sample of a timed format, with the expected result.
struct TimedCase: Sendable, CustomTestStringConvertible {
  var name: String
  var setup: TimedMetadataSetup
  var sample: [UInt8]
  var kind: String
  var disclosure: PayloadFinding.Disclosure
  /// Latitude and longitude of the first position.
  var first: (Double, Double)?
  var count = 0

  var testDescription: String { name }

  init(
    _ name: String, _ setup: TimedMetadataSetup, kind: String, _ disclosure: PayloadFinding.Disclosure,
    first: (Double, Double)? = nil, count: Int? = nil, _ write: (inout BoxWriter) -> Void
  ) {
    self.name = name
    self.setup = setup
    self.kind = kind
    self.disclosure = disclosure
    self.first = first
    self.count = count ?? (first == nil ? 0 : 1)
    sample = bytes(write)
  }
}

@Suite struct TimedMetadataTests {
  static let camera: [TimedCase] = [
    TimedCase(
      "CAMM position", TimedMetadataSetup(format: "camm"), kind: "google-camm", .location, first: (48.137, 11.575),
      count: 2
    ) {
      $0.little(UInt16(0))
      $0.little(UInt16(2))
      $0.zeros(12)
      $0.little(UInt32(5 << 16))
      $0.littleDouble(48.137)
      $0.littleDouble(11.575)
      $0.littleDouble(520)
      $0.little(UInt32(6 << 16))
      $0.littleDouble(1_200_000_000)
      $0.little(UInt32(3))
      $0.littleDouble(48.138)
      $0.littleDouble(11.576)
      $0.zeros(28)
    },
    TimedCase("CAMM motion", TimedMetadataSetup(format: "camm"), kind: "google-camm", .motion) {
      for type in [0, 2, 3, 4, 7] as [UInt32] {
        $0.little(type << 16)
        $0.zeros(12)
      }
    },
    TimedCase("CAMM unknown", TimedMetadataSetup(format: "camm"), kind: "google-camm", .opaque) {
      $0.little(UInt32(99 << 16))
    },
    TimedCase(
      "mebx location", mebx("com.apple.quicktime.location.ISO6709", "com.apple.quicktime.video-orientation"),
      kind: "apple-mebx", .location
    ) {
      $0.box(FourCC(2)) { $0.u16(1) }
    },
    TimedCase(
      "mebx orientation", mebx("com.apple.quicktime.video-orientation"), kind: "apple-mebx", .harmless
    ) {
      $0.box(FourCC(1)) { $0.u16(6) }
    },
    TimedCase("mebx faces", mebx("com.apple.quicktime.detected-face"), kind: "apple-mebx-faces", .faces) {
      $0.box(FourCC(1)) { $0.zeros(40) }
    },
    TimedCase("mebx without a key", mebx("com.apple.quicktime.video-orientation"), kind: "apple-mebx-unknown", .opaque)
    {
      $0.box(FourCC(7)) { $0.u16(6) }
    },
    TimedCase("mebx with unknown keys", mebx("com.example.secret"), kind: "apple-mebx-unknown", .opaque) {
      $0.box(FourCC(1)) { $0.u16(6) }
    },
    TimedCase(
      "rtmd position", TimedMetadataSetup(format: "rtmd"), kind: "sony-rtmd", .location, first: (48.137, -11.575)
    ) {
      rtmd(&$0) {
        tag(0x8501, to: &$0) { $0.text("N\0") }
        tag(0x8502, to: &$0) { degrees(48, 8, 132, to: &$0) }
        tag(0x8503, to: &$0) { $0.text("W\0") }
        tag(0x8504, to: &$0) { degrees(11, 34, 300, to: &$0) }
      }
    },
    TimedCase("rtmd no fix", TimedMetadataSetup(format: "rtmd"), kind: "sony-rtmd", .location) {
      rtmd(&$0) { tag(0x8509, to: &$0) { $0.text("V\0") } }
    },
    TimedCase("rtmd gyroscope", TimedMetadataSetup(format: "rtmd"), kind: "sony-rtmd", .motion) {
      rtmd(&$0) { tag(0xE44B, to: &$0) { $0.zeros(14) } }
    },
    TimedCase("rtmd serial number", TimedMetadataSetup(format: "rtmd"), kind: "sony-rtmd", .identity) {
      rtmd(&$0) { tag(0x8114, to: &$0) { $0.text("ILCE-7M4 0123456") } }
    },
    TimedCase("CTMD exposure", TimedMetadataSetup(format: "CTMD"), kind: "canon-ctmd", .date) {
      record(1, to: &$0) { $0.zeros(12) }
      record(5, to: &$0) { $0.zeros(28) }
    },
    TimedCase("CTMD maker notes", TimedMetadataSetup(format: "CTMD"), kind: "canon-ctmd", .identity) {
      record(7, to: &$0) { $0.zeros(64) }
    },
    TimedCase("CTMD unknown", TimedMetadataSetup(format: "CTMD"), kind: "canon-ctmd", .opaque) {
      record(77, to: &$0) { $0.zeros(4) }
    },
    TimedCase("time code", TimedMetadataSetup(format: "tmcd", handler: "tmcd"), kind: "time-code", .harmless) {
      $0.u32(900)
    },
    TimedCase("GoPro fdsc", TimedMetadataSetup(format: "fdsc"), kind: "gopro-fdsc", .identity) {
      $0.text("GPRO")
      $0.zeros(120)
    },
    TimedCase("GM", TimedMetadataSetup(format: "marl", handler: "ctbx"), kind: "gm-marl", .opaque) { $0.zeros(8) },
    TimedCase("unknown", TimedMetadataSetup(format: "abcd", handler: "meta"), kind: "timed-metadata", .opaque) {
      $0.u32(7)
    },
  ]

  static let drones: [TimedCase] = [
    TimedCase(
      "Parrot 3 with targets", TimedMetadataSetup(format: "mett"), kind: "parrot-mett", .location,
      first: (48.137, 11.575),
      count: 4
    ) {
      $0.text("P3")
      $0.u16(17 + 8)
      $0.u32(0)
      fixed(48.137, 11.575, 4_194_304, to: &$0)
      $0.pad(to: 72)
      $0.text("E2")
      $0.u16(4)
      fixed(48.138, 11.576, 4_194_304, to: &$0)
      $0.pad(to: 92)
      $0.text("E3")
      $0.u16(7)
      fixed(48.139, 11.577, 4_194_304, to: &$0)
      $0.u32(0)
      fixed(48.140, 11.578, 4_194_304, to: &$0)
      $0.pad(to: 124)
    },
    TimedCase(
      "Parrot 1 recording", TimedMetadataSetup(format: "mett"), kind: "parrot-mett", .location, first: (48.137, 11.575)
    ) {
      $0.pad(to: 32)
      fixed(48.137, 11.575, 1_048_576, to: &$0)
      $0.pad(to: 60)
    },
    TimedCase(
      "Parrot protocol buffer",
      TimedMetadataSetup(format: "mett", mimeType: "application/protobuf;type=com.parrot.videometadata"),
      kind: "parrot-mett",
      .location, first: (48.137, 11.575)
    ) {
      $0.append(message(1, message(2, double(1, 48.137) + double(2, 11.575) + double(3, 500))))
    },
    TimedCase(
      "ARCore", TimedMetadataSetup(format: "mett", mimeType: "application/arcore-accel"), kind: "arcore-mett", .motion
    ) { $0.zeros(34) },
    TimedCase(
      "mett with another MIME type", TimedMetadataSetup(format: "mett", mimeType: "application/meta"),
      kind: "timed-mett",
      .opaque
    ) {
      $0.zeros(120)
    },
    TimedCase("DJI degrees", TimedMetadataSetup(format: "djmd"), kind: "dji-djmd", .location, first: (48.137, 11.575)) {
      $0.append(message(1, message(1, Array("dvtm_ac203.proto".utf8))))
      $0.append(message(3, message(4, message(2, [8, 1] + double(2, 48.137) + double(3, 11.575)))))
    },
    TimedCase("DJI radians", TimedMetadataSetup(format: "djmd"), kind: "dji-djmd", .location, first: (48.137, -11.575))
    {
      $0.append(message(3, message(4, double(2, 48.137 / 180 * .pi) + double(3, -11.575 / 180 * .pi))))
    },
    TimedCase("DJI without a fix", TimedMetadataSetup(format: "djmd"), kind: "dji-djmd", .location) {
      $0.append(message(3, [8, 1]))
    },
    TimedCase("DJI debugging", TimedMetadataSetup(format: "dbgi"), kind: "dji-dbgi", .opaque) {
      $0.append(message(3, [8, 1]))
    },
  ]

  static let dashCams: [TimedCase] = [
    TimedCase(
      "Garmin", TimedMetadataSetup(format: "text", handler: "text"), kind: "garmin-pndm", .location,
      first: (48.137, 11.575)
    ) {
      $0.u32(24)
      $0.text("PNDM")
      $0.zeros(8)
      $0.u32(semicircles(48.137))
      $0.u32(semicircles(11.575))
    },
    TimedCase(
      "Garmin subtitle", TimedMetadataSetup(format: "tx3g"), kind: "garmin-pndm", .location, first: (-33.5, 11.575)
    ) {
      $0.u16(20)
      $0.text("PNDM")
      $0.zeros(8)
      $0.u32(semicircles(-33.5))
      $0.u32(semicircles(11.575))
    },
    TimedCase(
      "Ambarella text", TimedMetadataSetup(format: "text"), kind: "ambarella-text", .location,
      first: (55.757_5, -37.716_667)
    ) { $0.append(ambarella("N55454500W037430000")) },
    TimedCase(
      "Rove in gpmd", TimedMetadataSetup(format: "gpmd"), kind: "ambarella-text", .location,
      first: (-55.757_5, 37.716_667)
    ) { $0.append(ambarella("S55454500E037430000")) },
    TimedCase("E-PRANCE", TimedMetadataSetup(format: "text"), kind: "eprance-text", .location) {
      let text = "$GPRMC,082138,A,5330.6683,N,00641.9749,W,012.5,87.86,050213,,,A*71"
      $0.u8(0)
      $0.append(text.utf8.map { $0 &+ 19 })
      $0.u8(10)
    },
    TimedCase("Roadhawk", TimedMetadataSetup(format: "text"), kind: "roadhawk-text", .location) {
      $0.text(
        ".;;;;D?JL;6+;;;D;R?;4;;;;DBB;;O;;;=D;L;;HO71G>F;-?=J-F:FNJJ;DPP-JF3F;;PL=DBRLBF0F;=?DNF-RD-PF;N;?=JF;;?D=F:*6F~"
      )
    },
    TimedCase("subtitle of a video", TimedMetadataSetup(format: "tx3g", handler: "sbtl"), kind: "text", .harmless) {
      $0.u16(5)
      $0.text("Hello")
    },
    TimedCase("Kingslim", TimedMetadataSetup(format: "gpmd"), kind: "kingslim-gpmd", .location) {
      for value in [10, 11, 7, 2021, 6, 3] as [UInt32] { $0.little(value) }
      $0.text("ANW")
      $0.zeros(60)
    },
    TimedCase(
      "Vantrue N2S", TimedMetadataSetup(format: "gpmd"), kind: "vantrue-fmas", .location, first: (39.208_7, -41.631_7)
    ) {
      $0.text("FMAS")
      $0.pad(to: 80)
      $0.text("SAMM")
      $0.pad(to: 120)
      $0.text("AWN")
      $0.append([41, 37, 0])
      $0.little(UInt16(5412))
      $0.append([39, 12])
      $0.little(UInt16(3132))
      $0.pad(to: 160)
    },
    TimedCase("RVMI position", TimedMetadataSetup(format: "RVMI"), kind: "rvmi", .location, first: (48.137, 11.575)) {
      $0.text("gReV")
      $0.little(Int32(48_137_000))
      $0.little(Int32(11_575_000))
      $0.zeros(8)
    },
    TimedCase("RVMI acceleration", TimedMetadataSetup(format: "RVMI"), kind: "rvmi", .motion) {
      $0.text("sReV")
      $0.zeros(6)
    },
  ]

  @Test(arguments: camera + drones + dashCams) func classifiesSamples(_ item: TimedCase) {
    let finding = TimedMetadata.examine(item.sample, setup: item.setup)
    #expect(finding.kind == item.kind)
    #expect(finding.disclosure == item.disclosure)
    if let (latitude, longitude) = item.first {
      #expect(finding.trace.begins(at: latitude, longitude, count: item.count), "\(finding.trace)")
    }
  }

  /// Damaged samples never have more positions than intact ones.
  @Test(arguments: camera + drones + dashCams) func survivesDamage(_ item: TimedCase) {
    for length in item.sample.indices {
      let finding = TimedMetadata.examine(Array(item.sample.prefix(length)), setup: item.setup)
      #expect(finding.trace.count <= item.count, "of \(length) bytes")
    }
    for index in item.sample.indices {
      var sample = item.sample
      sample[index] ^= 0xFF
      // A damaged sign or size may change a position, but adds none.
      #expect(TimedMetadata.examine(sample, setup: item.setup).trace.count <= max(item.count, 1))
    }
  }

  @Test func emptySamplesAreHarmless() {
    for format in ["gpmd", "camm", "djmd", "rtmd", "abcd"] as [FourCC] {
      #expect(TimedMetadata.examine([], setup: TimedMetadataSetup(format: format)).disclosure == .harmless)
    }
  }
}

// MARK: - Builders

private func mebx(_ names: String...) -> TimedMetadataSetup {
  TimedMetadataSetup(
    format: "mebx", handler: "meta",
    keys: Dictionary(uniqueKeysWithValues: names.enumerated().map { (UInt32($0.offset + 1), $0.element) }))
}

/// Header, universal label, set.
private func rtmd(_ writer: inout BoxWriter, _ content: (inout BoxWriter) -> Void) {
  writer.u16(28)
  writer.zeros(26)
  writer.append([0x06, 0x0E, 0x2B, 0x34, 0x02, 0x53])
  writer.zeros(10)
  writer.u32(0x8300_0100)
  content(&writer)
  writer.zeros(8)
}

private func tag(_ tag: UInt16, to writer: inout BoxWriter, _ content: (inout BoxWriter) -> Void) {
  let value = bytes(content)
  writer.u16(tag)
  writer.u16(UInt16(value.count))
  writer.append(value)
}

/// Degrees, minutes, and tenths of seconds.
private func degrees(_ degrees: UInt32, _ minutes: UInt32, _ tenths: UInt32, to writer: inout BoxWriter) {
  for (numerator, denominator) in [(degrees, 1), (minutes, 1), (tenths, 10)] as [(UInt32, UInt32)] {
    writer.u32(numerator)
    writer.u32(denominator)
  }
}

private func record(_ type: UInt16, to writer: inout BoxWriter, _ content: (inout BoxWriter) -> Void) {
  let value = bytes(content)
  writer.little(UInt32(value.count + 12))
  writer.little(type)
  writer.zeros(6)
  writer.append(value)
}

private func fixed(_ latitude: Double, _ longitude: Double, _ unit: Double, to writer: inout BoxWriter) {
  writer.u32(UInt32(bitPattern: Int32((latitude * unit).rounded())))
  writer.u32(UInt32(bitPattern: Int32((longitude * unit).rounded())))
}

func semicircles(_ degrees: Double) -> UInt32 { UInt32(bitPattern: Int32((degrees / 180 * 2_147_483_648).rounded())) }

/// A field of a protocol buffer.
private func message(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
  [number << 3 | 2, UInt8(content.count)] + content
}
private func double(_ number: UInt8, _ value: Double) -> [UInt8] {
  [number << 3 | 1] + bytes { $0.littleDouble(value) }
}

/// Ambarella's obfuscated text block with a position.
func ambarella(_ position: String) -> [UInt8] {
  let text = bytes {
    $0.append([0xAA, 0xAA])
    $0.text("XKZD")
    $0.append([0xFE, 0xFE])
    $0.text("20191116100901")
    $0.pad(to: 38)
    $0.text(position)
    $0.pad(to: 311)
  }
  return text.map { $0 ^ 0xAA }
}
