internal import ClipModel

/// Finds two consecutive coordinates: in drone subtitles, after keywords, with letters or degree signs, and in links.
extension PositionScan {
  /// Reads a coordinate pair after a keyword. DJI's `GPS (8.6499, 53.1665, 18)` starts with the longitude, `GPS:
  /// 48.1375, 11.5755` with the latitude. Autel's `HOME(W: 80.52, N: 26.13)` has hemisphere letters. GeoJSON's
  /// `"coordinates":[11.5755,48.1375]` starts with the longitude.
  mutating func readPair(at start: Int, word: String) -> Int? {
    guard text.matchesIgnoringCase(word, at: start) else { return nil }
    let end = start &+ word.utf8.count
    let value = text.skip(" :=([\"'\t", from: end, atMost: 6)
    guard value > end else { return nil }
    let isBracket = text[value &- 1] == UInt8(ascii: "(") || text[value &- 1] == UInt8(ascii: "[")
    let isReceiver = word == "gps" || word == "home"
    let longitudeFirst = isBracket && (isReceiver || word == "coordinates")
    guard let pair = CoordinatePair(text, at: value, longitudeFirst: longitudeFirst) else {
      if word == "gps", let angle = AngleText(text, at: value), angle.resolution < 0.05 { add(.named, nil) }
      return nil
    }
    // The words "position" and "coordinates" can also refer to a page layout.
    guard isReceiver && isBracket || pair.hasAxes || pair.isFine else { return nil }
    add(.named, pair.position)
    return pair.end
  }

  /// Reads coordinates that start with hemisphere letters, such as `N48.1375 E11.5755`, `N 48°8.25' W 11°34.53'` or
  /// `-N48.1375-E011.5755`.
  mutating func readHemispheres(at start: Int) -> Int? {
    guard !text.isLetter(at: start &- 1), !text.isLetter(at: start &+ 1), let first = AngleText(text, at: start),
      first.axis == .latitude, first.resolution < 2e-3
    else { return nil }
    let next = text.skip(" ,;/|-\t", from: first.end, atMost: 4)
    guard let second = AngleText(text, at: next), second.axis == .longitude, second.resolution < 2e-3,
      abs(first.degrees) <= 90
    else { return nil }
    add(.named, GeoPosition(latitude: first.degrees, longitude: second.degrees))
    return second.end
  }

  /// Reads coordinates such as `48°8'15.0"N 11°34'31.8"E`, which are found by their degree sign or the word `deg`.
  mutating func readDegreeSign(at sign: Int) -> Int? {
    if text[sign] == UInt8(ascii: "d"), !text.matches("deg", at: sign) { return nil }
    var start = text[sign] == 0xC2 ? sign &- 1 : sign
    if text[start &- 1] == 0xC2 || text[start &- 1] == UInt8(ascii: " ") { start &-= 1 }
    let limit = start &- 12
    while start > limit, text.isDigit(at: start &- 1) || text[start &- 1] == UInt8(ascii: ".") { start &-= 1 }
    guard let pair = CoordinatePair(text, at: start), pair.hasAxes, pair.resolution < 0.05 else { return nil }
    add(.named, pair.position)
    return pair.end
  }

  /// `geo:48.1375,11.5755` (RFC 5870).
  mutating func readGeoLink(at start: Int) -> Int? {
    guard text.matchesIgnoringCase("geo:", at: start), !text.isLetter(at: start &- 1),
      let pair = CoordinatePair(text, at: start &+ 4), pair.position != nil
    else { return nil }
    add(.named, pair.position)
    return pair.end
  }

  /// `https://maps.google.com/?q=48.1375,11.5755`, `…/maps/@48.1375,11.5755,17z`, `maps.apple.com/?ll=…`.
  mutating func readMapLink(at start: Int) -> Int? {
    guard text.matchesIgnoringCase("maps", at: start),
      text[start &- 1] == UInt8(ascii: "/") || text[start &+ 4] == UInt8(ascii: ".")
    else { return nil }
    var index = start &+ 4
    let limit = start &+ 400
    while index < limit, (0x21..<0x7F).contains(text[index]), text[index] != UInt8(ascii: "\"") {
      let isBorder = "=@:/+".utf8.contains(text[index])
      index &+= 1
      if isBorder, let pair = CoordinatePair(text, at: index), pair.resolution < 0.5, pair.position != nil {
        add(.named, pair.position)
        index = pair.end
      }
    }
    return index
  }
}
