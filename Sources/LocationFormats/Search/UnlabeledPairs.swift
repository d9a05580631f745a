internal import ClipModel

/// Finds lines of text that consist of two numbers, in the form that users copy from maps: `48.137412, 11.575533`.
enum UnlabeledPairs {
  /// The maximum length of the text. Text that users type is shorter, and tables of numbers are longer.
  private static let limit = 64 << 10
  /// The minimum resolution in degrees: five decimals, which is about a meter. Numbers with fewer decimals are usually
  /// scores, sizes or versions.
  private static let resolution = 1.5e-5
  /// The range of lengths for lines that contain two such numbers or a link with them.
  private static let lengths = 12...96
  private static let mapLink = Array("#map=".utf8)

  /// Finds number pairs in the runs of printable characters.
  static func findPairs(in bytes: [UInt8]) -> [(line: Range<Int>, position: GeoPosition)] {
    var found: [(line: Range<Int>, position: GeoPosition)] = []
    var (start, textCount) = (0, 0)
    for index in 0...bytes.count {
      guard index == bytes.count || !(0x20..<0x7F).contains(bytes[index]) && bytes[index] != 9 else { continue }
      // Most bytes aren't text, so this skips short runs.
      if index - start >= lengths.lowerBound {
        textCount += index - start
        if textCount > limit { break }
        if index - start <= lengths.upperBound, let position = parsePosition(in: bytes[start..<index]) {
          found.append((start..<index, position))
        }
      }
      start = index + 1
    }
    return found
  }

  private static func parsePosition(in line: ArraySlice<UInt8>) -> GeoPosition? {
    var line = line
    // OpenStreetMap links contain the zoom level, followed by the two numbers. Searching for the word is slow, so this
    // first checks for a character that most lines don't contain.
    if line.contains(UInt8(ascii: "#")), let mark = line.firstRange(of: mapLink) {
      line = line[mark.upperBound...].drop { $0 != UInt8(ascii: "/") }.dropFirst()
    }
    line = line.drop { $0 == 0x20 }
    while line.last == 0x20 { line.removeLast() }
    guard lengths.contains(line.count), let first = line.first, "+-0123456789".utf8.contains(first) else {
      return nil
    }
    let text = Array(line)
    guard let pair = CoordinatePair(TextBytes(text), at: 0), pair.end == text.count, pair.resolution <= resolution
    else { return nil }
    return pair.position
  }
}
