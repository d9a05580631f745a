import ClipModel
import ISOMedia

/// What names of metadata tell: user data types, keys, tags, whoever wrote them.
enum MetadataVocabulary {
  struct Meaning: Equatable, Sendable {
    var kind: String
    var disclosure: PrivacyCarrier.Disclosure
    var isModel = false
  }

  /// By a key's name: `com.apple.quicktime.location.ISO6709`, `com.android.model`, `RECORDING_LOCATION`.
  /// - Returns: `nil` for a name that tells nothing; the value may all the same.
  static func meaning(ofKey name: String) -> Meaning? {
    let lower = name.lowercased()
    let bytes = Array(lower.utf8)
    func has(_ words: StaticString...) -> Bool { words.contains { bytes.holds($0) } }
    if has("location.iso6709") { return Meaning(kind: "apple-iso6709", disclosure: .location) }
    if lower.hasPrefix("com.apple.quicktime.location") { return Meaning(kind: "apple-location", disclosure: .location) }
    if has("location", "gps", "latitude", "longitude", "geotag", "geo:", "coordinates", "xyz") {
      return Meaning(kind: "location-key", disclosure: .location)
    }
    if has("detected-face") { return Meaning(kind: "apple-faces", disclosure: .faces) }
    if has("serial", "identifier", "camera.id", "lens", "owner", "author", "artist", "copyright", "uuid", "user") {
      return Meaning(kind: "identity-key", disclosure: .identity)
    }
    if has("make", "model", "manufacturer") {
      return Meaning(kind: "model-key", disclosure: .identity, isModel: true)
    }
    if has("date", ".year") || lower == "year" { return Meaning(kind: "date-key", disclosure: .date) }
    return nil
  }

  /// By the type of a box in user data or in iTunes' list.
  static func meaning(ofType type: FourCC) -> Meaning? {
    switch type {
    case "©xyz": Meaning(kind: "quicktime-xyz", disclosure: .location)
    case "loci": Meaning(kind: "3gpp-loci", disclosure: .location)
    case "©mak", "©mod", "@mak", "@mod", "manu", "modl", "©mdl":
      Meaning(
        kind: "model", disclosure: .identity, isModel: true)
    case "©aut", "©ART", "aART", "auth", "©own", "ownr", "©cpy", "cprt", "apID", "SNum", "slno", "©src", "©dir", "©prd":
      Meaning(kind: "owner", disclosure: .identity)
    case "©day", "@day", "date", "©ed1": Meaning(kind: "date", disclosure: .date)
    default: nil
    }
  }

  /// Types of user data that are known to hold nothing of the kind; their text is looked through all the same.
  static func isKnownUserData(_ type: FourCC) -> Bool {
    knownUserData.contains(type)
  }

  private static let knownUserData: Set<FourCC> = [
    "name", "titl", "dscp", "desc", "ldes", "gnre", "perf", "albm", "yrrc", "rtng", "clsf", "kywd", "coll", "hnti",
    "hinf", "chpl", "WLOC", "LOOP", "SelO", "AllF", "ptv ", "tsel", "kind", "elng", "vndr", "tagc", "meta", "covr",
    "trkn", "disk", "tmpo", "cpil", "pgap", "hdvd", "stik", "rate", "TAGS", "ludt", "tlou", "alou", "mdta", "play",
    "mvhd", "cslg", "st3d", "sv3d", "SDLN",
  ]

  /// Types of `uuid` boxes that belong to the format: fragments of smooth streaming, encryption, spherical video.
  static func isKnownUserType(_ type: [UInt8]) -> Bool { knownUserTypes.contains(type) }

  /// Common encryption before it had boxes of its own (PIFF): sample, system and track.
  static func isEncryption(_ type: [UInt8]) -> Bool { encryption.contains(type) }

  private static let encryption: Set<[UInt8]> = [
    [0xA2, 0x39, 0x4F, 0x52, 0x5A, 0x9B, 0x4F, 0x14, 0xA2, 0x44, 0x6C, 0x42, 0x7C, 0x64, 0x8D, 0xF4],
    [0xD0, 0x8A, 0x4F, 0x18, 0x10, 0xF3, 0x4A, 0x82, 0xB6, 0xC8, 0x32, 0xD8, 0xAB, 0xA1, 0x83, 0xD3],
    [0x89, 0x74, 0xDB, 0xCE, 0x7B, 0xE7, 0x4C, 0x51, 0x84, 0xF9, 0x71, 0x48, 0xF9, 0x88, 0x25, 0x54],
  ]

  private static let knownUserTypes: Set<[UInt8]> = [
    [0x6D, 0x1D, 0x9B, 0x05, 0x42, 0xD5, 0x44, 0xE6, 0x80, 0xE2, 0x14, 0x1D, 0xAF, 0xF7, 0x57, 0xB2],  // tfxd
    [0xD4, 0x80, 0x7E, 0xF2, 0xCA, 0x39, 0x46, 0x95, 0x8E, 0x54, 0x26, 0xCB, 0x9E, 0x46, 0xA7, 0x9F],  // tfrf
    [0xFF, 0xCC, 0x82, 0x63, 0xF8, 0x55, 0x4A, 0x93, 0x88, 0x14, 0x58, 0x7A, 0x02, 0x52, 0x1F, 0xDD],  // spherical
  ]
}

extension [UInt8] {
  /// Whether the word is in there. The standard library's search of strings takes a third of the time of an audit.
  fileprivate func holds(_ word: StaticString) -> Bool {
    let length = word.utf8CodeUnitCount
    guard length > 0, count >= length else { return false }
    return (0...count - length).contains { start in
      (0..<length).allSatisfy { unsafe self[start + $0] == word.utf8Start[$0] }
    }
  }
}
