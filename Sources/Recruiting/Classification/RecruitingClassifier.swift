/// Whether a post is about recruiting, by `RecruitingPhrases`.
public struct RecruitingClassifier: Sendable {
  /// The classifier with the documented lists.
  public static let standard = RecruitingClassifier(
    recruiting: RecruitingPhrases.recruiting, falseFriends: RecruitingPhrases.falseFriends)

  private let recruiting: PhraseList
  private let falseFriends: PhraseList

  /// Reads phrases in the notation of `RecruitingPhrases`.
  public init(recruiting: [String], falseFriends: [String]) {
    self.recruiting = PhraseList(recruiting)
    self.falseFriends = PhraseList(falseFriends)
  }

  /// Whether the text contains a recruiting phrase that isn't part of a false friend.
  public func isRecruitingRelated(_ text: String) -> Bool { phrase(in: text) != nil }

  /// The words that make the post recruiting-related, or `nil`.
  public func phrase(in text: String) -> String? {
    let words = PostWords.split(text, keepsHashtags: true)
    var isFalseFriend = [Bool](repeating: false, count: words.count)
    for start in words.indices {
      let length = falseFriends.longestMatch(words, at: start)
      for index in start..<(start + length) { isFalseFriend[index] = true }
    }
    for start in words.indices {
      let length = recruiting.longestMatch(words, at: start)
      let range = start..<(start + length)
      if length > 0, range.contains(where: { !isFalseFriend[$0] }) { return words[range].joined(separator: " ") }
    }
    return nil
  }
}

/// Phrases by the first word, so that a text needs one lookup per word.
private struct PhraseList: Sendable {
  private var byFirstWord: [String: [[WordPattern]]] = [:]
  /// Phrases whose first word is a pattern.
  private var others: [[WordPattern]] = []

  init(_ phrases: [String]) {
    for phrase in phrases {
      let patterns = phrase.split(separator: " ").map { WordPattern($0) }
      if let words = patterns.first?.words {
        for word in words { byFirstWord[word, default: []].append(patterns) }
      } else {
        others.append(patterns)
      }
    }
  }

  /// The number of words of the longest phrase at a position, or 0.
  func longestMatch(_ words: [String], at start: Int) -> Int {
    var longest = 0
    if let phrases = byFirstWord[words[start]] { match(phrases) }
    match(others)
    return longest

    func match(_ phrases: [[WordPattern]]) {
      for phrase in phrases where phrase.count > longest && start + phrase.count <= words.count {
        let isMatch = phrase.indices.allSatisfy { phrase[$0].matches(words[start + $0]) }
        if isMatch { longest = phrase.count }
      }
    }
  }
}

/// A place in a phrase: alternatives, of which some are patterns.
private struct WordPattern: Sendable {
  private enum Shape: Sendable {
    case any
    case number
    /// Text with `#` for digits.
    case digits([Character])
  }

  private var literals: Set<String> = []
  private var shapes: [Shape] = []

  init(_ text: Substring) {
    for choice in text.split(separator: "|") {
      switch choice {
      case "?": shapes.append(.any)
      case "#": shapes.append(.number)
      case _ where choice.contains("#"): shapes.append(.digits(Array(choice)))
      default: literals.insert(String(choice))
      }
    }
  }

  /// The alternatives if none of them is a pattern.
  var words: Set<String>? { shapes.isEmpty ? literals : nil }

  func matches(_ word: String) -> Bool {
    literals.contains(word) || shapes.contains { matches(word, $0) }
  }

  private func matches(_ word: String, _ shape: Shape) -> Bool {
    switch shape {
    case .any: true
    case .number: word.allSatisfy(\.isNumber)
    case .digits(let pattern):
      word.count == pattern.count && zip(word, pattern).allSatisfy { $1 == "#" ? $0.isASCII && $0.isNumber : $0 == $1 }
    }
  }
}
