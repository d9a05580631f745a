internal import ClipModel

/// Reads ISO 6709 positions, such as `+48.1375+011.5755+520.000CRSWGS_84/`, `+4808.25+01134.53/` and
/// `+480815+0113432/`. Depending on the user's language, some phones write a decimal comma.
extension PositionScan {
  mutating func readISO6709(at start: Int) -> Int? {
    guard text.isDigit(at: start &+ 1), let latitude = Coordinate(text, at: start, degreeDigits: 2),
      let longitude = Coordinate(text, at: latitude.end, degreeDigits: 3)
    else { return nil }
    let end = Self.endOfSuffix(text, at: longitude.end)
    let isClosed = end > longitude.end && text[end &- 1] == UInt8(ascii: "/")
    // Text without fractions could be arithmetic or Base64, so the position must be delimited and terminated.
    let hasFractions = latitude.fractionDigits >= 2 && longitude.fractionDigits >= 2
    let isSeparate = !text.isLetter(at: start &- 1) && !text.isDigit(at: start &- 1)
    let isRegular = latitude.isRegular && longitude.isRegular
    let isLong = latitude.fractionDigits >= 4 && longitude.fractionDigits >= 4
    guard hasFractions && (isRegular || isClosed || isLong) || isClosed && isRegular && isSeparate,
      abs(latitude.degrees) <= 90, abs(longitude.degrees) <= 180
    else { return nil }
    add(.iso6709, GeoPosition(latitude: latitude.degrees, longitude: longitude.degrees))
    return longitude.end
  }

  /// Returns the end of the optional altitude, reference system name, and solidus.
  private static func endOfSuffix(_ text: TextBytes, at start: Int) -> Int {
    var index = start
    if text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-"),
      let altitude = DecimalText(text, at: index &+ 1, point: ".,")
    {
      index = altitude.end
    }
    if text.matches("CRS", at: index) {
      let limit = index &+ 32
      while index < limit, text.isLetter(at: index) || text.isDigit(at: index) || text[index] == UInt8(ascii: "_") {
        index &+= 1
      }
    }
    return text[index] == UInt8(ascii: "/") ? index &+ 1 : index
  }

  /// A coordinate: a sign, degrees, optional minutes and seconds with two digits each, and a fraction of the last part.
  private struct Coordinate {
    var degrees: Double
    var fractionDigits: Int
    /// Whether the number is padded with zeros, as the standard requires.
    var isRegular: Bool
    var end: Int

    init?(_ text: TextBytes, at start: Int, degreeDigits: Int) {
      guard text[start] == UInt8(ascii: "+") || text[start] == UInt8(ascii: "-"),
        let number = DecimalText(text, at: start &+ 1, point: ".,"),
        (1...degreeDigits + 4).contains(number.integerDigits)
      else { return nil }
      var value = number.value
      // Some phones also pad the latitude to three digits.
      if number.integerDigits > max(degreeDigits, 3) {
        let hasSeconds = number.integerDigits > degreeDigits + 2
        let seconds = hasSeconds ? value.truncatingRemainder(dividingBy: 100) : 0
        if hasSeconds { value = (value / 100).rounded(.down) }
        let minutes = value.truncatingRemainder(dividingBy: 100)
        guard minutes < 60, seconds < 60 else { return nil }
        value = (value / 100).rounded(.down) + minutes / 60 + seconds / 3600
      }
      degrees = text[start] == UInt8(ascii: "-") ? -value : value
      fractionDigits = number.fractionDigits
      isRegular = number.integerDigits >= degreeDigits && (number.integerDigits - degreeDigits).isMultiple(of: 2)
      end = number.end
    }
  }
}
