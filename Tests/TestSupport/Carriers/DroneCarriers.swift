import ClipModel
import Foundation
import ISOMedia

/// Drones: DJI, Yuneec, Parrot.
extension LocationCarrierFile {
  static var drones: [LocationCarrierFile] {
    [
      LocationCarrierFile("dji-text", "mov", at: ApplicationFolders.munich) {
        try movie(BaseClips.mov) {
          try $0.add(
            TimedTrack(
              handler: "text", name: "DJI.Meta", format: "text", entry: textEntry, mediaHeader: .generic,
              samples: ApplicationFolders.munich.map(djiText)))
        }
      },
      LocationCarrierFile(
        "dji-subtitle", at: ApplicationFolders.rio,
        confirmedBy: .exiftoolText("[latitude: -22.951916] [longitude: -43.210487]")
      ) {
        try movie {
          try $0.add(
            TimedTrack(
              handler: "sbtl", name: "DJI.Subtitle", format: "tx3g", entry: subtitleEntry,
              samples: ApplicationFolders.rio.map { subtitle(djiSubtitle($0)) }))
        }
      },
      LocationCarrierFile("yuneec-tx3g", at: ApplicationFolders.sydney) {
        try movie {
          try $0.add(
            TimedTrack(
              handler: "sbtl", format: "tx3g", entry: subtitleEntry,
              samples: ApplicationFolders.sydney.map { subtitle(yuneecText($0)) }))
        }
      },
      LocationCarrierFile("dji-djmd", at: ApplicationFolders.seattle, confirmedBy: .ffprobe("djmd")) {
        try movie {
          try $0.add(
            TimedTrack(
              handler: "meta", name: "CAM meta", format: "djmd", samples: ApplicationFolders.seattle.map(djiRecord)))
        }
      },
      LocationCarrierFile("dji-dbgi", at: [], confirmedBy: .ffprobe("dbgi")) {
        try movie {
          try $0.add(
            TimedTrack(handler: "meta", name: "CAM dbgi", format: "dbgi", samples: [zeros(64), zeros(64)]))
        }
      },
      LocationCarrierFile("dji-priv", at: [], confirmedBy: .ffprobe("priv")) {
        try movie { try $0.add(TimedTrack(handler: "meta", name: "DJI.Meta", format: "priv", samples: [zeros(48)])) }
      },
      LocationCarrierFile("parrot-mett-v3", at: ApplicationFolders.munich) {
        try movie {
          try $0.add(
            TimedTrack(
              handler: "meta", name: "Parrot video metadata", format: "mett", entry: parrotEntry,
              samples: ApplicationFolders.munich.map(parrotRecord3)))
        }
      },
      LocationCarrierFile("parrot-mett-v1", at: ApplicationFolders.rio) {
        try movie {
          try $0.add(
            TimedTrack(
              handler: "meta", name: "Parrot video metadata", format: "mett", entry: parrotEntry,
              samples: ApplicationFolders.rio.map(parrotRecord1)))
        }
      },
    ]
  }

  // MARK: DJI

  private static func djiText(_ position: GeoPosition) -> [UInt8] {
    let location = String(format: "GPS (%.4f, %.4f, 18)", position.longitude, position.latitude)
    return Array("F/3.5, SS 1000, ISO 100, EV 0, \(location), D 24.26m, H 6.00m, H.S 2.10m/s, V.S 0.00m/s \n".utf8)
  }

  private static func djiSubtitle(_ position: GeoPosition) -> String {
    let location = String(format: "[latitude: %.6f] [longitude: %.6f]", position.latitude, position.longitude)
    return "FrameCnt: 1 2022-06-15 10:15:00.000\n[iso: 100] [shutter: 1/500.0] \(location) [rel_alt: 6.0 abs_alt: 50.0]"
  }

  /// A protocol buffer as DJI's newer drones write it: the schema name and the serial number, then a position
  /// in a nested message, in degrees as doubles. The field numbers of the position depend on the model.
  private static func djiRecord(_ position: GeoPosition) -> [UInt8] {
    func field(_ number: UInt8, @FieldBuilder _ content: () -> [UInt8]) -> [UInt8] {
      [number << 3 | 2, UInt8(content().count)] + content()
    }
    return record {
      field(1) {
        field(1) { "dvtm_Mini4_Pro.proto" }
        field(5) { "1581F6Z9C23AB0012345" }
      }
      field(3) {
        field(4) {
          field(1) {
            [1 << 3, 1, 2 << 3 | 1]
            littleDoubles(position.latitude)
            [3 << 3 | 1]
            littleDoubles(position.longitude)
          }
        }
      }
    }
  }

  // MARK: Subtitles

  /// 3GPP timed text: flags, justification, color, box, style of 12 bytes, and a table without fonts.
  static let subtitleEntry = zeros(30) + box("ftab", zeros(2))

  /// A two-byte length, and the text.
  private static func subtitle(_ text: String) -> [UInt8] {
    big(UInt16.self, UInt16(text.utf8.count)) + Array(text.utf8)
  }

  private static func yuneecText(_ position: GeoPosition) -> String {
    String(
      format: "Lat:%.6f Lon:%.6f Alt:50.0m Yaw:12.0 Pitch:1.0 Roll:0.5 GimYaw:0.0 GimPitch:-30.0 GimRoll:0.0",
      position.latitude, position.longitude)
  }

  // MARK: Parrot

  /// An empty content encoding, and the type of the text.
  private static let parrotEntry = Array("\0application/octet-stream;type=com.parrot.videometadata3\0".utf8)

  /// `P3`, length in words without the first; elevation, latitude and longitude with 22 fraction bits, altitude.
  private static func parrotRecord3(_ position: GeoPosition) -> [UInt8] {
    record {
      "P3"
      big(UInt16.self, 17)
      big(Int32.self, 6 << 16)
      big(Int32.self, position.latitude.fixed(0x40_0000), position.longitude.fixed(0x40_0000), 50 << 8)
    }.padded(to: 72)
  }

  /// `P1`: 24 bytes of attitude and exposure before latitude and longitude with 20 fraction bits.
  private static func parrotRecord1(_ position: GeoPosition) -> [UInt8] {
    record {
      "P1"
      big(UInt16.self, 13)
      zeros(24)
      big(Int32.self, position.latitude.fixed(0x10_0000), position.longitude.fixed(0x10_0000), 50 << 8)
    }.padded(to: 56)
  }
}
