import ClipModel
import Foundation
import ISOMedia

/// Dash cams with proprietary text or tables.
extension LocationCarrierFile {
  static var dashCams: [LocationCarrierFile] {
    [
      LocationCarrierFile("blackvue-nmea", at: ApplicationFolders.seattle) {
        try movie { $0.append(box("free", blackVueBoxes(ApplicationFolders.seattle))) }
      },
      LocationCarrierFile("datakam-udat", at: ApplicationFolders.rio) {
        try movie { $0.append(box("udat", sentences(ApplicationFolders.rio))) }
      },
      LocationCarrierFile("denver-gps", at: ApplicationFolders.munich) {
        try movie {
          $0.append(box("free", box("cprt", Array("Denver".utf8)) + box("gps ", denverLog(ApplicationFolders.munich))))
        }
      },
      LocationCarrierFile("70mai-gps", at: ApplicationFolders.seattle) {
        try movie { $0.append(box("GPS ", mai70Records(ApplicationFolders.seattle))) }
      },
      LocationCarrierFile("kenwood-udta", at: ApplicationFolders.sydney) {
        try movie { $0.append(box("udta", kenwoodLog(ApplicationFolders.sydney))) }
      },
      LocationCarrierFile("dudubell-gps0", at: ApplicationFolders.rio) {
        try movie { $0.append(box("gps0", dudubellRecords(ApplicationFolders.rio))) }
      },
      LocationCarrierFile("autovox-riff-trailer", at: ApplicationFolders.munich) {
        try movie { $0.append(autoVoxTrailer(ApplicationFolders.munich)) }
      },
      LocationCarrierFile("vantrue-fmas", at: ApplicationFolders.munich) {
        try movie {
          try $0.add(TimedTrack(handler: "meta", format: "gpmd", samples: ApplicationFolders.munich.map(fmasRecord)))
        }
      },
      // Its numbers are encrypted, and versions of exiftool read them differently.
      LocationCarrierFile("kingslim-gpmd", at: ApplicationFolders.sydney, confirmedBy: .exiftoolText("GPSLatitude")) {
        try movie {
          try $0.add(
            TimedTrack(handler: "meta", format: "gpmd", samples: ApplicationFolders.sydney.map(kingslimRecord)))
        }
      },
      LocationCarrierFile("rvmi-grev", "mov", at: ApplicationFolders.munich) {
        try movie(BaseClips.mov) {
          try $0.add(TimedTrack(handler: "data", format: "RVMI", samples: ApplicationFolders.munich.map(rvmiRecord)))
        }
      },
      LocationCarrierFile("gm-marl", at: [], confirmedBy: .ffprobe("marl")) {
        try movie { try $0.add(TimedTrack(handler: "ctbx", format: "marl", samples: [marlRecord(0), marlRecord(1)])) }
      },
    ]
  }

  // MARK: Boxes of text

  /// Letter and digits of latitude and longitude.
  static func digits(_ position: GeoPosition) -> String {
    position.northSouth + shortDegrees(position.latitudeParts, digits: 2) + position.eastWest
      + shortDegrees(position.longitudeParts, digits: 3)
  }

  /// Degrees, and minutes in ten-thousandths, without a decimal point.
  private static func shortDegrees(_ parts: (degrees: Int, minutes: Int, seconds: Double), digits: Int) -> String {
    let minutes = Int(((Double(parts.minutes) + parts.seconds / 60) * 10_000).rounded())
    return String(format: "%0\(digits)d%06d", parts.degrees, minutes)
  }

  private static func sentences(_ positions: [GeoPosition]) -> [UInt8] {
    positions.enumerated().flatMap { index, position in Array((position.rmc(index) + "\r\n").utf8) }
  }

  /// A copyright notice, and NMEA sentences after a clock in milliseconds.
  private static func blackVueBoxes(_ positions: [GeoPosition]) -> [UInt8] {
    let log = positions.enumerated().map { index, position in "[165528810\(index)000]\(position.rmc(index))\r\n\r\n" }
    return box("cprt", Array("Pittasoft Co., Ltd.".utf8)) + box("gps ", Array(log.joined().utf8) + zeros(64))
  }

  private static func denverLog(_ positions: [GeoPosition]) -> [UInt8] {
    let lines = positions.enumerated().map { index, position in
      "22061510150\(index)[1][\(position.northSouth)][\(shortDegrees(position.latitudeParts, digits: 2))]"
        + "[\(position.eastWest)][\(shortDegrees(position.longitudeParts, digits: 3))]"
        + "[+00500][012][00087][C000000]+000+000+000+000+000+000\n"
    }
    return Array(lines.joined().utf8)
  }

  /// A signature of 27 bytes; then 0xFEFE and date, date, position, altitude, speed and acceleration as digits.
  private static func kenwoodLog(_ positions: [GeoPosition]) -> [UInt8] {
    record {
      "VIDEO" + String(repeating: "U", count: 22)
      records(positions) { index, position in
        [0xFE, 0xFE]
        "2022061510150\(index).2022061510150\(index)\u{3}"
        digits(position)
        "+0050012+006+009+004"
      }
    }
  }

  // MARK: Tables

  /// 36 bytes each: two numbers, seconds, speed, then letter and degrees with minutes in thousandths. Ends with zeros.
  private static func mai70Records(_ positions: [GeoPosition]) -> [UInt8] {
    record {
      records(positions) { index, position in
        little(UInt32.self, 1, 1, UInt32(index), 12_500)
        position.northSouth
        little(UInt32.self, position.latitudeDegreesMinutes.fixed(1000))
        position.eastWest
        little(UInt32.self, position.longitudeDegreesMinutes.fixed(1000))
        zeros(10)
      }
      zeros(72)
    }
  }

  /// 32 bytes each: latitude and longitude as degrees with minutes, altitude, speed, date since 2000, course.
  static func dudubellRecords(_ positions: [GeoPosition]) -> [UInt8] {
    records(positions) { index, position in
      littleDoubles(
        position.latitude < 0 ? -position.latitudeDegreesMinutes : position.latitudeDegreesMinutes,
        position.longitude < 0 ? -position.longitudeDegreesMinutes : position.longitudeDegreesMinutes)
      little(Int32.self, 50)
      little(UInt16.self, 12)
      [22, 6, 15, 10, 15, UInt8(index), 44, 1, 1, 0]
    }
  }

  /// RIFF chunks after the last box: `gpsa`, and `gps0` with 40 bytes per position.
  private static func autoVoxTrailer(_ positions: [GeoPosition]) -> [UInt8] {
    // One extra record, because readers stop before the last one.
    let fixes = records(positions + positions.suffix(1)) { index, position in
      "AITG"
      littleDoubles(position.latitudeDegreesMinutes, position.longitudeDegreesMinutes)
      [0xFF, 0xFF, 0, 0]
      little(UInt16.self, 6)
      [122, 6, 15, 10, 15, UInt8(index), 44, position.latitude < 0 ? 2 : 1, position.longitude < 0 ? 2 : 1, 0x40]
      little(UInt32.self, UInt32(100 * index))
    }
    return record {
      "gpsa"
      little(UInt32.self, 8)
      [1, 0x20, 0, 0, 8, 3, 2, 8]
      "gps0"
      little(UInt32.self, UInt32(fixes.count))
      fixes
      zeros(8)
    }
  }

  /// Vantrue N2S: date, acceleration, letters, then degrees, minutes and their six-thousandths.
  private static func fmasRecord(_ position: GeoPosition) -> [UInt8] {
    let (latitude, longitude) = (position.latitudeParts, position.longitudeParts)
    return record {
      "FMAS".padded(to: 80)
      "SAMM\u{1}".padded(to: 16)
      little(UInt16.self, 2022)
      [6, 15, 10, 15].padded(to: 22)
      "A\(position.eastWest)\(position.northSouth)"
      [UInt8(longitude.degrees), UInt8(longitude.minutes), 0]
      little(UInt16.self, longitude.seconds.fixed(100))
      [UInt8(latitude.degrees), UInt8(latitude.minutes)]
      little(UInt16.self, latitude.seconds.fixed(100), 12, 87)
    }.padded(to: 160)
  }

  /// Kingslim D4: six numbers of the date, letters, latitude and longitude as degrees with minutes, speed, course.
  private static func kingslimRecord(_ position: GeoPosition) -> [UInt8] {
    record {
      dashCamDate(year: 2022)
      "A\(position.northSouth)\(position.eastWest)1"
      littleFloats(position.latitudeDegreesMinutes, position.longitudeDegreesMinutes, 12.5, 87.9, 0, 0, 1)
      zeros(40)
    }
  }

  /// Hour, minute, second, year, month, day.
  static func dashCamDate(year: UInt32) -> [UInt8] { little(UInt32.self, 10, 15, 0, year, 6, 15) }

  /// `gReV`, latitude and longitude in millionths, speed in tenths, half the course.
  private static func rvmiRecord(_ position: GeoPosition) -> [UInt8] {
    record {
      "gReV"
      little(Int32.self, position.latitude.fixed(1e6), position.longitude.fixed(1e6), 0)
      little(UInt16.self, 125, 43)
    }
  }

  /// Records of GM's cars: ID, three bytes, a number. Their meaning isn't documented.
  private static func marlRecord(_ index: UInt32) -> [UInt8] {
    record {
      [0, 0, 0, 1]
      big(UInt32.self, index * 1_000_000)
      [5, 0, 1, 2]
      big(UInt32.self, 1_230_000)
    }
  }
}
