internal import ClipModel

/// Lines of text that are two numbers and nothing else, as people copy them from maps: `48.137412, 11.575533`.
enum BarePairs {
  /// Text of people is shorter; a table of numbers is longer.
  private static let limit = 64 << 10
  /// Five decimals, about a metre: fewer are a score, a size or a version.
  private static let resolution = 1.5e-5
  /// Of a line with two such numbers, or a link with them.
  private static let lengths = 12...96
  private static let mapLink = Array("#map=".utf8)

  static func trace(in bytes: [UInt8]) -> PositionTrace {
    var trace = PositionTrace()
    guard bytes.count <= limit else { return trace }
    var start = 0
    for index in 0...bytes.count {
      guard index == bytes.count || bytes[index] == 0 || bytes[index] == 10 || bytes[index] == 13 else { continue }
      // Most bytes are none of a text: short lines cost nothing.
      if lengths.contains(index - start), let position = position(in: bytes[start..<index]) { trace.add(position) }
      start = index + 1
    }
    return trace
  }

  private static func position(in line: ArraySlice<UInt8>) -> GeoPosition? {
    var line = line
    // Lengths and language codes stand in front of user data.
    if let last = line.prefix(6).lastIndex(where: { !(0x20..<0x7F).contains($0) }) { line = line[(last + 1)...] }
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
