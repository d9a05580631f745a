/// Finds positions in bytes of unknown form: text of a position, Exif with a GPS directory, XMP, GoPro streams.
///
/// It has to be sure enough not to cry at every film: a form counts only with the shape of a coordinate.
enum LocationText {
  /// What was found first; `nil` for nothing.
  static func kind(in bytes: [UInt8]) -> String? {
    if hasISO6709(bytes) { return "iso6709-text" }
    if hasExifGPS(bytes) { return "exif-gps" }
    if contains(bytes, "GPSLatitude") || contains(bytes, "GPSLongitude") { return "xmp-gps" }
    // Streams of GoPro's metadata format, as in `udta/GPMF`: followed by a type and a size.
    if contains(bytes, "GPS5") || contains(bytes, "GPS9") { return "gopro-gpmf" }
    if hasSentence(bytes) { return "nmea-text" }
    if hasNamedDegrees(bytes) { return "position-text" }
    return nil
  }

  /// `+37.7600-122.5100`: a sign, two to six digits, a point, two digits at least, and the same again (ISO 6709).
  static func hasISO6709(_ bytes: [UInt8]) -> Bool {
    func coordinate(from start: Int, digits: ClosedRange<Int>) -> Int? {
      guard start < bytes.count, bytes[start] == UInt8(ascii: "+") || bytes[start] == UInt8(ascii: "-") else {
        return nil
      }
      let point = endOfDigits(bytes, from: start + 1)
      guard digits.contains(point - start - 1), point < bytes.count, bytes[point] == UInt8(ascii: ".") else {
        return nil
      }
      let end = endOfDigits(bytes, from: point + 1)
      return end - point > 2 ? end : nil
    }
    return bytes.indices.contains { start in
      guard let middle = coordinate(from: start, digits: 2...6) else { return false }
      return coordinate(from: middle, digits: 3...7) != nil
    }
  }

  /// An Exif block whose first directory points to a GPS directory (tag 0x8825).
  static func hasExifGPS(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 14 else { return false }
    // A hostile file could be nothing but beginnings.
    var budget = 64
    for start in 0..<bytes.count - 13 where bytes[start] == 0x49 || bytes[start] == 0x4D {
      let isLittle = bytes[start..<start + 4].elementsEqual([0x49, 0x49, 0x2A, 0])
      guard isLittle || bytes[start..<start + 4].elementsEqual([0x4D, 0x4D, 0, 0x2A]) else { continue }
      budget -= 1
      guard budget > 0 else { return false }
      func value(_ offset: Int, _ count: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - start - count else { return nil }
        let field = bytes[start + offset..<start + offset + count]
        return isLittle ? field.reversed().reduce(0) { $0 << 8 | Int($1) } : field.reduce(0) { $0 << 8 | Int($1) }
      }
      guard let directory = value(4, 4), let count = value(directory, 2) else { continue }
      for entry in 0..<min(count, 512) {
        guard let tag = value(directory + 2 + 12 * entry, 2) else { break }
        if tag == 0x8825 { return true }
      }
    }
    return false
  }

  /// NMEA 0183 sentences of receivers, as dash cams write them.
  static func hasSentence(_ bytes: [UInt8]) -> Bool {
    ["$GPRMC,", "$GNRMC,", "$GPGGA,", "$GNGGA,", "$GPGLL,"].contains { contains(bytes, $0) }
  }

  /// `GPS(149.02, -20.25, 16)`, `latitude: 22.5`, as in subtitles of drones.
  static func hasNamedDegrees(_ bytes: [UInt8]) -> Bool {
    ["gps", "latitude", "longitude"].contains { word in
      let word = Array(word.utf8)
      guard bytes.count > word.count else { return false }
      return (0..<bytes.count - word.count).contains { start in
        guard zip(word, bytes[start...]).allSatisfy({ $0 == $1 | 0x20 }) else { return false }
        // A few blanks, brackets, quotes or colons, a sign, digits, and a fraction.
        var index = start + word.count
        let limit = min(bytes.count, index + 6)
        while index < limit, " :=([\"'+-".utf8.contains(bytes[index]) { index += 1 }
        let point = endOfDigits(bytes, from: index)
        return (1...3).contains(point - index) && point < bytes.count && bytes[point] == UInt8(ascii: ".")
          && endOfDigits(bytes, from: point + 1) > point + 2
      }
    }
  }

  static func contains(_ bytes: [UInt8], _ text: String) -> Bool {
    let word = Array(text.utf8)
    guard let first = word.first, bytes.count >= word.count else { return false }
    return (0...bytes.count - word.count).contains { start in
      bytes[start] == first && bytes[start..<start + word.count].elementsEqual(word)
    }
  }

  private static func endOfDigits(_ bytes: [UInt8], from start: Int) -> Int {
    var index = start
    while index < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) { index += 1 }
    return index
  }
}
