import ArgumentParser

/// Breaks lines that are too wide for the terminal, at spaces.
///
/// Numbers stay with their units, and commands stay on one line. Words, commands and paths that are wider than the
/// terminal are not broken: the terminal wraps them, and they can still be copied as one line.
struct LineWrapping {
  /// A run of spaces to replace with a line break, and the indentation of the next line.
  struct LineBreak: Equatable {
    /// The range in the text's Unicode scalars, because a character can span two styled parts of the text.
    var spaces: Range<Int>
    var indent: Int
  }

  private(set) var breaks: [LineBreak] = []
  private let columns: Int
  /// Parts that must not be broken, as ranges of Unicode scalars.
  private let whole: [Range<Int>]

  /// - Parameters:
  ///   - text: one or several lines.
  ///   - columns: the terminal's width.
  ///   - indent: the indent of continuation lines; `nil` aligns them with the value of a labeled line.
  ///   - whole: parts that must not be broken, as ranges of Unicode scalars.
  init(_ text: String, columns: Int, indent: Int? = nil, whole: [Range<Int>] = []) {
    self.columns = columns
    self.whole = whole
    var line: [CharacterCell] = []
    var offset = 0
    for character in text {
      if character.isNewline {
        addLine(line, indent)
        line = []
      } else {
        line.append(CharacterCell(character: character, offset: offset))
      }
      offset += character.unicodeScalars.count
    }
    addLine(line, indent)
  }

  private struct CharacterCell {
    var character: Character
    /// The character's offset in Unicode scalars.
    var offset: Int
  }

  /// The minimum number of columns after the indentation. If fewer would remain, lines aren't indented.
  private static let minimumWidth = 16

  private mutating func addLine(_ line: [CharacterCell], _ requestedIndent: Int?) {
    guard Self.countColumns(line[...]) > columns else { return }
    let words = splitWords(line)
    let hang = requestedIndent ?? hangingIndent(of: line, words)
    let indent = columns - hang >= Self.minimumWidth ? hang : 0
    var column = 0
    var end = 0
    for group in groupWords(words, in: line, limit: columns - indent) {
      let gap = group.lowerBound - end
      let width = Self.countColumns(line[group])
      if end > 0, column + gap + width > columns, column > indent {
        breaks.append(LineBreak(spaces: line[end].offset..<line[group.lowerBound].offset, indent: indent))
        column = indent + width
      } else {
        column += gap + width
      }
      end = group.upperBound
    }
  }

  private static func countColumns(_ cells: ArraySlice<CharacterCell>) -> Int {
    TextColumns.count(String(cells.map(\.character)))
  }

  /// Returns the column where the value starts in a line such as `  clip       /home/…`; for other lines, a little more
  /// than the line's indent.
  private func hangingIndent(of line: [CharacterCell], _ words: [Range<Int>]) -> Int {
    let lead = words.first?.lowerBound ?? 0
    for (word, next) in zip(words, words.dropFirst()) where next.lowerBound - word.upperBound > 1 {
      let column = Self.countColumns(line[..<next.lowerBound])
      return column * 2 <= columns ? column : lead + 4
    }
    return lead + 4
  }

  private func splitWords(_ line: [CharacterCell]) -> [Range<Int>] {
    var words: [Range<Int>] = []
    var whole = whole[...]
    for (index, cell) in line.enumerated() {
      while let first = whole.first, first.upperBound <= cell.offset { whole = whole.dropFirst() }
      guard cell.character != " " || whole.first?.contains(cell.offset) == true else { continue }
      if let last = words.last, last.upperBound == index {
        words[words.count - 1] = last.lowerBound..<index + 1
      } else {
        words.append(index..<index + 1)
      }
    }
    return words
  }

  /// Groups words that must stay together: commands, and numbers with their units.
  /// - Parameter limit: the width of a line in columns. A number and its unit are separated if together they don't fit.
  private func groupWords(_ words: [Range<Int>], in line: [CharacterCell], limit: Int) -> [Range<Int>] {
    var groups: [Range<Int>] = []
    let texts = words.map { String(line[$0].map(\.character)) }
    var position = 0
    while position < words.count {
      let count = max(Self.countCommandWords(texts[position...]), 1)
      groups.append(words[position].lowerBound..<words[position + count - 1].upperBound)
      position += count
    }
    return groups.reduce(into: []) { joined, group in
      if let last = joined.last, group.lowerBound - last.upperBound == 1,
        line[last.upperBound - 1].character.isNumber,
        Self.countColumns(line[last.lowerBound..<group.upperBound]) <= limit
      {
        joined[joined.count - 1] = last.lowerBound..<group.upperBound
      } else {
        joined.append(group)
      }
    }
  }

  private static let commands = Set(
    BSC.configuration.groupedSubcommands.flatMap(\.subcommands).map(UsageErrors.commandName))

  /// Returns the number of words in the command at the start of `words`, including its variables; 0 if there is none. A
  /// command can be copied only if it stays on one line.
  private static func countCommandWords(_ words: ArraySlice<String>) -> Int {
    guard let opening = words.first else { return 0 }
    let variables = words.prefix { $0.drop { "\"(".contains($0) }.prefixMatch(of: /[A-Z_]+=/) != nil }
    let command = words.dropFirst(variables.count)
    guard let name = command.first?.drop(while: { "\"(".contains($0) }), let next = command.dropFirst().first else {
      return 0
    }
    let isOurs = name == "bsc" && commands.contains(String(next.prefix(while: \.isLetter)))
    guard isOurs || (name == "ffmpeg" && next.hasPrefix("-")) else { return 0 }
    // A quoted command ends at its closing quotation mark, after any nested quotations; other commands end at a
    // punctuation mark.
    var depth = opening.hasPrefix("\"") ? 1 : 0
    let isQuoted = depth > 0
    let last = command.dropFirst().firstIndex { word in
      guard isQuoted else { return ";),".contains(word.suffix(1)) }
      if word.hasPrefix("\"") { depth += 1 }
      let end = word.reversed().drop { ",;.)?".contains($0) }
      if end.count > 1, end.first == "\"" { depth -= 1 }
      return depth == 0
    }
    return (last ?? words.endIndex - 1) - words.startIndex + 1
  }
}
