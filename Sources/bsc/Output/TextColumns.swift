/// The width of text in a terminal: East Asian characters and emoji occupy two columns, and combining marks none.
enum TextColumns {
  static func count(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + columnWidth($1) } }

  /// Returns the longest prefix that fits into the columns.
  static func prefix(_ text: some StringProtocol, _ columns: Int) -> String {
    var rest = columns
    return String(
      text.prefix { character in
        rest -= columnWidth(character)
        return rest >= 0
      })
  }

  /// Returns the longest suffix that fits into the columns.
  static func suffix(_ text: some StringProtocol, _ columns: Int) -> String {
    String(prefix(String(text.reversed()), columns).reversed())
  }

  /// Returns the number of rows that a line occupies in a terminal that wraps at any character.
  static func countRows(_ text: some StringProtocol, _ columns: Int) -> Int {
    let columns = max(columns, 1)
    var (rows, used) = (1, 0)
    for character in text {
      let width = min(columnWidth(character), columns)
      // Wide characters don't start in the last column.
      if used + width > columns { (rows, used) = (rows + 1, 0) }
      used += width
    }
    return rows
  }

  /// Returns the name, padded or truncated to the width. Keeps the end of the name, which distinguishes files from the
  /// same camera.
  static func fitName(_ name: String, _ columns: Int, ellipsis: String = "…") -> String {
    let own = count(name)
    if own <= columns { return name + String(repeating: " ", count: columns - own) }
    let room = max(columns - count(ellipsis), 0)
    let end = suffix(name, room)
    return prefix(ellipsis, columns) + end + String(repeating: " ", count: room - count(end))
  }

  private static func columnWidth(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    if character.unicodeScalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    // A flag emoji consists of two regional indicators.
    if (0x1F1E6...0x1F1FF).contains(first.value) { return character.unicodeScalars.count > 1 ? 2 : 1 }
    return first.properties.isEmojiPresentation || isWide(first.value) ? 2 : 1
  }

  /// The blocks that Unicode's EastAsianWidth.txt lists as W or F, without emoji.
  private static func isWide(_ value: UInt32) -> Bool {
    switch value {
    case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x17000...0x18CFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
