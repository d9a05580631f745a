import ClipModel
import Foundation
import ISOMedia

/// MPEG transport streams: metadata in the program map, and unlisted packets.
extension LocationCarrierFile {
  static var transportStreams: [LocationCarrierFile] {
    [
      LocationCarrierFile("ts-klv", "ts", at: ApplicationFolders.munich) {
        // Registered as KLVA, and a metadata descriptor with the same name.
        try transportStream {
          $0.add(
            pid: 0x110, type: 0x15, descriptors: Array("\u{5}\u{4}KLVA".utf8), streamID: 0xFC,
            ApplicationFolders.munich.enumerated().map(motionImageryUnit))
        }
      },
      LocationCarrierFile("ts-id3", "ts", at: ApplicationFolders.seattle, confirmedBy: .ffprobe("timed_id3")) {
        try transportStream {
          $0.add(
            pid: 0x111, type: 0x15,
            descriptors: record {
              [0x26, 13, 0xFF, 0xFF]
              "ID3 "
              [0xFF]
              "ID3 "
              [0, 0x0F]
            },
            streamID: 0xBD, ApplicationFolders.seattle.map(id3))
        }
      },
      LocationCarrierFile("ts-novatek", "ts", at: ApplicationFolders.sydney) {
        // Unlisted packets, as Viofo and Novatek write them.
        try transportStream { $0.addUnlisted(pid: 0x300, ApplicationFolders.sydney.map(transportRecord)) }
      },
      LocationCarrierFile("ts-innovv", "ts", at: ApplicationFolders.rio) {
        try transportStream { $0.addUnlisted(pid: 0x300, [innovvRecords(ApplicationFolders.rio).padded(to: 300)]) }
      },
      LocationCarrierFile("ts-gpsinfo", "ts", at: ApplicationFolders.munich) {
        try transportStream { $0.addUnlisted(pid: 0x1E4, ApplicationFolders.munich.enumerated().map(commaRecord)) }
      },
    ]
  }

  /// VSYS: flags, date and time, latitude and longitude as degrees with minutes, speed, unknown, course.
  private static func commaRecord(_ index: Int, _ position: GeoPosition) -> [UInt8] {
    let place = String(format: "%.5f,%.5f", position.latitudeDegreesMinutes, position.longitudeDegreesMinutes)
    return "$GPSINFO,0x0004,2022.06.15 10:15:0\(index),\(place),8.0,51,153,0,0,\r".padded(to: 300)
  }

  private static func transportStream(_ change: (inout TransportStreamEdit) -> Void) throws -> [UInt8] {
    var edit = TransportStreamEdit(
      try BaseClips.clip("base.ts", ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac", "-f", "mpegts"]))
    change(&edit)
    return edit.bytes
  }

  /// A metadata access unit (service, number, flags, length) with a local set of MISB ST 0601: its 16-byte key, length,
  /// and items of tag, length, value. 13 is the sensor's latitude as a fraction of 90 degrees; 14 its longitude.
  private static func motionImageryUnit(_ index: Int, _ position: GeoPosition) -> [UInt8] {
    let key: [UInt8] = [6, 0x0E, 0x2B, 0x34, 2, 0x0B, 1, 1, 0x0E, 1, 3, 1, 1, 0, 0, 0]
    let limit = Double(Int32.max)
    let time = UInt64(1_655_288_100_000_000 + index * 100_000)
    let items = record {
      [2, 8]
      big(UInt64.self, time)
      [13, 4]
      big(Int32.self, position.latitude.fixed(limit / 90))
      [14, 4]
      big(Int32.self, position.longitude.fixed(limit / 180))
      [15, 2, 0x30, 0]
    }
    return record {
      [0, UInt8(index), 0x0F]
      big(UInt16.self, UInt16(key.count + 1 + items.count))
      key
      UInt8(items.count)
      items
    }
  }

  /// Viofo A119V3: date, letters, latitude and longitude as degrees with minutes, speed, course; then zeros up to the
  /// camera's length.
  private static func transportRecord(_ position: GeoPosition) -> [UInt8] {
    record {
      dashCamDate(year: 22)
      "A\(position.northSouth)\(position.eastWest)\0"
      littleFloats(position.latitudeDegreesMinutes, position.longitudeDegreesMinutes, 6.5, 87.9)
      zeros(240)
    }
  }
}
