internal import LocationFormats

/// Metadata entries that consist of a name and a text value: Matroska tags, RIFF `INFO`, libav dictionaries.
enum KeyValueMetadata {
  /// Classifies an entry by its name, or by a value that has the format of a position; `nil` if it is harmless.
  static func examine(name: String, value: [UInt8], search: PositionSearch) -> PayloadFinding? {
    if let finding = search.examine(value) { return finding }
    let lower = name.lowercased()
    let words = Set(lower.split { !$0.isLetter && !$0.isNumber }.map(String.init))
    let rule = rules.first { rule in
      rule.parts.contains { lower.contains($0) } || !rule.words.isDisjoint(with: words)
    }
    return rule.map { PayloadFinding(kind: $0.kind, disclosure: $0.disclosure) }
  }

  /// The kind for the camera make and model, which can optionally be kept.
  static let modelKind = "model-tag"

  private struct Rule {
    var kind: String
    var disclosure: PayloadFinding.Disclosure
    /// Substrings that a name must contain.
    var parts: [String] = []
    /// Whole words that a name must contain.
    var words: Set<String>
  }

  /// `RECORDING_LOCATION`, `com.apple.quicktime.location.ISO6709`, `DATE_RECORDED`, `creation_time`…
  private static let rules = [
    Rule(
      kind: "location-tag", disclosure: .location,
      parts: ["location", "gps", "latitude", "longitude", "geotag", "iso6709", "coordinates"],
      words: ["place", "venue", "city", "address", "lat", "lon", "lng"]),
    Rule(kind: "date-tag", disclosure: .date, parts: ["date", "creation"], words: ["year"]),
    Rule(kind: modelKind, disclosure: .identity, words: ["make", "model", "manufacturer"]),
    Rule(
      kind: "identity-tag", disclosure: .identity, parts: ["serial"],
      words: ["owner", "artist", "author", "device", "camera", "lens", "imei", "ownername", "cameraid"]),
  ]
}
