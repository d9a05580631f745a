import ArgumentParser

/// Where lines are broken for a terminal that is narrower than they are: at spaces, so that no word is cut.
///
/// What belongs together stays on one line: a number and what it counts, a quotation, and what somebody copies: a command
/// or a path. A word, a command and a path that are wider than the terminal stay whole: it folds them itself, and copies
/// them as one.
struct LineWrapping {
  /// Spaces that give way to the end of a line, and to the spaces that the next one begins with.
  struct Break: Equatable {
    /// Of Unicode scalars of the whole text: characters can join over the borders of its pieces.
    var spaces: Range<Int>
    var indent: Int
  }

  private(set) var breaks: [Break] = []
  private let columns: Int
  /// Pieces without a place to break, in scalars.
  private let whole: [Range<Int>]

  /// - Parameters:
  ///   - text: of any number of lines.
  ///   - columns: of the terminal.
  ///   - indent: of what goes on below; `nil` puts it below the value of a line that begins with a label.
  ///   - whole: pieces that are not broken, as ranges of Unicode scalars.
  init(_ text: String, columns: Int, indent: Int? = nil, whole: [Range<Int>] = []) {
    self.columns = columns
    self.whole = whole
    var line: [Cell] = []
    var offset = 0
    for character in text {
      if character.isNewline {
        add(line, indent)
        line = []
      } else {
        line.append(Cell(character: character, offset: offset))
      }
      offset += character.unicodeScalars.count
    }
    add(line, indent)
  }

  private struct Cell {
    var character: Character
    /// In scalars.
    var offset: Int
  }

  /// Columns; where less is left beside the indent, there is none.
  private static let leastRoom = 16

  private mutating func add(_ line: [Cell], _ wanted: Int?) {
    guard Self.width(line[...]) > columns else { return }
    let words = words(line)
    let hang = wanted ?? hang(of: line, words)
    let indent = columns - hang >= Self.leastRoom ? hang : 0
    var column = 0
    var end = 0
    for group in groups(words, in: line, limit: columns - indent) {
      let gap = group.lowerBound - end
      let width = Self.width(line[group])
      if end > 0, column + gap + width > columns, column > indent {
        breaks.append(Break(spaces: line[end].offset..<line[group.lowerBound].offset, indent: indent))
        column = indent + width
      } else {
        column += gap + width
      }
      end = group.upperBound
    }
  }

  private static func width(_ cells: ArraySlice<Cell>) -> Int { TextColumns.count(String(cells.map(\.character))) }

  /// `  clip       /home/…`: the column of the value; else a little more than the line itself.
  private func hang(of line: [Cell], _ words: [Range<Int>]) -> Int {
    let lead = words.first?.lowerBound ?? 0
    for (word, next) in zip(words, words.dropFirst()) where next.lowerBound - word.upperBound > 1 {
      let column = Self.width(line[..<next.lowerBound])
      return column * 2 <= columns ? column : lead + 4
    }
    return lead + 4
  }

  private func words(_ line: [Cell]) -> [Range<Int>] {
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

  /// Words, and those that stay together.
  /// - Parameter limit: columns that a line has; what is wider is broken all the same, but for commands.
  private func groups(_ words: [Range<Int>], in line: [Cell], limit: Int) -> [Range<Int>] {
    var groups: [Range<Int>] = []
    let texts = words.map { String(line[$0].map(\.character)) }
    var place = 0
    while place < words.count {
      let rest = texts[place...]
      let command = Self.commandLength(rest)
      let count = command > 0 ? command : max(Self.quotationLength(rest), 1)
      let group = words[place].lowerBound..<words[place + count - 1].upperBound
      if command == 0, count > 1, Self.width(line[group]) > limit {
        groups += words[place..<place + count]
      } else {
        groups.append(group)
      }
      place += count
    }
    return groups.reduce(into: []) { joined, group in
      if let last = joined.last, group.lowerBound - last.upperBound == 1,
        line[last.upperBound - 1].character.isNumber, Self.width(line[last.lowerBound..<group.upperBound]) <= limit
      {
        joined[joined.count - 1] = last.lowerBound..<group.upperBound
      } else {
        joined.append(group)
      }
    }
  }

  private static let commands = Set(
    BSC.configuration.groupedSubcommands.flatMap(\.subcommands).map(UsageErrors.name))

  /// How many words a command has that begins here, with the variables in front of it; 0 for none. Somebody copies it:
  /// with a line's end inside it would be two.
  private static func commandLength(_ words: ArraySlice<String>) -> Int {
    guard let opening = words.first else { return 0 }
    let variables = words.prefix { $0.drop { "\"(".contains($0) }.prefixMatch(of: /[A-Z_]+=/) != nil }
    let command = words.dropFirst(variables.count)
    guard let name = command.first?.drop(while: { "\"(".contains($0) }), let next = command.dropFirst().first else {
      return 0
    }
    let isOurs = name == "bsc" && commands.contains(String(next.prefix(while: \.isLetter)))
    guard isOurs || (name == "ffmpeg" && next.hasPrefix("-")) else { return 0 }
    // In quotes it ends with them, behind those of its arguments; otherwise where the sentence goes on.
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

  /// How many words a quotation has that begins here; 0 for none, or one that does not end.
  private static func quotationLength(_ words: ArraySlice<String>) -> Int {
    func hasMark(_ word: String) -> Bool { word.count { $0 == "\"" } % 2 == 1 }
    guard let first = words.first, hasMark(first), let last = words.dropFirst().firstIndex(where: hasMark) else {
      return 0
    }
    return last - words.startIndex + 1
  }
}
