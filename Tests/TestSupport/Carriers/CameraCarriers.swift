import ClipModel
import Foundation
import ISOMedia

/// Cameras: Canon, Nikon, Panasonic, Samsung, Sony, Ricoh.
extension LocationCarrierFile {
  static var cameras: [LocationCarrierFile] {
    [
      LocationCarrierFile("canon-cmt4", at: [sydney]) {
        try movie {
          try $0.insert(into: ["moov"]) {
            $0.append(box("uuid", userType: canonIdentifier, box("CMT4", PictureMetadata.gpsTIFF(sydney))))
          }
        }
      },
      LocationCarrierFile("canon-ctmd", at: ApplicationFolders.munich) {
        try movie {
          try $0.add(TimedTrack(handler: "meta", format: "CTMD", samples: ApplicationFolders.munich.map(canonRecords)))
        }
      },
      LocationCarrierFile("nikon-nctg", "mov", at: [seattle]) {
        try movie(BaseClips.mov) {
          try $0.insert(into: ["moov", "udta", "NCDT"]) { $0.box("NCTG") { $0.append(nikonRecords(seattle)) } }
        }
      },
      LocationCarrierFile("panasonic-pana", at: [munich]) {
        try movie { try $0.insert(into: ["moov", "udta"]) { $0.append(box("PANA", panasonicBlock(munich))) } }
      },
      LocationCarrierFile("samsung-sec", at: [rio]) {
        let thumbnail = try PictureMetadata.jpeg(rio)
        return try movie {
          try $0.insert(into: ["moov", "udta"]) { $0.append(box("@sec", samsungBlock(thumbnail))) }
        }
      },
      LocationCarrierFile("ricoh-rmkn", "mov", at: [sydney]) {
        try movie(BaseClips.mov) {
          try $0.insert(into: ["moov", "udta"]) { $0.box("RMKN") { $0.append(PictureMetadata.tiff(sydney)) } }
        }
      },
      LocationCarrierFile(
        "thmb-exif", at: [rio], confirmedBy: .exiftoolOnPart([0xFF, 0xD8, 0xFF, 0xE1])
      ) {
        let thumbnail = try PictureMetadata.jpeg(rio)
        return try movie {
          try $0.insert(into: ["moov", "udta"]) { udta in
            udta.fullBox("thmb") { $0.append(Array("jpeg".utf8) + thumbnail) }
          }
        }
      },
      LocationCarrierFile("sony-rtmd", at: ApplicationFolders.seattle) {
        try movie {
          try $0.add(
            TimedTrack(
              handler: "meta", name: "Timed Metadata Media Handler", format: "rtmd",
              samples: ApplicationFolders.seattle.map(sonyRecord)))
        }
      },
      LocationCarrierFile("sony-nrtm", at: [seattle], confirmedBy: .exiftoolText("47:38:20.443")) {
        try movie {
          $0.insert(sonyMetadata(seattle), before: "mdat")
        }
      },
    ]
  }

  // MARK: Canon

  private static let canonIdentifier: [UInt8] = [
    0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
  ]

  /// Records with size, type, six bytes and content: type 1 is the time, 7 contains Exif blocks with size and tag.
  private static func canonRecords(_ position: GeoPosition) -> [UInt8] {
    let tiff = PictureMetadata.tiff(position)
    return record {
      little(UInt32.self, 24)
      little(UInt16.self, 1)
      [0, 0, 0, 1, 0, 0]
      little(UInt16.self, 0, 2022)
      [6, 15, 10, 15, 0, 0, 0, 0]
      little(UInt32.self, UInt32(tiff.count + 20))
      little(UInt16.self, 7)
      [1, 1, 0, 1, 0xFF, 0xFF]
      little(UInt32.self, UInt32(tiff.count + 8), 0x8769)
      tiff
    }
  }

  // MARK: Nikon

  /// Tag, type and count as in Exif, and the value. Tags from 0x01200000 are those of the GPS directory.
  private static func nikonRecords(_ position: GeoPosition) -> [UInt8] {
    func item(_ tag: UInt32, type: UInt16, count: UInt16, _ value: [UInt8]) -> [UInt8] {
      big(UInt32.self, tag) + big(UInt16.self, type, count) + value
    }
    return record {
      item(1, type: 2, count: 6, "NIKON".padded(to: 6))
      item(2, type: 2, count: 14, "COOLPIX AW100".padded(to: 14))
      item(0x120_0000, type: 1, count: 4, [2, 3, 0, 0])
      item(0x120_0001, type: 2, count: 2, position.northSouth.padded(to: 2))
      item(0x120_0002, type: 5, count: 3, PictureMetadata.rationals(position.latitudeParts))
      item(0x120_0003, type: 2, count: 2, position.eastWest.padded(to: 2))
      item(0x120_0004, type: 5, count: 3, PictureMetadata.rationals(position.longitudeParts))
    }
  }

  // MARK: Panasonic, Samsung

  /// 16 bytes, and the start of a JPEG file: SOI and APP1 with Exif.
  private static func panasonicBlock(_ position: GeoPosition) -> [UInt8] {
    let exif = PictureMetadata.exif(position)
    return record {
      zeros(16)
      [0xFF, 0xD8, 0xFF, 0xE1]
      big(UInt16.self, UInt16(exif.count + 2))
      exif
      [0xFF, 0xD9]
    }
  }

  /// Make and model of 32 bytes each; at byte 512 width, height and length of the thumbnail, and the thumbnail.
  private static func samsungBlock(_ thumbnail: [UInt8]) -> [UInt8] {
    record {
      "SAMSUNG".padded(to: 32)
      "WB30F".padded(to: 480)
      big(UInt32.self, 32, 32, UInt32(thumbnail.count))
      thumbnail
    }
  }

  // MARK: Sony

  /// A header with its length, then tag, length and value. Tags from 0x8500 are those of the GPS directory.
  private static func sonyRecord(_ position: GeoPosition) -> [UInt8] {
    func item(_ tag: UInt16, _ value: [UInt8]) -> [UInt8] { big(UInt16.self, tag, UInt16(value.count)) + value }
    return record {
      big(UInt16.self, 28)
      zeros(26)
      item(0x8000, big(UInt16.self, 45_000))
      item(0x8500, [2, 2, 0, 0])
      item(0x8501, position.northSouth.padded(to: 2))
      item(0x8502, PictureMetadata.rationals(position.latitudeParts))
      item(0x8503, position.eastWest.padded(to: 2))
      item(0x8504, PictureMetadata.rationals(position.longitudeParts))
      item(0x8509, "A".padded(to: 2))
    }
  }

  /// A top-level `meta` box with Sony's XML, which contains the position as in Exif.
  private static func sonyMetadata(_ position: GeoPosition) -> [UInt8] {
    func text(_ parts: (degrees: Int, minutes: Int, seconds: Double)) -> String {
      "\(parts.degrees):\(parts.minutes):\(String(format: "%06.3f", parts.seconds))"
    }
    let xml = """
      <?xml version="1.0" encoding="UTF-8"?>
      <NonRealTimeMeta xmlns="urn:schemas-professionalDisc:nonRealTimeMeta:ver.2.00" lastUpdate="2022-06-15T10:15:00Z">
      <Duration value="5"/>
      <Device manufacturer="Sony" modelName="ILCE-7M3" serialNo="4294967295"/>
      <AcquisitionRecord><Group name="ExifGPS">
      <Item name="LatitudeRef" value="\(position.northSouth)"/>
      <Item name="Latitude" value="\(text(position.latitudeParts))"/>
      <Item name="LongitudeRef" value="\(position.eastWest)"/>
      <Item name="Longitude" value="\(text(position.longitudeParts))"/>
      </Group></AcquisitionRecord>
      </NonRealTimeMeta>
      """
    var writer = BoxWriter()
    writer.fullBox("meta") { meta in
      writeHandler("nrtm", to: &meta)
      meta.fullBox("xml ") { $0.text(xml) }
    }
    return writer.bytes
  }
}
