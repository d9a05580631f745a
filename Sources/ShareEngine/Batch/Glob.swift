import Foundation

/// A pattern for names in a folder: `*`, `?`, `[a-z]`, `{mp4,mov}`, and `**` over folders. Case does not count: cameras
/// write `.MOV`.
package struct Glob: Equatable, Sendable {
  package let pattern: String
  /// One for each choice of braces.
  private let alternatives: [[Character]]
  private let isOfPath: Bool

  /// Choices of braces at most: what multiplies beyond is a slip of the hand.
  private static let alternativeLimit = 256

  /// - Returns: `nil` when a bracket or a brace is not closed, or when it has too many choices.
  package init?(_ pattern: String) {
    self.pattern = pattern
    guard let expanded = Self.expanded(Array(Self.folded(pattern))) else { return nil }
    alternatives = expanded
    guard expanded.allSatisfy(Self.isClosed) else { return nil }
    isOfPath = pattern.contains("/")
  }

  /// - Parameter name: relative, with `/` between folders. A pattern without a slash is about the last part alone.
  package func matches(_ name: String) -> Bool {
    let name = Array(Self.folded(name))
    let subject = isOfPath ? name[...] : name[(name.lastIndex(of: "/").map { $0 + 1 } ?? 0)...]
    return alternatives.contains { pattern in
      let rooted = pattern.first == "/" ? pattern[1...] : pattern[...]
      return Self.matches(rooted, subject)
    }
  }

  private static func folded(_ text: String) -> String { text.precomposedStringWithCanonicalMapping.lowercased() }

  private static func isClosed(_ pattern: [Character]) -> Bool {
    var isOpen = false
    for character in pattern {
      if character == "[" { isOpen = true } else if character == "]" { isOpen = false }
    }
    return !isOpen
  }

  private static func expanded(_ pattern: [Character]) -> [[Character]]? {
    guard let open = pattern.firstIndex(of: "{") else { return [pattern] }
    guard let close = pattern[open...].firstIndex(of: "}") else { return nil }
    let choices = pattern[(open + 1)..<close].split(separator: ",", omittingEmptySubsequences: false)
    var all: [[Character]] = []
    for choice in choices {
      guard let more = expanded(Array(pattern[..<open]) + Array(choice) + Array(pattern[(close + 1)...])) else {
        return nil
      }
      all += more
      if all.count > alternativeLimit { return nil }
    }
    return all
  }

  /// Goes back to the last star when it fails, once each: no pattern is slow.
  private static func matches(_ pattern: ArraySlice<Character>, _ name: ArraySlice<Character>) -> Bool {
    var (p, n) = (pattern.startIndex, name.startIndex)
    // Where to go on when what follows the star does not fit: after the star, one character further.
    var star: (pattern: Int, name: Int)?
    var doubleStar: (pattern: Int, name: Int)?
    while n < name.endIndex {
      if p < pattern.endIndex, pattern[p] == "*" {
        if p + 1 < pattern.endIndex, pattern[p + 1] == "*" {
          p += 2
          // `**/` is also no folder at all.
          if p < pattern.endIndex, pattern[p] == "/" { p += 1 }
          (doubleStar, star) = ((p, n), nil)
        } else {
          p += 1
          star = (p, n)
        }
        continue
      }
      if let width = width(of: pattern, at: p, matching: name[n]) {
        p += width
        n += 1
      } else if let last = star, name[last.name] != "/" {
        star = (last.pattern, last.name + 1)
        (p, n) = (last.pattern, last.name + 1)
      } else if let last = doubleStar {
        doubleStar = (last.pattern, last.name + 1)
        star = nil
        (p, n) = (last.pattern, last.name + 1)
      } else {
        return false
      }
    }
    while p < pattern.endIndex, pattern[p] == "*" { p += 1 }
    return p == pattern.endIndex
  }

  /// How much of the pattern stands for one character; `nil` when that is another one.
  private static func width(of pattern: ArraySlice<Character>, at place: Int, matching character: Character) -> Int? {
    guard place < pattern.endIndex else { return nil }
    switch pattern[place] {
    case "?": return character == "/" ? nil : 1
    case "[":
      guard let close = pattern[place...].firstIndex(of: "]") else { return nil }
      var set = pattern[(place + 1)..<close]
      let isNegated = set.first == "!" || set.first == "^"
      if isNegated { set = set.dropFirst() }
      return character != "/" && contains(set, character) != isNegated ? close - place + 1 : nil
    case character: return 1
    default: return nil
    }
  }

  private static func contains(_ set: ArraySlice<Character>, _ character: Character) -> Bool {
    var place = set.startIndex
    while place < set.endIndex {
      if place + 2 < set.endIndex, set[place + 1] == "-" {
        if set[place] <= character, character <= set[place + 2] { return true }
        place += 3
      } else {
        if set[place] == character { return true }
        place += 1
      }
    }
    return false
  }
}
