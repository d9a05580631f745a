import ClipModel
import Foundation

/// AVI files: lists, chunks that cameras write, padding.
extension LocationCarrierFile {
  static var avi: [LocationCarrierFile] {
    [
      aviFile("avi-info", at: [seattle], confirmedBy: .exiftoolText(seattle.iso6709)) {
        let text = Array("\(seattle.iso6709)\0\0".utf8)  // an even length
        $0.insert(
          "LIST",
          record {
            "INFOIARL"
            little(UInt32.self, UInt32(text.count))
            text
          })
      },
      aviFile("avi-strd", at: [sydney]) { $0.insertIntoFirstStream("strd", aviDirectory(sydney)) },
      aviFile("avi-junk-text", at: [rio], confirmedBy: .exiftoolText(rio.iso6709)) {
        $0.insert("JUNK", Array(rio.iso6709.utf8) + zeros(8))
      },
      aviFile("avi-lucas", at: ApplicationFolders.munich) {
        $0.insert("JUNK", ApplicationFolders.munich.enumerated().flatMap(lucasRecord))
      },
      aviFile("avi-bikebro", at: ApplicationFolders.rio) {
        $0.insert("SLLT", ApplicationFolders.rio.enumerated().flatMap(bikeBroRecord))
      },
      aviFile("avi-id3", at: [munich], confirmedBy: .exiftoolText(munich.iso6709)) { $0.insert("id3 ", id3(munich)) },
      aviFile("avi-gps0", at: ApplicationFolders.sydney) {
        $0.insert("gps0", dudubellRecords(ApplicationFolders.sydney))
      },
      aviFile("avi-xmp", at: [munich]) { $0.insert("_PMX", PictureMetadata.xmp(munich)) },
    ]
  }

  private static func aviFile(
    _ name: String, at positions: [GeoPosition], confirmedBy confirmation: Confirmation = .exiftool,
    _ change: @escaping @Sendable (inout RIFFEdit) -> Void
  ) -> LocationCarrierFile {
    LocationCarrierFile(name, "avi", at: positions, confirmedBy: confirmation) {
      var edit = RIFFEdit(
        try BaseClips.clip("base.avi", ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p", "-c:a", "pcm_s16le"]))
      change(&edit)
      return edit.bytes
    }
  }

  /// `AVIF`, four bytes, and a little-endian TIFF directory, whose offsets are relative to it.
  private static func aviDirectory(_ position: GeoPosition) -> [UInt8] {
    func entry(_ tag: UInt16, _ type: UInt16, _ count: UInt32, _ value: [UInt8]) -> [UInt8] {
      little(UInt16.self, tag, type) + little(UInt32.self, count) + value
    }
    func rationals(_ parts: (degrees: Int, minutes: Int, seconds: Double)) -> [UInt8] {
      little(UInt32.self, UInt32(parts.degrees), 1, UInt32(parts.minutes), 1, parts.seconds.fixed(10_000), 10_000)
    }
    let directory: UInt32 = 18
    let values = directory + 2 + 4 * 12 + 4
    return record {
      "AVIF".padded(to: 8)
      little(UInt16.self, 1)
      entry(0x8825, 4, 1, little(UInt32.self, directory))
      zeros(4)
      little(UInt16.self, 4)
      entry(1, 2, 2, position.northSouth.padded(to: 4))
      entry(2, 5, 3, little(UInt32.self, values))
      entry(3, 2, 2, position.eastWest.padded(to: 4))
      entry(4, 5, 3, little(UInt32.self, values + 24))
      zeros(4)
      rationals(position.latitudeParts)
      rationals(position.longitudeParts)
    }
  }

  /// Lucas: `0GPS`, milliseconds since 1970, length of the text, unknown, and sentences in its own format.
  private static func lucasRecord(_ index: Int, _ position: GeoPosition) -> [UInt8] {
    let time = String(format: "1015%02d", index)
    let location = String(
      format: "%09.4f,%010.4f,049,\(position.northSouth),\(position.eastWest)", position.latitudeDegreesMinutes,
      position.longitudeDegreesMinutes)
    let text = "$GC,\(time),150622,0000955,1,08,1.1,0050,,A*45\r\n$GA,\(time),A,\(location),*4C\r\n\0"
    return record {
      "0GPS"
      little(UInt64.self, UInt64(1_655_288_100_000 + index * 1000))
      little(UInt32.self, UInt32(text.utf8.count))
      zeros(36)
      text
    }
  }

  /// BikeBro: frame, kind, degrees and hundred-millionths of longitude and latitude, altitude, speed, time, letters.
  private static func bikeBroRecord(_ index: Int, _ position: GeoPosition) -> [UInt8] {
    func degrees(_ value: Double) -> [UInt8] {
      let whole = abs(value).rounded(.down)
      return big(UInt16.self, UInt16(whole)) + big(UInt32.self, (abs(value) - whole).fixed(1e8))
    }
    return record {
      big(UInt32.self, UInt32(index))
      [1]
      degrees(position.longitude)
      degrees(position.latitude)
      big(UInt16.self, 50, 12)
      [10, 15, UInt8(index)]
      big(UInt16.self, 2022)
      [6, 15]
      position.eastWest + position.northSouth
    }
  }
}
