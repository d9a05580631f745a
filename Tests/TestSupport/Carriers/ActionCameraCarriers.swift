import ClipModel
import Foundation
import ISOMedia

/// Action cameras: Google's camera motion metadata, Insta360, Garmin, TomTom, 360Fly.
extension LocationCarrierFile {
  static var actionCameras: [LocationCarrierFile] {
    [
      LocationCarrierFile("camm-type5", at: ApplicationFolders.seattle) {
        try movie {
          try $0.add(TimedTrack(handler: "camm", format: "camm", samples: ApplicationFolders.seattle.map(cammType5)))
        }
      },
      LocationCarrierFile("camm-type6", at: ApplicationFolders.sydney) {
        try movie {
          try $0.add(TimedTrack(handler: "camm", format: "camm", samples: ApplicationFolders.sydney.map(cammType6)))
        }
      },
      LocationCarrierFile("insta360-trailer", at: ApplicationFolders.rio) {
        try movie { $0.append(insta360Trailer(ApplicationFolders.rio)) }
      },
      LocationCarrierFile("360fly-uuid", at: ApplicationFolders.munich) {
        try movie { $0.append(box("uuid", userType: flyIdentifier, flyRecords(ApplicationFolders.munich))) }
      },
      LocationCarrierFile("garmin-uuid", at: ApplicationFolders.rio) {
        try movie {
          try $0.insert(into: ["moov"]) {
            $0.append(box("uuid", userType: garminIdentifier, garminLog(ApplicationFolders.rio)))
          }
        }
      },
      LocationCarrierFile("tomtom-ttad", at: ApplicationFolders.sydney) {
        try movie {
          try $0.insert(into: ["moov", "udta"]) { udta in
            udta.box("TTMD") { $0.box("TTAD") { $0.append(tomTomLog(ApplicationFolders.sydney)) } }
          }
        }
      },
    ]
  }

  // MARK: Camera motion metadata

  /// Type 5: reserved, type, latitude, longitude, altitude.
  private static func cammType5(_ position: GeoPosition) -> [UInt8] {
    record {
      little(UInt16.self, 0, 5)
      littleDoubles(position.latitude, position.longitude, 50)
    }
  }

  /// Type 6: reserved, type, time, type of fix, latitude, longitude, altitude, accuracies, velocities.
  private static func cammType6(_ position: GeoPosition) -> [UInt8] {
    record {
      little(UInt16.self, 0, 6)
      littleDoubles(1_339_323_300)
      little(UInt32.self, 3)
      littleDoubles(position.latitude, position.longitude)
      littleFloats(50, 2, 3, 0.5, 0.25, 0, 0.1)
    }
  }

  // MARK: Insta360

  /// Records, each followed by its ID and size, and a footer of 72 bytes with the total size and a signature.
  private static func insta360Trailer(_ positions: [GeoPosition]) -> [UInt8] {
    let identity = insta360Texts([(0x0A, "IXE1234567890"), (0x12, "Insta360 ONE X2"), (0x1A, "v1.0.55")])
    let fixes = records(positions) { index, position in
      little(UInt32.self, UInt32(1_655_288_100 + index))
      zeros(6)
      "A"
      littleDoubles(abs(position.latitude))
      position.northSouth
      littleDoubles(abs(position.longitude))
      position.eastWest
      littleDoubles(1.5, 87.9, 50)
    }
    let content = record {
      identity
      little(UInt16.self, 0x101)
      little(UInt32.self, UInt32(identity.count))
      fixes
      little(UInt16.self, 0x700)
      little(UInt32.self, UInt32(fixes.count))
    }
    return record {
      content
      zeros(32)
      little(UInt32.self, UInt32(content.count + 72), 3)
      "8db42d694ccc418790edff439fe026bf"
    }
  }

  private static func insta360Texts(_ texts: [(UInt8, String)]) -> [UInt8] {
    records(texts) { _, text in
      text.0
      UInt8(text.1.utf8.count)
      text.1
    }
  }

  // MARK: 360Fly

  private static let flyIdentifier: [UInt8] = [
    0xEF, 0xE1, 0x58, 0x9A, 0xBB, 0x77, 0x49, 0xEF, 0x80, 0x95, 0x27, 0x75, 0x9E, 0xB1, 0xDC, 0x6F,
  ]

  /// 32 bytes each: type (5 is a position), mode, microseconds, latitude, longitude, altitude, speed, course.
  private static func flyRecords(_ positions: [GeoPosition]) -> [UInt8] {
    records(positions) { index, position in
      [5, 16]
      big(UInt64.self, UInt64(100_000 * (index + 1)))
      big(UInt32.self, Float(position.latitude).bitPattern, Float(position.longitude).bitPattern, Float(50).bitPattern)
      big(UInt16.self, 120, 8790)
      zeros(6)
    }
  }

  // MARK: Garmin

  private static let garminIdentifier: [UInt8] = [
    0x9B, 0x63, 0x0F, 0x8D, 0x63, 0x74, 0x40, 0xEC, 0x82, 0x04, 0xBC, 0x5F, 0xF5, 0x09, 0x17, 0x28,
  ]

  /// A header of 17 bytes; then time since 1904, speed, unknown, latitude and longitude as fractions of 180 degrees.
  private static func garminLog(_ positions: [GeoPosition]) -> [UInt8] {
    zeros(17)
      + records(positions) { index, position in
        big(UInt32.self, UInt32(3_738_132_900 + index))
        big(UInt16.self, 12)
        zeros(6)
        big(Int32.self, semicircles(position.latitude), semicircles(position.longitude))
      }
  }

  /// Degrees as fractions of 180 degrees, in units of 2⁻³¹.
  static func semicircles(_ degrees: Double) -> Int32 { degrees.fixed(0x1p31 / 180) }

  // MARK: TomTom

  /// A header of 76 bytes; then records with a type and fields: type 0xFF is a time in milliseconds, 5 a position.
  private static func tomTomLog(_ positions: [GeoPosition]) -> [UInt8] {
    zeros(76)
      + records(positions) { index, position in
        [0xFF]
        little(UInt32.self, UInt32(100 * index))
        [5]
        littleDoubles(Double(1_655_288_100 + index))
        little(UInt32.self, 3)
        littleDoubles(1.5, 50, position.latitude, position.longitude)
        zeros(4)
        littleDoubles(87.9, 13.3, 17.2, 17.2)
        zeros(12)
      }
  }
}
