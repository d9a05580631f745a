import Foundation

/// A path pattern with `*`, `?`, `[a-z]`, `{mp4,mov}`, and `**` across folders. Matching ignores case, because many
/// cameras write `.MOV`.
package struct Glob: Equatable, Sendable {
  private enum Token: Equatable {
    case literal(Character)
    /// Matches any single character except `/` (`?`).
    case any
    case set([ClosedRange<Character>], isNegated: Bool)
    /// Matches any number of characters except `/` (`*`).
    case star
    /// `**`: any characters.
    case doubleStar
    /// The start of `**/`. The next two tokens, `**` and `/`, are optional.
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

  /// The token lists, one for each combination of brace alternatives.
  private let alternatives: [[Token]]
  private let matchesPath: Bool

  /// The maximum number of combinations of brace alternatives. Each pair of braces multiplies the number, and a larger
  /// number is most likely a mistake.
  private static let alternativeLimit = 256

  /// - Returns: the pattern, or `nil` if a bracket or brace is not closed or there are too many combinations.
  package init?(_ pattern: String) {
    guard let expanded = Self.expandBraces(Self.foldCase(pattern)) else { return nil }
    let alternatives = expanded.compactMap(Self.parseTokens)
    guard alternatives.count == expanded.count else { return nil }
    self.alternatives = alternatives
    matchesPath = pattern.contains("/")
  }

  /// - Parameter path: a relative path with `/` as the separator. A pattern without a slash is compared with the last
  ///   path component.
  package func matches(_ path: String) -> Bool {
    let path = Self.foldCase(path)
    let subject = matchesPath ? path[...] : path[(path.lastIndex(of: "/").map { $0 + 1 } ?? 0)...]
    return alternatives.contains { Self.matches($0, subject) }
  }

  private static func foldCase(_ text: String) -> [Character] {
    Array(text.precomposedStringWithCanonicalMapping.lowercased())
  }

  /// Expands braces into all combinations of their alternatives.
  private static func expandBraces(_ pattern: [Character]) -> [[Character]]? {
    guard let open = pattern.firstIndex(of: "{") else { return [pattern] }
    guard let close = pattern[open...].firstIndex(of: "}") else { return nil }
    var all: [[Character]] = []
    for choice in pattern[(open + 1)..<close].split(separator: ",", omittingEmptySubsequences: false) {
      guard let more = expandBraces(Array(pattern[..<open]) + choice + pattern[(close + 1)...]) else { return nil }
      all += more
      if all.count > alternativeLimit { return nil }
    }
    return all
  }

  private static func parseTokens(_ pattern: [Character]) -> [Token]? {
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
        tokens.append(parseCharacterSet(rest[..<close]))
        rest = rest[(close + 1)...]
      default: tokens.append(.literal(character))
      }
    }
    return tokens
  }

  private static func parseCharacterSet(_ characters: ArraySlice<Character>) -> Token {
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

  /// Tracks all positions in the pattern that match the text so far. This keeps matching fast for all patterns.
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
