import ClipModel
import Foundation
import ISOMedia

/// Dash cams with a text track: NMEA sentences, some of them obfuscated.
extension LocationCarrierFile {
  static var dashCamTexts: [LocationCarrierFile] {
    [
      LocationCarrierFile("mini0806-text", "mov", at: ApplicationFolders.seattle) {
        try textMovie(ApplicationFolders.seattle.map(commaText))
      },
      LocationCarrierFile("thinkware-rmc-text", "mov", at: ApplicationFolders.munich) {
        try textMovie(
          ApplicationFolders.munich.enumerated().map { index, position in
            let sentence = position.rmc(index).dropFirst()
            return Array("gsensori,4,512,-67,-12,100;\(sentence);CAR,0,0,0,0.0,0,0,0,0,0,0,0,0".utf8)
          })
      },
      LocationCarrierFile("garmin-pndm", at: ApplicationFolders.rio) {
        try movie {
          try $0.add(
            TimedTrack(
              handler: "text", format: "text", entry: textEntry, samples: ApplicationFolders.rio.map(garminTextRecord)))
        }
      },
      LocationCarrierFile("ambarella-text", at: ApplicationFolders.sydney) {
        try movie {
          try $0.add(
            TimedTrack(
              handler: "text", format: "text", entry: textEntry, samples: ApplicationFolders.sydney.map(encipheredText))
          )
        }
      },
      LocationCarrierFile("eprance-text", "mov", at: ApplicationFolders.rio) {
        try textMovie(ApplicationFolders.rio.enumerated().map { index, position in shiftedText(index, position) })
      },
      LocationCarrierFile("roadhawk-text", "mov", at: ApplicationFolders.munich) {
        try textMovie(
          ApplicationFolders.munich.enumerated().map { index, position in substitutedText(index, position) })
      },
    ]
  }

  private static func textMovie(_ samples: [[UInt8]]) throws -> [UInt8] {
    try movie(BaseClips.mov) {
      try $0.add(
        TimedTrack(handler: "text", format: "text", entry: textEntry, mediaHeader: .generic, samples: samples))
    }
  }

  /// Flags, justification, colors, box and font of QuickTime's text: all zero, and a font without a name.
  static let textEntry = zeros(44)

  /// Mini 0806: status, date, time, position in degrees and minutes, speed, altitude, acceleration.
  private static func commaText(_ position: GeoPosition) -> [UInt8] {
    let location = String(
      format: "%09.4f,\(position.northSouth),%010.4f,\(position.eastWest)", position.latitudeDegreesMinutes,
      position.longitudeDegreesMinutes)
    return Array("A,150622,101500.000,\(location),012.5,331.0M,+01.84,-09.80,-00.61;\n".utf8)
  }

  /// `PNDM`, unknown, speed in miles per hour, unknown, latitude and longitude as fractions of 180 degrees.
  private static func garminTextRecord(_ position: GeoPosition) -> [UInt8] {
    record {
      "PNDM".padded(to: 8)
      big(UInt16.self, 12, 0)
      big(Int32.self, semicircles(position.latitude), semicircles(position.longitude), 0)
    }
  }

  /// Ambarella's text, each byte XORed with 0xAA: date, position in degrees and minutes, altitude, speed.
  private static func encipheredText(_ position: GeoPosition) -> [UInt8] {
    let plain = record {
      "XKZD"
      [0xFE, 0xFE]
      "20220615101500".padded(to: 30)
      digits(position)
      "+0050012"
    }
    return zeros(2) + plain.padded(to: 300).map { $0 ^ 0xAA }
  }

  /// E-PRANCE: acceleration and an NMEA sentence with 0x20 subtracted from each character, between a zero and a line
  /// end.
  private static func shiftedText(_ index: Int, _ position: GeoPosition) -> [UInt8] {
    [0] + "+0.0 -0.1 +1.0\t\(position.rmc(index))".utf8.map { $0 &- 0x20 } + Array("\n".utf8)
  }

  /// Roadhawk: a substitution cipher, with an alphabet that starts at `+`.
  private static func substitutedText(_ index: Int, _ position: GeoPosition) -> [UInt8] {
    let alphabet = Array("-I8XQWRVNZOYPUTA0B1C2SJ9K.L,M$D3E4F5G6H7".utf8)
    let sentence = position.rmc(index).prefix { $0 != "*" }
    let plain = "X0000.2340Y-000.0720Z0000.9900G0001.0400\(sentence)"
    return plain.utf8.compactMap { alphabet.firstIndex(of: $0) }.map { UInt8(43 + $0) } + Array("*6F~".utf8)
  }
}
