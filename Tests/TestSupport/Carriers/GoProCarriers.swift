import ClipModel
import ISOMedia

/// GoPro's metadata format, in a track and in user data.
extension LocationCarrierFile {
  static var goPro: [LocationCarrierFile] {
    [
      LocationCarrierFile("gopro-gps5", at: ApplicationFolders.seattle) {
        try movie {
          try $0.add(goProTrack(ApplicationFolders.seattle.map { goProDevice([goProMotion, goProGPS5([$0])]) }))
        }
      },
      LocationCarrierFile(
        "gopro-gps9", at: ApplicationFolders.sydney,
        confirmedBy: .exiftoolText("-33.856784 151.215297", options: ["-U"])
      ) {
        try movie {
          try $0.add(goProTrack(ApplicationFolders.sydney.map { goProDevice([goProMotion, goProGPS9([$0])]) }))
        }
      },
      // exiftool 13 considers numbers at the address of the box a loop, and reports only their existence.
      LocationCarrierFile(
        "gopro-udta-gpmf", at: ApplicationFolders.munich, confirmedBy: .exiftoolText("GPSMeasureMode", options: [])
      ) {
        try movie {
          try $0.insert(into: ["moov", "udta"]) {
            $0.box("GPMF") { $0.append(goProDevice([goProGPS5(ApplicationFolders.munich)])) }
          }
        }
      },
    ]
  }

  private static func goProTrack(_ samples: [[UInt8]]) -> TimedTrack {
    TimedTrack(handler: "meta", name: "GoPro MET", format: "gpmd", mediaHeader: .generic, samples: samples)
  }

  /// GoPro's key, length and value: four characters, a type (0 for nested), element size, count, padding to four bytes.
  private static func goProItem(_ key: String, _ type: Character?, size: Int, _ values: [UInt8]) -> [UInt8] {
    record {
      key
      type?.asciiValue ?? 0
      UInt8(size)
      big(UInt16.self, UInt16(values.count / size))
      values
      zeros((4 - values.count % 4) % 4)
    }
  }

  private static func goProNested(_ key: String, _ items: [UInt8]) -> [UInt8] { goProItem(key, nil, size: 1, items) }

  private static func goProText(_ key: String, _ text: String) -> [UInt8] {
    goProItem(key, "c", size: 1, Array(text.utf8))
  }

  private static func goProDevice(_ streams: [[UInt8]]) -> [UInt8] {
    goProNested(
      "DEVC",
      record {
        goProItem("DVID", "L", size: 4, big(UInt32.self, 1))
        goProText("DVNM", "HERO11 Black")
        streams.flatMap { goProNested("STRM", $0) }
      })
  }

  /// Two accelerometer samples, which are kept when motion data is kept.
  private static let goProMotion = record {
    goProText("STNM", "Accelerometer")
    goProItem("SCAL", "s", size: 2, big(Int16.self, 418))
    goProItem("ACCL", "s", size: 6, big(Int16.self, 4096, 120, -37, 4099, 118, -41))
  }

  /// Latitude, longitude, altitude, ground speed, speed as 32-bit integers.
  private static func goProGPS5(_ positions: [GeoPosition]) -> [UInt8] {
    record {
      goProText("STNM", "GPS (Lat., Long., Alt., 2D speed, 3D speed)")
      goProItem("GPSF", "L", size: 4, big(UInt32.self, 3))
      goProItem("GPSU", "U", size: 16, Array("220615101500.000".utf8))
      goProItem("GPSP", "S", size: 2, big(UInt16.self, 215))
      goProItem("SCAL", "l", size: 4, big(Int32.self, 10_000_000, 10_000_000, 1000, 1000, 100))
      goProItem(
        "GPS5", "l", size: 20,
        records(positions) { _, position in
          big(Int32.self, position.latitude.fixed(1e7), position.longitude.fixed(1e7), 50_000, 1200, 125)
        })
    }
  }

  /// The same, with days since 2000, seconds of the day, dilution of precision, and fix. `TYPE` has the types.
  private static func goProGPS9(_ positions: [GeoPosition]) -> [UInt8] {
    record {
      goProText("STNM", "GPS (Lat., Long., Alt., 2D, 3D, days, secs, DOP, fix)")
      goProText("TYPE", "lllllllSS")
      goProItem("SCAL", "l", size: 4, big(Int32.self, 10_000_000, 10_000_000, 1000, 1000, 100, 1, 1000, 100, 1))
      goProItem(
        "GPS9", "?", size: 32,
        records(positions) { _, position in
          big(Int32.self, position.latitude.fixed(1e7), position.longitude.fixed(1e7), 50_000, 1200, 125)
          big(Int32.self, 8201, 36_900_000)
          big(UInt16.self, 215, 3)
        })
    }
  }
}
