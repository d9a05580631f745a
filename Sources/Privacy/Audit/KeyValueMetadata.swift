internal import LocationFormats

/// Classifies metadata entries that consist of a name and a text value, such as Matroska tags, RIFF `INFO` entries and
/// libav dictionaries.
enum KeyValueMetadata {
  /// Classifies an entry by its name, or by a value that looks like a position; returns `nil` if the entry is harmless.
  static func examine(name: String, value: [UInt8], search: PositionSearch) -> PayloadFinding? {
    if let finding = search.examine(value) { return finding }
    let lower = name.lowercased()
    let words = Set(lower.split { !$0.isLetter && !$0.isNumber }.map(String.init))
    let rule = rules.first { rule in
      rule.parts.contains { lower.contains($0) } || !rule.words.isDisjoint(with: words)
    }
    return rule.map { PayloadFinding(kind: $0.kind, disclosure: $0.disclosure) }
  }

  /// The finding kind for the camera make and model, which can optionally be kept.
  static let modelKind = "model-tag"

  private struct NameRule {
    var kind: String
    var disclosure: PayloadFinding.Disclosure
    /// Substrings, one of which the name must contain.
    var parts: [String] = []
    /// Whole words, one of which the name must contain.
    var words: Set<String>
  }

  /// Matches names such as `RECORDING_LOCATION`, `com.apple.quicktime.location.ISO6709`, `DATE_RECORDED` and
  /// `creation_time`.
  private static let rules = [
    NameRule(
      kind: "location-tag", disclosure: .location,
      parts: ["location", "gps", "latitude", "longitude", "geotag", "iso6709", "coordinates"],
      words: ["place", "venue", "city", "address", "lat", "lon", "lng"]),
    NameRule(kind: "date-tag", disclosure: .date, parts: ["date", "creation"], words: ["year"]),
    NameRule(kind: modelKind, disclosure: .identity, words: ["make", "model", "manufacturer"]),
    NameRule(
      kind: "identity-tag", disclosure: .identity, parts: ["serial"],
      words: ["owner", "artist", "author", "device", "camera", "lens", "imei", "ownername", "cameraid"]),
  ]
}
