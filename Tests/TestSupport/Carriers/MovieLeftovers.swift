import ClipModel
import Foundation
import ISOMedia

/// Parts of an ISO file that most tools ignore: fragments, padding, unreferenced bytes, the end of the file,
/// boxes with 64-bit sizes, tags of other formats.
extension LocationCarrierFile {
  static var movieLeftovers: [LocationCarrierFile] {
    fragments + [
      LocationCarrierFile("free-text", at: [seattle], confirmedBy: .bytes(Array(seattle.iso6709.utf8))) {
        try movie { $0.insert(box("free", zeros(16) + Array(seattle.iso6709.utf8)), before: "moov") }
      },
      LocationCarrierFile("skip-text", at: [sydney], confirmedBy: .bytes(Array(sydney.iso6709.utf8))) {
        try movie { $0.append(box("skip", zeros(16) + Array(sydney.iso6709.utf8) + zeros(16))) }
      },
      LocationCarrierFile("udta-free-text", at: [rio], confirmedBy: .bytes(Array(rio.iso6709.utf8))) {
        try movie { try $0.insert(into: ["moov", "udta"]) { $0.append(box("free", Array(rio.iso6709.utf8))) } }
      },
      LocationCarrierFile("mdat-text", at: [rio], confirmedBy: .bytes(Array(rio.iso6709.utf8))) {
        try movie { $0.append(box("mdat", zeros(32) + Array(rio.iso6709.utf8) + zeros(32))) }
      },
      LocationCarrierFile(
        "mdat-sentences", at: ApplicationFolders.munich, confirmedBy: .bytes(Array(munich.rmc(0).utf8))
      ) {
        let sentences = ApplicationFolders.munich.enumerated().map { index, position in position.rmc(index) + "\r\n" }
        return try movie { $0.append(box("mdat", Array(sentences.joined().utf8))) }
      },
      LocationCarrierFile("trailing-text", at: [munich], confirmedBy: .bytes(Array(munich.iso6709.utf8))) {
        try movie { $0.append(zeros(4) + Array("GPS=\(munich.iso6709)\n".utf8)) }
      },
      LocationCarrierFile(
        "trailing-jpeg", at: [munich], confirmedBy: .exiftoolOnPart([0xFF, 0xD8, 0xFF, 0xE1])
      ) {
        let picture = try PictureMetadata.jpeg(munich)
        return try movie { $0.append(zeros(4) + picture) }
      },
      LocationCarrierFile("id32-position", at: [sydney], confirmedBy: .bytes(Array(sydney.iso6709.utf8))) {
        try movie {
          try $0.insert(into: ["moov"]) { moov in
            moov.fullBox("meta") { meta in
              writeHandler("ID32", to: &meta)
              meta.fullBox("ID32") { tag in
                tag.u16(0x15C7)
                tag.append(id3(sydney))
              }
            }
          }
        }
      },
      LocationCarrierFile("64-bit-xyz", at: [seattle]) {
        var edit = try BaseClips.mp4WithMovieLast
        try edit.insert(into: ["moov", "udta"]) {
          writeText("©xyz", seattle.iso6709, to: &$0)
        }
        try edit.use64BitOffsets()
        return try edit.bytes
      },
    ]
  }

  // MARK: Fragments

  private static var fragments: [LocationCarrierFile] {
    [
      LocationCarrierFile("fragmented-xyz", at: [munich]) {
        try movie(BaseClips.fragmentedMP4) {
          try $0.insert(into: ["moov", "udta"]) {
            writeText("©xyz", munich.iso6709, to: &$0)
          }
        }
      },
      LocationCarrierFile("emsg-text", at: [rio], confirmedBy: .bytes(Array(rio.iso6709.utf8))) {
        try movie(BaseClips.fragmentedMP4) { $0.insert(event(rio), before: "moof") }
      },
      LocationCarrierFile("moof-udta-xyz", at: [sydney], confirmedBy: .bytes(Array(sydney.iso6709.utf8))) {
        var writer = BoxWriter()
        writeText("©xyz", sydney.iso6709, to: &writer)
        let text = writer.bytes
        return try movie(BaseClips.fragmentedMP4) { try $0.insertIntoFragment(["udta"], text) }
      },
      LocationCarrierFile("moof-meta-xml", at: [seattle], confirmedBy: .bytes(PictureMetadata.xmp(seattle))) {
        var writer = BoxWriter()
        writer.fullBox("meta") { meta in
          writeHandler("xml ", to: &meta)
          meta.fullBox("xml ") { $0.append(PictureMetadata.xmp(seattle)) }
        }
        let metadata = writer.bytes
        return try movie(BaseClips.fragmentedMP4) { try $0.insertIntoFragment([], metadata) }
      },
    ]
  }

  /// An event message of version 1 (ISO/IEC 23009-1, 5.10.3): time, duration, ID, scheme, value, content.
  private static func event(_ position: GeoPosition) -> [UInt8] {
    var writer = BoxWriter()
    writer.fullBox("emsg", version: 1) { box in
      box.u32(1000)
      box.u64(0)
      box.u32(500)
      box.u32(1)
      box.text("https://example.org/position\0")
      box.text("1\0")
      box.text(position.iso6709)
    }
    return writer.bytes
  }

  // MARK: ID3

  /// ID3v2.4 with one frame of user text: encoding (UTF-8), name, value. Sizes use seven bits per byte.
  static func id3(_ position: GeoPosition) -> [UInt8] {
    func size(_ count: Int) -> [UInt8] { [21, 14, 7, 0].map { UInt8(count >> $0 & 0x7F) } }
    let content = Array("\u{3}LOCATION\0\(position.iso6709)".utf8)
    let frame = record {
      "TXXX"
      size(content.count)
      [0, 0]
      content
    }
    return record {
      "ID3"
      [4, 0, 0]
      size(frame.count)
      frame
    }
  }
}
