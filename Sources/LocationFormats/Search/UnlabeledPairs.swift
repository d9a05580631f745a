internal import ClipModel

/// Lines of text that are two numbers and nothing else, as people copy them from maps: `48.137412, 11.575533`.
enum UnlabeledPairs {
  /// Text of people is shorter; a table of numbers is longer.
  private static let limit = 64 << 10
  /// Five decimals, about a metre: fewer are a score, a size or a version.
  private static let resolution = 1.5e-5
  /// Of a line with two such numbers, or a link with them.
  private static let lengths = 12...96
  private static let mapLink = Array("#map=".utf8)

  static func trace(in bytes: [UInt8]) -> PositionTrace {
    var trace = PositionTrace()
    forEachLine(in: bytes) { trace.add($1) }
    return trace
  }

  /// The lines.
  static func ranges(in bytes: [UInt8]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    forEachLine(in: bytes) { line, _ in ranges.append(line) }
    return ranges
  }

  /// Runs of printable characters; other bytes are between them.
  private static func forEachLine(in bytes: [UInt8], _ body: (Range<Int>, GeoPosition) -> Void) {
    var (start, textCount) = (0, 0)
    for index in 0...bytes.count {
      guard index == bytes.count || !(0x20..<0x7F).contains(bytes[index]) && bytes[index] != 9 else { continue }
      // Most bytes are none of a text: short runs cost nothing.
      if index - start >= lengths.lowerBound {
        textCount += index - start
        if textCount > limit { return }
        if index - start <= lengths.upperBound, let position = position(in: bytes[start..<index]) {
          body(start..<index, position)
        }
      }
      start = index + 1
    }
  }

  private static func position(in line: ArraySlice<UInt8>) -> GeoPosition? {
    var line = line
    // OpenStreetMap: the zoom, then the two. Most lines have no such sign, and looking for the word is slow.
    if line.contains(UInt8(ascii: "#")), let mark = line.firstRange(of: mapLink) {
      line = line[mark.upperBound...].drop { $0 != UInt8(ascii: "/") }.dropFirst()
    }
    line = line.drop { $0 == 0x20 }
    while line.last == 0x20 { line.removeLast() }
    guard lengths.contains(line.count), let first = line.first, "+-0123456789".utf8.contains(first) else {
      return nil
    }
    let text = Array(line)
    guard let pair = PositionText(TextBytes(text), at: 0), pair.end == text.count, pair.resolution <= resolution else {
      return nil
    }
    return pair.position
  }
}
