internal import ClipModel

/// Reads NMEA 0183 sentences from GPS receivers. Dash cams surround these sentences with proprietary fields.
extension PositionScan {
  /// Reads the part that all sentences have in common, such as `4808.2500,N,01134.5300,E`. The scan finds this part by
  /// its `,N,` or `,S,`.
  mutating func readNMEA(at comma: Int) -> Int? {
    guard let north = Hemisphere(text[comma &+ 1]), north.axis == .latitude, text[comma &+ 2] == UInt8(ascii: ",")
    else { return nil }
    var start = comma
    while start > comma &- 16, text.isDigit(at: start &- 1) || text[start &- 1] == UInt8(ascii: ".") { start &-= 1 }
    guard let latitude = readDegrees(at: start, degreeDigits: 2), latitude.end == comma, latitude.value <= 90,
      let longitude = readDegrees(at: comma &+ 3, degreeDigits: 3), longitude.value <= 180,
      text[longitude.end] == UInt8(ascii: ","), let east = Hemisphere(text[longitude.end &+ 1]), east.axis == .longitude
    else { return nil }
    add(.nmea, GeoPosition(latitude: latitude.value, north, longitude: longitude.value, east))
    return longitude.end &+ 2
  }

  /// Reads a number that combines degrees and minutes, such as `01134.53`. Some receivers omit leading zeros.
  private func readDegrees(at start: Int, degreeDigits: Int) -> (value: Double, end: Int)? {
    guard let number = DecimalText(text, at: start), number.fractionDigits >= 2,
      (1...degreeDigits + 2).contains(number.integerDigits)
    else { return nil }
    let degrees = (number.value / 100).rounded(.down)
    let minutes = number.value - 100 * degrees
    return minutes < 60 ? (degrees + minutes / 60, number.end) : nil
  }

  /// Reads the start of a sentence that contains a position if there is a fix, such as `$GPRMC,`, `$GNGGA,` or
  /// `$GLGLL,`.
  mutating func readSentence(at dollar: Int) -> Int? {
    if text.matches("GPSINFO,", at: dollar &+ 1) { return readVSYS(at: dollar &+ 9) }
    if text.matches("GA,", at: dollar &+ 1) { return readLucas(at: dollar &+ 4) }
    guard text.isLetter(at: dollar &+ 1), text.isLetter(at: dollar &+ 2), text[dollar &+ 6] == UInt8(ascii: ","),
      ["RMC", "GGA", "GLL", "GNS"].contains(where: { text.matches($0, at: dollar &+ 3) })
    else { return nil }
    add(.nmea, nil)
    return dollar &+ 6
  }

  /// Reads a VSYS sentence, such as `$GPSINFO,0x0004,2021.08.09 13:27:36,2341.54561,12031.70135,8.0,…`. Its numbers are
  /// signed and have no hemisphere letters.
  private mutating func readVSYS(at start: Int) -> Int? {
    guard let date = startOfNextField(start), let position = startOfNextField(date),
      let latitude = readSignedDegrees(at: position, degreeDigits: 2), text[latitude.end] == UInt8(ascii: ","),
      let longitude = readSignedDegrees(at: latitude.end &+ 1, degreeDigits: 3)
    else {
      add(.nmea, nil)
      return start
    }
    add(.nmea, GeoPosition(latitude: latitude.value, longitude: longitude.value))
    return longitude.end
  }

  /// Reads a Lucas sentence, such as `$GA,052351,A,0949.6626,07635.4439,049,N,E,`, in which the hemisphere letters
  /// follow the speed.
  private mutating func readLucas(at start: Int) -> Int? {
    guard let status = startOfNextField(start), text.matches("A,", at: status),
      let latitude = readDegrees(at: status &+ 2, degreeDigits: 2), text[latitude.end] == UInt8(ascii: ","),
      let longitude = readDegrees(at: latitude.end &+ 1, degreeDigits: 3), text[longitude.end] == UInt8(ascii: ","),
      let letters = startOfNextField(longitude.end &+ 1),
      let north = Hemisphere.latitudeHemisphere(text[letters]), text[letters &+ 1] == UInt8(ascii: ","),
      let east = Hemisphere.longitudeHemisphere(text[letters &+ 2])
    else { return nil }
    add(.nmea, GeoPosition(latitude: latitude.value, north, longitude: longitude.value, east))
    return letters &+ 3
  }

  /// Returns the start of a sentence's next field. No field is longer than a date and time.
  private func startOfNextField(_ start: Int) -> Int? {
    (start..<start &+ 24).first { text[$0] == UInt8(ascii: ",") }.map { $0 &+ 1 }
  }

  private func readSignedDegrees(at start: Int, degreeDigits: Int) -> (value: Double, end: Int)? {
    let isNegative = text[start] == UInt8(ascii: "-")
    return readDegrees(at: isNegative ? start &+ 1 : start, degreeDigits: degreeDigits)
      .map { (isNegative ? -$0.value : $0.value, $0.end) }
  }
}
