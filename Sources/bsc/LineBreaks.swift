import ArgumentParser

/// Where lines are broken for a terminal that is narrower than they are: at spaces, so that no word is cut.
///
/// What belongs together stays on one line: a number and what it counts, a quotation, and a command, which somebody
/// copies. A word and a command that are wider than the terminal stay whole.
struct LineBreaks {
  /// Spaces that give way to the end of a line, and to the spaces that the next one begins with.
  struct Break: Equatable {
    /// Of characters of the whole text.
    var spaces: Range<Int>
    var indent: Int
  }

  private(set) var breaks: [Break] = []

  /// - Parameters:
  ///   - text: of any number of lines.
  ///   - columns: of the terminal.
  ///   - indent: of what goes on below; `nil` puts it below the value of a line that begins with a label.
  init(_ text: String, columns: Int, indent: Int? = nil) {
    var start = 0
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let characters = Array(line)
      if TextColumns.count(line) > columns {
        let wanted = indent ?? Self.hang(of: characters, columns)
        add(characters, at: start, columns: columns, indent: columns - wanted >= Self.leastRoom ? wanted : 0)
      }
      start += characters.count + 1
    }
  }

  /// Columns; where less is left beside the indent, there is none.
  private static let leastRoom = 16

  private mutating func add(_ line: [Character], at start: Int, columns: Int, indent: Int) {
    var column = 0
    var end = 0
    for group in Self.groups(line, limit: columns - indent) {
      let gap = group.lowerBound - end
      let width = TextColumns.count(String(line[group]))
      if end > 0, column + gap + width > columns, column > indent {
        breaks.append(Break(spaces: start + end..<start + group.lowerBound, indent: indent))
        column = indent + width
      } else {
        column += gap + width
      }
      end = group.upperBound
    }
  }

  /// `  clip       /home/…`: the column of the value; else a little more than the line itself.
  private static func hang(of line: [Character], _ columns: Int) -> Int {
    let lead = line.prefix { $0 == " " }.count
    let words = words(line)
    for (word, next) in zip(words, words.dropFirst()) where next.lowerBound - word.upperBound > 1 {
      let column = TextColumns.count(String(line[..<next.lowerBound]))
      return column * 2 <= columns ? column : lead + 4
    }
    return lead + 4
  }

  private static func words(_ line: [Character]) -> [Range<Int>] {
    var words: [Range<Int>] = []
    for (index, character) in line.enumerated() where character != " " {
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
  private static func groups(_ line: [Character], limit: Int) -> [Range<Int>] {
    var groups: [Range<Int>] = []
    var rest = words(line)[...]
    while let first = rest.first {
      let command = commandLength(rest, in: line)
      let quoted = command > 0 ? 0 : quotationLength(rest, in: line)
      let count = max(command, quoted, 1)
      let whole = first.lowerBound..<rest[rest.startIndex + count - 1].upperBound
      if command == 0, quoted > 0, width(line[whole]) > limit {
        groups += rest.prefix(count)
      } else {
        groups.append(whole)
      }
      rest = rest.dropFirst(count)
    }
    return groups.reduce(into: []) { joined, group in
      if let last = joined.last, group.lowerBound - last.upperBound == 1, line[last.upperBound - 1].isNumber,
        width(line[last.lowerBound..<group.upperBound]) <= limit
      {
        joined[joined.count - 1] = last.lowerBound..<group.upperBound
      } else {
        joined.append(group)
      }
    }
  }

  private static func width(_ characters: ArraySlice<Character>) -> Int { TextColumns.count(String(characters)) }

  private static let commands = Set(
    BSC.configuration.groupedSubcommands.flatMap(\.subcommands).map(UsageErrors.name))

  /// How many words a command of ours has that begins here; 0 for none. Somebody copies it: with a line's end inside it
  /// would be two.
  private static func commandLength(_ words: ArraySlice<Range<Int>>, in line: [Character]) -> Int {
    guard let first = words.first, let second = words.dropFirst().first,
      String(line[first]).drop(while: { "\"(".contains($0) }) == "bsc",
      commands.contains(String(line[second].prefix { $0.isLetter }))
    else { return 0 }
    let last = words.dropFirst().firstIndex { ";),\"".contains(line[$0.upperBound - 1]) } ?? words.endIndex - 1
    return last - words.startIndex + 1
  }

  /// How many words a quotation has that begins here; 0 for none, or one that does not end.
  private static func quotationLength(_ words: ArraySlice<Range<Int>>, in line: [Character]) -> Int {
    func hasMark(_ word: Range<Int>) -> Bool { line[word].count { $0 == "\"" } % 2 == 1 }
    guard let first = words.first, hasMark(first), let last = words.dropFirst().firstIndex(where: hasMark) else {
      return 0
    }
    return last - words.startIndex + 1
  }
}
