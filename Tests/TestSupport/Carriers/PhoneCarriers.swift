import ClipModel
import ISOMedia

/// Phones, and programs that write the same tags.
extension LocationCarrierFile {
  static var phones: [LocationCarrierFile] {
    userData + itemLists + [
      LocationCarrierFile("xmp-uuid", at: [rio]) {
        try movie {
          $0.append(box("uuid", userType: xmpIdentifier, PictureMetadata.xmp(rio)))
        }
      },
      LocationCarrierFile("xmp-udta", "mov", at: [rio]) {
        try movie(BaseClips.mov) {
          try $0.insert(into: ["moov", "udta"]) { $0.box("XMP_") { $0.append(PictureMetadata.xmp(rio)) } }
        }
      },
      LocationCarrierFile(
        "exif-uuid", at: [sydney], confirmedBy: .exiftoolOnPart(Array("MM\0*".utf8))
      ) {
        try movie {
          $0.append(box("uuid", userType: Array("JpgTiffExif->JP2".utf8), PictureMetadata.tiff(sydney)))
        }
      },
    ]
  }

  // MARK: User data

  private static var userData: [LocationCarrierFile] {
    [
      LocationCarrierFile("quicktime-xyz", at: [seattle]) {
        try movie { try $0.insert(into: ["moov", "udta"]) { writeText("©xyz", seattle.iso6709, to: &$0) } }
      },
      LocationCarrierFile("quicktime-xyz-movie-last", at: [sydney]) {
        try movie(BaseClips.mp4WithMovieLast) {
          try $0.insert(into: ["moov", "udta"]) { writeText("©xyz", sydney.iso6709, to: &$0) }
        }
      },
      LocationCarrierFile("google-track-xyz", at: [munich]) {
        try movie { try $0.insert(into: ["moov", "trak", "udta"]) { writeText("©xyz", munich.iso6709, to: &$0) } }
      },
      LocationCarrierFile("ricoh-xyz", "mov", at: [rio]) {
        try movie(BaseClips.mov) {
          try $0.insert(into: ["moov", "udta"]) { $0.box("@xyz") { $0.text(rio.iso6709) } }
        }
      },
      LocationCarrierFile("ffmpeg-loci", at: [munich]) {
        try BaseClips.clip("loci.mp4", BaseClips.h264 + ["-metadata", "location=\(munich.iso6709)"])
      },
      LocationCarrierFile("ffmpeg-xyz", "mov", at: [rio]) {
        try BaseClips.clip("xyz.mov", BaseClips.h264 + ["-metadata", "location=\(rio.iso6709)"])
      },
      LocationCarrierFile("3gpp-loci", at: [sydney]) {
        try movie { try $0.insert(into: ["moov", "udta"]) { writeLoci(sydney, to: &$0) } }
      },
    ]
  }

  /// QuickTime's text in user data: length, packed language (eng), text.
  static func writeText(_ type: FourCC, _ text: String, to box: inout BoxWriter) {
    box.box(type) { box in
      box.u16(UInt16(text.utf8.count))
      box.u16(0x15C7)
      box.text(text)
    }
  }

  /// 3GPP TS 26.244, 8.10: language, name, role (0 is the shooting location), longitude, latitude and altitude as
  /// 16.16, astronomical body, notes.
  private static func writeLoci(_ position: GeoPosition, to box: inout BoxWriter) {
    box.fullBox("loci") { box in
      box.u16(0x15C7)
      box.text("Beach\0")
      box.u8(0)
      box.append(big(Int32.self, position.longitude.fixed(65_536), position.latitude.fixed(65_536), 12 << 16))
      box.text("earth\0\0")
    }
  }

  // MARK: Item lists

  private static var itemLists: [LocationCarrierFile] {
    [
      LocationCarrierFile("itunes-xyz", at: [munich]) {
        try movie {
          try $0.insert(into: ["moov", "udta"]) { udta in
            writeItemList(to: &udta) { $0.box("©xyz") { writeData(munich.iso6709, to: &$0) } }
          }
        }
      },
      LocationCarrierFile("itunes-freeform", at: [munich], confirmedBy: .exiftoolText(munich.iso6709)) {
        try movie {
          try $0.insert(into: ["moov", "udta"]) { udta in
            writeItemList(to: &udta) { list in
              list.box("----") { item in
                item.fullBox("mean") { $0.text("com.apple.iTunes") }
                item.fullBox("name") { $0.text("LOCATION") }
                writeData(munich.iso6709, to: &item)
              }
            }
          }
        }
      },
      LocationCarrierFile(
        "cover-exif", at: [munich], confirmedBy: .exiftoolOnPart([0xFF, 0xD8, 0xFF, 0xE1])
      ) {
        let picture = try PictureMetadata.jpeg(munich)
        return try movie {
          try $0.insert(into: ["moov", "udta"]) { udta in
            writeItemList(to: &udta) { list in
              list.box("covr") { item in
                item.box("data") { data in
                  data.u32(13)  // JPEG
                  data.u32(0)
                  data.append(picture)
                }
              }
            }
          }
        }
      },
    ]
  }

  private static func writeItemList(to udta: inout BoxWriter, _ items: (inout BoxWriter) -> Void) {
    udta.fullBox("meta") { meta in
      writeHandler("mdir", to: &meta)
      meta.box("ilst", items)
    }
  }

  static func writeData(_ text: String, locale: UInt32 = 0, to item: inout BoxWriter) {
    item.box("data") { data in
      data.u32(1)  // UTF-8
      data.u32(locale)
      data.text(text)
    }
  }

  static func writeHandler(_ handler: FourCC, to meta: inout BoxWriter) {
    meta.fullBox("hdlr") { box in
      box.u32(0)
      box.fourCC(handler)
      box.zeros(13)
    }
  }

  // MARK: Shared helpers

  static let seattle = ApplicationFolders.seattle[0]
  static let sydney = ApplicationFolders.sydney[0]
  static let rio = ApplicationFolders.rio[0]
  static let munich = ApplicationFolders.munich[0]

  /// The user type of Adobe's XMP.
  static let xmpIdentifier: [UInt8] = [
    0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
  ]

  /// A clip with added content.
  static func movie(
    _ base: @autoclosure () throws -> MovieEdit = try BaseClips.mp4, _ change: (inout MovieEdit) throws -> Void
  ) throws -> [UInt8] {
    var edit = try base()
    try change(&edit)
    return try edit.bytes
  }

  static func box(_ type: FourCC, userType: [UInt8] = [], _ payload: [UInt8]) -> [UInt8] {
    var writer = BoxWriter()
    writer.box(type, userType: userType) { $0.append(payload) }
    return writer.bytes
  }
}
