import ISOMedia
import LocationFormats

/// The names and types of metadata in MP4 and QuickTime files, and the private data that they represent.
enum MetadataVocabulary {
  struct MetadataMeaning: Equatable, Sendable {
    var kind: String
    var disclosure: PayloadFinding.Disclosure
    var isModel = false
  }

  /// Returns the meaning of a key, such as `com.apple.quicktime.location.ISO6709`, `com.android.model` or
  /// `RECORDING_LOCATION`.
  /// - Returns: `nil` for a harmless name. The value may still be private.
  static func meaning(ofKey name: String) -> MetadataMeaning? {
    let lower = name.lowercased()
    let bytes = Array(lower.utf8)
    if lower.hasPrefix("com.apple.quicktime.location"), !bytes.contains("location.iso6709") {
      return MetadataMeaning(kind: "apple-location", disclosure: .location)
    }
    if lower == "year" { return MetadataMeaning(kind: "date-key", disclosure: .date) }
    return keyRules.first { rule in rule.parts.contains { bytes.contains($0) } }?.meaning
  }

  private static let keyRules: [(meaning: MetadataMeaning, parts: [StaticString])] = [
    (MetadataMeaning(kind: "apple-iso6709", disclosure: .location), ["location.iso6709"]),
    (
      MetadataMeaning(kind: "location-key", disclosure: .location),
      ["location", "gps", "latitude", "longitude", "geotag", "geo:", "coordinates", "xyz"]
    ),
    (MetadataMeaning(kind: "apple-faces", disclosure: .faces), ["detected-face"]),
    (
      MetadataMeaning(kind: "identity-key", disclosure: .identity),
      ["serial", "identifier", "camera.id", "lens", "owner", "author", "artist", "copyright", "uuid", "user"]
    ),
    (MetadataMeaning(kind: "model-key", disclosure: .identity, isModel: true), ["make", "model", "manufacturer"]),
    (MetadataMeaning(kind: "date-key", disclosure: .date), ["date", ".year"]),
  ]

  /// Returns the meaning of a box type in user data or in an iTunes item list.
  static func meaning(ofType type: FourCC) -> MetadataMeaning? {
    switch type {
    case "©xyz": MetadataMeaning(kind: "quicktime-xyz", disclosure: .location)
    case "loci": MetadataMeaning(kind: "3gpp-loci", disclosure: .location)
    case "©mak", "©mod", "@mak", "@mod", "manu", "modl", "©mdl":
      MetadataMeaning(kind: "model", disclosure: .identity, isModel: true)
    case "©aut", "©ART", "aART", "auth", "©own", "ownr", "©cpy", "cprt", "apID", "SNum", "slno", "©src", "©dir", "©prd":
      MetadataMeaning(kind: "owner", disclosure: .identity)
    case "©day", "@day", "date", "©ed1": MetadataMeaning(kind: "date", disclosure: .date)
    default: nil
    }
  }

  /// The user data types that contain no private data. Their text is searched anyway.
  static let knownUserData: Set<FourCC> = [
    "name", "titl", "dscp", "desc", "ldes", "gnre", "perf", "albm", "yrrc", "rtng", "clsf", "kywd", "coll", "hnti",
    "hinf", "chpl", "WLOC", "LOOP", "SelO", "AllF", "ptv ", "tsel", "kind", "elng", "vndr", "tagc", "meta", "covr",
    "trkn", "disk", "tmpo", "cpil", "pgap", "hdvd", "stik", "rate", "TAGS", "ludt", "tlou", "alou", "mdta", "play",
    "mvhd", "cslg", "st3d", "sv3d", "SDLN",
  ]

  /// The `uuid` boxes of PIFF, the predecessor of common encryption: sample, system and track.
  static let encryptionUserTypes: Set<[UInt8]> = [
    [UInt8](hexadecimal: "A2394F52-5A9B-4F14-A244-6C427C648DF4"),
    [UInt8](hexadecimal: "D08A4F18-10F3-4A82-B6C8-32D8ABA183D3"),
    [UInt8](hexadecimal: "8974DBCE-7BE7-4C51-84F9-7148F9882554"),
  ]

  /// Standardized `uuid` boxes: Smooth Streaming fragments (`tfxd`, `tfrf`) and spherical video.
  static let knownUserTypes: Set<[UInt8]> = [
    [UInt8](hexadecimal: "6D1D9B05-42D5-44E6-80E2-141DAFF757B2"),
    [UInt8](hexadecimal: "D4807EF2-CA39-4695-8E54-26CB9E46A79F"),
    [UInt8](hexadecimal: "FFCC8263-F855-4A93-8814-587A02521FDD"),
  ]
}

extension [UInt8] {
  /// Whether the bytes contain a word. This is much faster than a substring search in `String`, which would take a
  /// third of an audit's time.
  fileprivate func contains(_ word: StaticString) -> Bool {
    let length = word.utf8CodeUnitCount
    guard length > 0, count >= length else { return false }
    return (0...count - length).contains { start in
      (0..<length).allSatisfy { unsafe self[start + $0] == word.utf8Start[$0] }
    }
  }
}
