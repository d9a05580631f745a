import Foundation

/// A pattern for paths: `*`, `?`, `[a-z]`, `{mp4,mov}`, and `**` across folders. Matching ignores case, because cameras
/// write `.MOV`.
package struct Glob: Equatable, Sendable {
  private enum Token: Equatable {
    case literal(Character)
    /// `?`: any character except `/`.
    case any
    case set([ClosedRange<Character>], isNegated: Bool)
    /// `*`: any characters except `/`.
    case star
    /// `**`: any characters.
    case doubleStar
    /// The start of `**/`: the next two tokens, `**` and `/`, can be skipped.
    case optionalFolders

    func matches(_ character: Character) -> Bool {
      switch self {
      case .literal(let literal): literal == character
      case .any, .star: character != "/"
      case .set(let ranges, let isNegated):
        character != "/" && ranges.contains { $0.contains(character) } != isNegated
      case .doubleStar: true
      case .optionalFolders: false
      }
    }
  }

  /// One list of tokens for each combination of brace alternatives.
  private let alternatives: [[Token]]
  private let matchesPath: Bool

  /// The maximum number of combinations, which multiply with each pair of braces. A larger number is most likely a
  /// mistake.
  private static let alternativeLimit = 256

  /// - Returns: `nil` if a bracket or brace is unclosed, or if there are too many combinations.
  package init?(_ pattern: String) {
    guard let expanded = Self.expanded(Self.folded(pattern)) else { return nil }
    let alternatives = expanded.compactMap(Self.tokens)
    guard alternatives.count == expanded.count else { return nil }
    self.alternatives = alternatives
    matchesPath = pattern.contains("/")
  }

  /// - Parameter path: a relative path with `/` between folders. A pattern without a slash matches the last component.
  package func matches(_ path: String) -> Bool {
    let path = Self.folded(path)
    let subject = matchesPath ? path[...] : path[(path.lastIndex(of: "/").map { $0 + 1 } ?? 0)...]
    return alternatives.contains { Self.matches($0, subject) }
  }

  private static func folded(_ text: String) -> [Character] {
    Array(text.precomposedStringWithCanonicalMapping.lowercased())
  }

  /// Expands braces into all combinations of their alternatives.
  private static func expanded(_ pattern: [Character]) -> [[Character]]? {
    guard let open = pattern.firstIndex(of: "{") else { return [pattern] }
    guard let close = pattern[open...].firstIndex(of: "}") else { return nil }
    var all: [[Character]] = []
    for choice in pattern[(open + 1)..<close].split(separator: ",", omittingEmptySubsequences: false) {
      guard let more = expanded(Array(pattern[..<open]) + choice + pattern[(close + 1)...]) else { return nil }
      all += more
      if all.count > alternativeLimit { return nil }
    }
    return all
  }

  private static func tokens(_ pattern: [Character]) -> [Token]? {
    var tokens: [Token] = []
    var rest = pattern.first == "/" ? pattern[1...] : pattern[...]
    while let character = rest.popFirst() {
      switch character {
      case "?": tokens.append(.any)
      case "*" where rest.starts(with: "*/"):
        tokens += [.optionalFolders, .doubleStar, .literal("/")]
        rest = rest.dropFirst(2)
      case "*" where rest.first == "*":
        tokens.append(.doubleStar)
        rest = rest.dropFirst()
      case "*": tokens.append(.star)
      case "[":
        guard let close = rest.firstIndex(of: "]") else { return nil }
        tokens.append(set(rest[..<close]))
        rest = rest[(close + 1)...]
      default: tokens.append(.literal(character))
      }
    }
    return tokens
  }

  private static func set(_ characters: ArraySlice<Character>) -> Token {
    let isNegated = characters.first == "!" || characters.first == "^"
    var rest = isNegated ? characters.dropFirst() : characters
    var ranges: [ClosedRange<Character>] = []
    while let first = rest.popFirst() {
      var last = first
      if rest.count > 1, rest.first == "-" {
        last = rest[rest.startIndex + 1]
        rest = rest.dropFirst(2)
      }
      if first <= last { ranges.append(first...last) }
    }
    return .set(ranges, isNegated: isNegated)
  }

  /// Tracks all positions in the pattern that match the text so far, which keeps matching fast for every pattern.
  private static func matches(_ pattern: [Token], _ text: ArraySlice<Character>) -> Bool {
    var isReached = [Bool](repeating: false, count: pattern.count + 1)
    isReached[0] = true
    func skipOptionalTokens() {
      for (index, token) in pattern.enumerated() where isReached[index] {
        if [.star, .doubleStar, .optionalFolders].contains(token) { isReached[index + 1] = true }
        if token == .optionalFolders { isReached[index + 3] = true }
      }
    }
    skipOptionalTokens()
    for character in text {
      var next = [Bool](repeating: false, count: pattern.count + 1)
      for (index, token) in pattern.enumerated() where isReached[index] && token.matches(character) {
        next[token == .star || token == .doubleStar ? index : index + 1] = true
      }
      isReached = next
      skipOptionalTokens()
    }
    return isReached[pattern.count]
  }
}
