import ClipModel
import ISOMedia

/// Apple's metadata keys: of the movie, of a track, and in a timed metadata track.
extension LocationCarrierFile {
  static var apple: [LocationCarrierFile] {
    [
      LocationCarrierFile("apple-keys", "mov", at: [seattle]) {
        try movie(BaseClips.mov) { try $0.insert(into: ["moov"]) { writeAppleKeys(to: &$0) } }
      },
      LocationCarrierFile("apple-keys-language", "mov", at: [seattle]) {
        try movie(BaseClips.mov) {
          try $0.insert(into: ["moov"]) {
            // US, eng: exiftool and ffprobe append this to the key.
            writeMetadata(["com.apple.quicktime.location.ISO6709": seattle.iso6709], locale: 0x5553_15C7, to: &$0)
          }
        }
      },
      LocationCarrierFile("apple-mebx-location", "mov", at: ApplicationFolders.seattle) {
        try movie(BaseClips.mov) {
          try $0.add(
            TimedTrack(
              handler: "meta", name: "Core Media Metadata", format: "mebx",
              entry: boxedKeys(["com.apple.quicktime.location.ISO6709"]), mediaHeader: .generic,
              samples: ApplicationFolders.seattle.map { boxedSample(1, Array($0.iso6709.utf8)) }))
        }
      },
      LocationCarrierFile("apple-mebx-faces", "mov", at: [], confirmedBy: .exiftoolText("DetectedFace")) {
        try movie(BaseClips.mov) {
          try $0.add(
            TimedTrack(
              handler: "meta", name: "Core Media Metadata", format: "mebx",
              entry: boxedKeys(["com.apple.quicktime.detected-face.face-id"]), mediaHeader: .generic,
              samples: [boxedSample(1, Array("7".utf8)), boxedSample(1, Array("8".utf8))]))
        }
      },
      LocationCarrierFile("apple-track-keys", "mov", at: [sydney]) {
        try movie(BaseClips.mov) {
          try $0.insert(into: ["moov", "trak"]) {
            writeMetadata(["com.apple.quicktime.location.ISO6709": sydney.iso6709], to: &$0)
          }
        }
      },
      LocationCarrierFile("ffmpeg-keys", at: [rio]) {
        try BaseClips.clip(
          "keys.mp4",
          BaseClips.h264 + ["-movflags", "+use_metadata_tags"]
            + ["-metadata", "com.apple.quicktime.location.ISO6709=\(rio.iso6709)"])
      },
    ]
  }

  /// The keys that an iPhone writes, and those that users may add. Make and model aren't location data and must be
  /// kept.
  private static func writeAppleKeys(to moov: inout BoxWriter) {
    let location = "com.apple.quicktime.location."
    let items: KeyValuePairs = [
      "com.apple.quicktime.make": "Apple", location + "ISO6709": seattle.iso6709,
      location + "accuracy.horizontal": "4.766", location + "name": "Sports hall", location + "body": "earth",
      location + "role": "0", location + "note": "Court 2", location + "date": "2022-06-15T10:15:00+0200",
      "com.apple.quicktime.model": "iPhone 13",
    ]
    writeMetadata(items, to: &moov)
  }

  /// QuickTime's `meta`, which has no version, with keys and the items that refer to them by number.
  private static func writeMetadata(
    _ items: KeyValuePairs<String, String>, locale: UInt32 = 0, to moov: inout BoxWriter
  ) {
    moov.box("meta") { meta in
      writeHandler("mdta", to: &meta)
      meta.fullBox("keys") { keys in
        keys.u32(UInt32(items.count))
        for (key, _) in items { keys.box("mdta") { $0.text(key) } }
      }
      meta.box("ilst") { list in
        for (index, item) in items.enumerated() {
          list.box(FourCC(UInt32(index + 1))) { writeData(item.value, locale: locale, to: &$0) }
        }
      }
    }
  }

  /// The keys of a timed metadata track: a box for each local ID with its name and type (UTF-8).
  private static func boxedKeys(_ names: [String]) -> [UInt8] {
    var writer = BoxWriter()
    writer.box("keys") { keys in
      for (index, name) in names.enumerated() {
        keys.box(FourCC(UInt32(index + 1))) { key in
          key.box("keyd") { $0.text("mdta" + name) }
          key.box("dtyp") { type in
            type.u32(0)
            type.u32(1)
          }
        }
      }
    }
    return writer.bytes
  }

  private static func boxedSample(_ id: UInt32, _ value: [UInt8]) -> [UInt8] {
    box(FourCC(id), value)
  }
}
