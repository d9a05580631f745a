internal import LocationFormats

/// Metadata that is a name and a text: Matroska's tags, RIFF's `INFO`, libav's dictionaries.
enum NamedText {
  /// What an entry tells by its name, or by a value with the shape of a position; `nil` for neither.
  static func examine(name: String, value: [UInt8], search: PositionSearch) -> PayloadFinding? {
    if let finding = search.examine(value) { return finding }
    let lower = name.lowercased()
    let words = Set(lower.split { !$0.isLetter && !$0.isNumber }.map(String.init))
    if places.contains(where: { lower.contains($0) }) || !words.isDisjoint(with: placeWords) {
      return PayloadFinding(kind: "location-tag", disclosure: .location)
    }
    if dates.contains(where: { lower.contains($0) }) || words.contains("year") {
      return PayloadFinding(kind: "date-tag", disclosure: .date)
    }
    if !words.isDisjoint(with: models) { return PayloadFinding(kind: modelKind, disclosure: .identity) }
    if lower.contains("serial") || !words.isDisjoint(with: identities) {
      return PayloadFinding(kind: "identity-tag", disclosure: .identity)
    }
    return nil
  }

  /// Make and model of the camera, which some want to keep.
  static let modelKind = "model-tag"
  private static let models: Set = ["make", "model", "manufacturer"]

  /// `RECORDING_LOCATION`, `com.apple.quicktime.location.ISO6709`, `GPSLatitude`…
  private static let places = ["location", "gps", "latitude", "longitude", "geotag", "iso6709", "coordinates"]
  private static let placeWords: Set = ["place", "venue", "city", "address", "lat", "lon", "lng"]
  /// `DATE_RECORDED`, `creation_time`, `com.apple.quicktime.creationdate`.
  private static let dates = ["date", "creation"]
  private static let identities: Set = [
    "owner", "artist", "author", "device", "camera", "lens", "imei", "ownername", "cameraid",
  ]
}
