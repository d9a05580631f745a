/// A coordinate as written in text or XMP, such as `48.1375`, `-48,1375`, `N 48.1375`, `W: 11.57`, `48°8'15.0"N`, `48
/// deg 8' 15.00" N`, `48,8.25N` or `48,8,15N`.
struct AngleText: Equatable {
  /// The coordinate in degrees. South and west are negative.
  var degrees: Double
  /// The axis, if the text has a hemisphere letter (N, S, E or W); otherwise `nil`.
  var axis: Hemisphere.Axis?
  /// The value of one unit in the last digit, in degrees.
  var resolution: Double
  /// The number of decimals in the degrees; 0 if the text has minutes and seconds.
  var fractionDigits: Int
  var end: Int

  init?(_ text: TextBytes, at start: Int) {
    var index = start
    var hemisphere = Hemisphere(text[index])
    if hemisphere != nil { index = text.skip(" :=", from: index &+ 1, atMost: 3) }
    let isNegative = text[index] == UInt8(ascii: "-")
    if isNegative || text[index] == UInt8(ascii: "+") { index &+= 1 }
    guard let whole = DecimalText(text, at: index), whole.integerDigits <= 3 else { return nil }
    (degrees, resolution, fractionDigits) = (whole.value, whole.resolution, whole.fractionDigits)
    index = whole.end
    if let sign = Self.skipDegreeSign(text, at: index) { index = sign }
    if whole.fractionDigits == 0 {
      let hasSign = index > whole.end
      if let minutes = (hasSign ? Self.readMinutes(text, at: index) : nil) ?? Self.readSeparatedMinutes(text, at: index)
      {
        (degrees, resolution, index) = (degrees + minutes.degrees, minutes.resolution, minutes.end)
      } else if let decimal = DecimalText(text, at: whole.end, point: ","), decimal.integerDigits == 0,
        decimal.fractionDigits >= 3
      {
        (degrees, resolution, index) = (degrees + decimal.value, decimal.resolution, decimal.end)
        fractionDigits = decimal.fractionDigits
      }
    }
    if hemisphere == nil {
      let letter = text.skip(" ", from: index, atMost: 2)
      // In `48.1 E11.5`, the letter belongs to the second coordinate.
      if let found = Hemisphere(text[letter]), !text.isLetter(at: letter &+ 1), !text.isDigit(at: letter &+ 1),
        text[letter &+ 1] != UInt8(ascii: ":")
      {
        hemisphere = found
        index = letter &+ 1
      }
    }
    guard degrees <= 180 else { return nil }
    axis = hemisphere?.axis
    degrees *= (isNegative ? -1 : 1) * (hemisphere?.sign ?? 1)
    end = index
  }

  /// Reads an integer in Google's unit of 1e-7 degrees, such as `481375000`.
  init?(e7 text: TextBytes, at start: Int) {
    let isNegative = text[start] == UInt8(ascii: "-")
    guard let number = DecimalText(text, at: isNegative ? start &+ 1 : start), number.fractionDigits == 0,
      number.value <= 1_800_000_000
    else { return nil }
    degrees = (isNegative ? -1e-7 : 1e-7) * number.value
    (axis, resolution, fractionDigits, end) = (nil, 1e-7, 7, number.end)
  }

  private typealias ParsedMinutes = (degrees: Double, resolution: Double, end: Int)

  /// Skips a degree sign: the end of `°` in UTF-8 or Latin-1, the similar `º`, or `deg`, with an optional space on each
  /// side.
  private static func skipDegreeSign(_ text: TextBytes, at start: Int) -> Int? {
    var index = text.skip(" ", from: start, atMost: 1)
    if text[index] == 0xC2 { index &+= 1 }
    if text[index] == 0xB0 || text[index] == 0xBA {
      index &+= 1
    } else if text.matchesIgnoringCase("deg", at: index) {
      index &+= 3
    } else {
      return nil
    }
    return text.skip(" ", from: index, atMost: 1)
  }

  /// Reads minutes and seconds such as `8'15.0"` and `8.25'`, also with typographic primes.
  private static func readMinutes(_ text: TextBytes, at start: Int) -> ParsedMinutes? {
    guard let minutes = DecimalText(text, at: start), minutes.integerDigits <= 2, minutes.value < 60 else { return nil }
    let blank = text.skip(" ", from: minutes.end, atMost: 1)
    var index: Int
    if text.matches("\u{2032}", at: blank) || text.matches("\u{2019}", at: blank) {
      index = blank &+ 3
    } else if text[blank] == UInt8(ascii: "'") {
      index = blank &+ 1
    } else {
      return nil
    }
    let result = (minutes.value / 60, minutes.resolution / 60, index)
    index = text.skip(" ", from: index, atMost: 1)
    guard minutes.fractionDigits == 0, let seconds = DecimalText(text, at: index), seconds.integerDigits <= 2,
      seconds.value < 60
    else { return result }
    index = text.skip(" ", from: seconds.end, atMost: 1)
    if text.matches("\u{2033}", at: index) || text.matches("\u{201D}", at: index) {
      index &+= 3
    } else {
      let quotes = text.skip("\"'", from: index, atMost: 2)
      guard quotes > index else { return result }
      index = quotes
    }
    return ((minutes.value + seconds.value / 60) / 60, seconds.resolution / 3600, index)
  }

  /// Reads minutes and seconds in XMP's formats `,8.25N` and `,8,15N`, and in `:08:15N`. These are too ambiguous
  /// without the hemisphere letter.
  private static func readSeparatedMinutes(_ text: TextBytes, at start: Int) -> ParsedMinutes? {
    let separator = text[start]
    guard separator == UInt8(ascii: ",") || separator == UInt8(ascii: ":"),
      let minutes = DecimalText(text, at: start &+ 1), (1...2).contains(minutes.integerDigits), minutes.value < 60
    else { return nil }
    var result = (degrees: minutes.value / 60, resolution: minutes.resolution / 60, end: minutes.end)
    if minutes.fractionDigits == 0, text[minutes.end] == separator {
      guard let seconds = DecimalText(text, at: minutes.end &+ 1), (1...2).contains(seconds.integerDigits),
        seconds.value < 60
      else { return nil }
      result = ((minutes.value + seconds.value / 60) / 60, seconds.resolution / 3600, seconds.end)
    }
    return Hemisphere(text[result.end]) == nil ? nil : result
  }
}
