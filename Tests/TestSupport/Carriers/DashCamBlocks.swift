import ClipModel
import Foundation
import ISOMedia

/// Novatek's `freeGPS` blocks and their variants, at the positions where dash cams write them.
extension LocationCarrierFile {
  static var dashCamBlocks: [LocationCarrierFile] {
    [
      LocationCarrierFile("novatek-gps-table", at: ApplicationFolders.seattle) {
        try movie { try addTable(of: ApplicationFolders.seattle.map(novatekBlock), to: &$0) }
      },
      LocationCarrierFile("viofo-gps-table", at: ApplicationFolders.sydney) {
        try movie { try addTable(of: ApplicationFolders.sydney.map(viofoBlock), to: &$0) }
      },
      LocationCarrierFile("nextbase-gps-table", at: ApplicationFolders.munich) {
        try movie { try addTable(of: ApplicationFolders.munich.map(nextBaseBlock), to: &$0) }
      },
      LocationCarrierFile("azdome-gps-table", at: ApplicationFolders.rio) {
        try movie { try addTable(of: ApplicationFolders.rio.map(azdomeBlock), to: &$0) }
      },
      LocationCarrierFile("akaso-gps-table", at: ApplicationFolders.munich) {
        try movie { try addTable(of: ApplicationFolders.munich.map(akasoBlock), to: &$0) }
      },
      LocationCarrierFile("freegps-in-mdat", at: ApplicationFolders.munich) {
        // Unreferenced: only a scan of all bytes of mdat finds them.
        try movie { $0.append(box("mdat", ApplicationFolders.munich.flatMap(novatekBlock))) }
      },
      LocationCarrierFile("freegps-in-free", at: ApplicationFolders.sydney, confirmedBy: .bytes(Array("freeGPS ".utf8)))
      {
        // Without a table, exiftool searches only mdat for blocks.
        try movie { $0.append(ApplicationFolders.sydney.flatMap(novatekBlock)) }
      },
      LocationCarrierFile("vantrue-n4-in-mdat", at: ApplicationFolders.sydney) {
        try movie { $0.append(box("mdat", ApplicationFolders.sydney.flatMap(vantrueBlock))) }
      },
      LocationCarrierFile("nextbase-512g-in-mdat", at: ApplicationFolders.rio) {
        try movie { $0.append(box("mdat", ApplicationFolders.rio.flatMap(nextBase512Block))) }
      },
      LocationCarrierFile("iqs-in-mdat", at: ApplicationFolders.munich) {
        try movie { $0.append(box("mdat", ApplicationFolders.munich.flatMap(iqsBlock))) }
      },
      LocationCarrierFile("innovv-in-mdat", at: ApplicationFolders.sydney) {
        try movie { $0.append(box("mdat", innovvBlock(ApplicationFolders.sydney))) }
      },
      LocationCarrierFile("atc-in-mdat", at: ApplicationFolders.seattle) {
        try movie { $0.append(box("mdat", atcBlock(ApplicationFolders.seattle))) }
      },
    ]
  }

  /// The blocks as `free` boxes after the media data, and `moov/gps ` with the position and size of each.
  private static func addTable(of blocks: [[UInt8]], to movie: inout MovieEdit) throws {
    let entries = blocks.map { block in (UInt32(movie.append(block)), UInt32(block.count)) }
    try movie.insert(into: ["moov"]) { moov in
      moov.box("gps ") { table in
        table.u32(0x101)
        table.u32(UInt32(entries.count))
        for (offset, size) in entries {
          table.u32(offset)
          table.u32(size)
        }
      }
    }
  }

  /// A block is a `free` box of 32 KiB that contains `GPS ` and the size of its content.
  private static func block(@FieldBuilder _ fields: () -> [UInt8]) -> [UInt8] {
    let content = fields()
    let size = 0x8000
    return record {
      big(UInt32.self, UInt32(size))
      "freeGPS "
      little(UInt32.self, UInt32(content.count))
      content
    }.padded(to: size)
  }

  /// Date, letters, then latitude and longitude as degrees with minutes, speed in knots, course.
  private static func novatekBlock(_ position: GeoPosition) -> [UInt8] {
    block {
      zeros(32)
      dashCamDate(year: 22)
      "A\(position.northSouth)\(position.eastWest)\0"
      littleFloats(position.latitudeDegreesMinutes, position.longitudeDegreesMinutes, 6.5, 87.9)
      zeros(64)
    }
  }

  /// The same fields without the initial gap.
  private static func viofoBlock(_ position: GeoPosition) -> [UInt8] {
    block {
      dashCamDate(year: 22)
      "A\(position.northSouth)\(position.eastWest)\0"
      littleFloats(position.latitudeDegreesMinutes, position.longitudeDegreesMinutes, 6.5, 87.9)
      zeros(64)
    }
  }

  /// NextBase 512GW: the camera's date, and an NMEA sentence.
  private static func nextBaseBlock(_ position: GeoPosition) -> [UInt8] {
    block {
      zeros(36)
      "20220615101500".padded(to: 28)
      "\(position.rmc(0))\r\n"
      zeros(64)
    }
  }

  /// Azdome: digits XORed with 0xAA.
  private static func azdomeBlock(_ position: GeoPosition) -> [UInt8] {
    func digits(_ value: Double, _ count: Int) -> String { String(format: "%0\(count).0f", value * 10_000) }
    let plain = record {
      [0, 0]
      "XKZD"
      [0xFE, 0xFE]
      "20220615101500.CAR            "
      position.northSouth + digits(position.latitudeDegreesMinutes, 8)
      position.eastWest + digits(position.longitudeDegreesMinutes, 9)
      "00000012"
    }
    return block {
      [1, 3]
      plain.padded(to: 0x101).map { $0 ^ 0xAA }
    }
  }

  /// Akaso: a time, letters in words of four bytes, floats, and the date at the end.
  private static func akasoBlock(_ position: GeoPosition) -> [UInt8] {
    block {
      zeros(32)
      little(UInt32.self, 10, 15, 0)
      "A\0\0\0"
      littleFloats(position.latitudeDegreesMinutes)
      position.northSouth.padded(to: 4)
      littleFloats(position.longitudeDegreesMinutes)
      position.eastWest.padded(to: 4)
      littleFloats(12.5, 87.9)
      little(UInt32.self, 2022, 6, 15, 1, 5, 0)
    }
  }

  /// Vantrue N4: doubles, and an NMEA sentence with the same values.
  private static func vantrueBlock(_ position: GeoPosition) -> [UInt8] {
    block {
      little(UInt32.self, 10, 15, 0)
      "A\0\0\0"
      littleDoubles(position.latitudeDegreesMinutes)
      position.northSouth.padded(to: 8)
      littleDoubles(position.longitudeDegreesMinutes)
      position.eastWest.padded(to: 8)
      littleDoubles(12.5, 87.9)
      little(UInt32.self, 22, 6, 15, 1, 2, 3)
      " \(position.rmc(0))\r\n"
    }
  }

  /// NextBase 512G: big-endian records of 32 bytes; the last isn't a date.
  private static func nextBase512Block(_ position: GeoPosition) -> [UInt8] {
    block {
      "x.xx".padded(to: 16)
      "00000".padded(to: 16)
      "$S"
      big(UInt16.self, 340, 8790, 2022)
      [6, 15, 10, 15]
      big(UInt16.self, 5)
      [2]
      big(Int32.self, position.latitude.fixed(1e7), position.longitude.fixed(1e7))
      [16]
      zeros(8)
    }
  }

  /// IQS: a name, date, letters, latitude and longitude in ten-millionths without signs, speed, altitude.
  private static func iqsBlock(_ position: GeoPosition) -> [UInt8] {
    block {
      "IQS_A7_20150417".padded(to: 16)
      "Mar 29 2017, 16:".padded(to: 16)
      dashCamDate(year: 22)
      "A\(position.northSouth)\(position.eastWest)\0"
      little(Int32.self, abs(position.latitude).fixed(1e7), abs(position.longitude).fixed(1e7), 340)
      littleFloats(50_000)
    }
  }

  /// INNOVV: letters, degrees with minutes, speed, course, acceleration, 32 bytes each.
  static func innovvRecords(_ positions: [GeoPosition]) -> [UInt8] {
    records(positions) { _, position in
      "A\(position.northSouth)\(position.eastWest)\0"
      littleFloats(position.latitudeDegreesMinutes, position.longitudeDegreesMinutes, 6.5, 87.9)
      little(Int32.self, 1, 2, 3)
    }
  }

  private static func innovvBlock(_ positions: [GeoPosition]) -> [UInt8] { block { innovvRecords(positions) } }

  /// Records of 52 bytes, XORed with two keys that are stored in place of a plain record's zeros, after `ATC` and
  /// `001`.
  private static func atcBlock(_ positions: [GeoPosition]) -> [UInt8] {
    let plain = records(positions) { index, position in
      [1, 0, UInt8(index), 0]
      little(UInt32.self, 2022 << 9 | 6 << 5 | 15, 10 << 12 | 15 << 6 | UInt32(index))
      [1, 9, 15, UInt8(index)]
      little(Int32.self, position.latitude.fixed(1e7))
      "\0ATC"
      little(Int32.self, position.longitude.fixed(1e7))
      "\0001"
      little(Int32.self, 340)
      little(UInt16.self, 8790, 0)
      little(Int32.self, 50_000)
      little(UInt16.self, 2022)
      [6, 15, 0, 0, 0, 0]
    }
    let enciphered = plain.enumerated().map { index, byte in
      switch index % 52 {
      case 0...0x14, 0x18...0x1B: byte ^ 0x5A
      case 0x1C, 0x20...0x32: byte ^ 0x3C
      default: byte
      }
    }
    return block {
      "20130318.01".padded(to: 32)
      enciphered
    }
  }
}
