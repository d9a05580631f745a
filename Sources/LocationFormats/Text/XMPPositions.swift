internal import ClipModel

/// Finds coordinates that follow their names in XMP, JSON, subtitles and property lists, such as
/// `exif:GPSLatitude="48,8.25N"`, `"longitude": 11.5755`, `[longtitude : 113.9]` (sic), `Lat: 48.13 Lon: 11.57` and
/// `<key>latitude</key><real>48.1</real>`.
extension PositionScan {
  /// The maximum distance in bytes between two names that belong together. Other attributes of an XMP description may
  /// separate them.
  private static let pairDistance = 1024

  private static let names: [(name: String, axis: Hemisphere.Axis, isWhole: Bool)] = [
    ("latitude", .latitude, true), ("longitude", .longitude, true), ("longtitude", .longitude, true),
    ("lat", .latitude, false), ("long", .longitude, false), ("lon", .longitude, false), ("lng", .longitude, false),
  ]

  mutating func readCoordinate(at start: Int) -> Int? {
    let second = text[start &+ 1] | 0x20
    guard second == UInt8(ascii: "a") || second == UInt8(ascii: "o") || second == UInt8(ascii: "n"),
      let (name, axis, isWhole) = Self.names.first(where: { text.matchesIgnoringCase($0.name, at: start) })
    else { return nil }
    var end = start &+ name.utf8.count
    let isGPS = text.matchesIgnoringCase("gps", at: start &- 3)
    let isXMP = text.matches("GPSL", at: start &- 3) || text.matches("GpsL", at: start &- 3)
    // A standard XMP name shows that there is a position even if its value can't be read.
    if isWhole, text.matches("GPSL", at: start &- 3) { add(.xmp, nil) }
    if !isWhole, !isGPS, text.isLetter(at: start &- 1) || text.isDigit(at: start &- 1) { return nil }
    let isE7 = isWhole && text.matchesIgnoringCase("e7", at: end)
    if isE7 { end &+= 2 }
    guard !text.isLetter(at: end), !text.isDigit(at: end) else { return nil }
    let value = Self.startOfValue(text, after: end)
    guard let angle = isE7 ? AngleText(e7: text, at: value) : AngleText(text, at: value),
      abs(angle.degrees) <= (axis == .latitude ? 90 : 180), angle.axis ?? axis == axis, isWhole || angle.resolution < 1
    else { return nil }
    let form = isXMP || text[start &- 1] == UInt8(ascii: ":") && isWhole ? Format.xmp : .named
    if let other = pending, other.axis != axis, start &- other.offset <= Self.pairDistance {
      let (latitude, longitude) = axis == .latitude ? (angle.degrees, other.degrees) : (other.degrees, angle.degrees)
      add(form, GeoPosition(latitude: latitude, longitude: longitude))
      pending = nil
    } else {
      pending = (axis, angle.degrees, start)
      if isWhole, angle.resolution < 0.05 { add(form, nil) }
    }
    return angle.end
  }

  /// Returns the start of the value for a name: after spaces, quotes, brackets and equals signs, or after the tag that
  /// closes the name and the tag that opens the value.
  private static func startOfValue(_ text: TextBytes, after name: Int) -> Int {
    guard text[name] == UInt8(ascii: "<") else { return text.skip(" :=\"'([{>\t\r\n", from: name, atMost: 12) }
    var index = name
    for _ in 0..<2 where text[index] == UInt8(ascii: "<") {
      let limit = index &+ 40
      while index < limit, text[index] != UInt8(ascii: ">") { index &+= 1 }
      index = text.skip(" >\t\r\n", from: index, atMost: 24)
    }
    return index
  }

  /// The XMP properties for place names. A city alone counts as location data.
  private static let placeNames = [
    "photoshop:City", "photoshop:State", "photoshop:Country", "Iptc4xmpCore:Location", "Iptc4xmpCore:CountryCode",
    "Iptc4xmpExt:LocationCreated", "Iptc4xmpExt:LocationShown",
  ]

  mutating func readPlaceName(at start: Int) -> Int? {
    guard let name = Self.placeNames.first(where: { text.matches($0, at: start) }) else { return nil }
    let end = start &+ name.utf8.count
    // Empty properties don't disclose anything: `City=""`, `<City/>`, `<City></City>`.
    var index = text.skip(" =", from: end, atMost: 3)
    guard index < text.count, !text.isLetter(at: end), text[index] != UInt8(ascii: "/") else { return end }
    let mark = text[index]
    index &+= 1
    let isEmpty =
      mark == UInt8(ascii: ">") ? text.matches("</", at: index) : text[index] == mark || index >= text.count
    // A self-closing tag doesn't have a value.
    if !isEmpty, text[start &- 1] != UInt8(ascii: "/") { add(.placeName, nil) }
    return end
  }
}
