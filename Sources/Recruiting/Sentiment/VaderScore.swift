internal import Foundation

/// The sentiment of a text by VADER (C. J. Hutto and E. Gilbert, 2014): a lexicon with rules for negation, degree,
/// capitals, punctuation and contrast. A port of `vaderSentiment` 3.3.2, which gives the same scores.
public struct VaderScore: Equatable, Sendable {
  /// From -1 (most negative) to 1 (most positive), rounded to four decimals.
  public let compound: Double
  /// The number of words with a rating. A text without one is neither positive nor negative nor neutral.
  public let ratedWordCount: Int

  /// Scores a text.
  public init(_ text: String) {
    let words = VaderWords.shared
    var rater = VaderRater(words: words, text: VaderText(text, words))
    let ratings = rater.ratings()
    ratedWordCount = rater.ratedWordCount
    var sum = ratings.reduce(0, +)
    let emphasis = rater.emphasis
    if sum > 0 { sum += emphasis } else if sum < 0 { sum -= emphasis }
    let compound = max(-1, min(1, sum / (sum * sum + 15).squareRoot()))
    self.compound = (compound * 10_000).rounded(.toNearestOrEven) / 10_000
  }

  /// The classes of the product.
  public var sentiment: PostSentiment? {
    if ratedWordCount == 0 { return nil }
    if compound >= 0.6 { return .veryPositive }
    if compound >= 0.05 { return .positive }
    return compound <= -0.05 ? .negative : .neutral
  }
}

/// Rates each word of a text in its context. The order of the rules is that of the original, because they don't commute.
private struct VaderRater {
  let words: VaderWords
  let text: VaderText
  private(set) var ratedWordCount = 0

  private static let capitals = 0.733
  private static let negated = -0.74

  init(words: VaderWords, text: VaderText) {
    self.words = words
    self.text = text
  }

  mutating func ratings() -> [Double] {
    let tokens = text.tokens
    var ratings = [Double](repeating: 0, count: tokens.count)
    for index in tokens.indices where isRated(index) && words.degrees[Int(tokens[index].number)] == 0 {
      let isKindOf =
        tokens[index].number == words.named.kind && index + 1 < tokens.count
        && tokens[index + 1].number == words.named.of
      if isKindOf { continue }
      ratedWordCount += 1
      ratings[index] = rating(index)
    }
    weighContrast(&ratings)
    return ratings
  }

  /// Up to four exclamation marks, and two or more question marks.
  var emphasis: Double {
    let exclamations = Double(min(text.exclamationCount, 4)) * 0.292
    switch text.questionCount {
    case ..<2: return exclamations
    case ...3: return exclamations + Double(text.questionCount) * 0.18
    default: return exclamations + 0.96
    }
  }

  private func number(_ index: Int) -> VaderWords.Number { text.tokens[index].number }

  private func isRated(_ index: Int) -> Bool { !words.ratings[Int(number(index))].isNaN }

  private func isEmphasized(_ index: Int) -> Bool { text.hasCapitalEmphasis && text.tokens[index].isUppercase }

  private func rating(_ index: Int) -> Double {
    let own = words.ratings[Int(number(index))]
    var rating = own
    let no = words.named.no
    // "no" before a rated word negates it and has no rating.
    if number(index) == no, index + 1 < text.tokens.count, isRated(index + 1) { rating = 0 }
    if index > 0,
      number(index - 1) == no || index > 1 && number(index - 2) == no
        || index > 2 && number(index - 3) == no
          && (number(index - 1) == words.named.or || number(index - 1) == words.named.nor)
    {
      rating = own * Self.negated
    }
    if isEmphasized(index) { rating += rating > 0 ? Self.capitals : -Self.capitals }
    for distance in 1...3 where index >= distance && !isRated(index - distance) {
      rating += degree(index - distance, of: rating) * [1, 0.95, 0.9][distance - 1]
      rating = negate(rating, index, distance)
      if distance == 3 { rating = applyIdioms(rating, index) }
    }
    return negateByLeast(rating, index)
  }

  /// The change of a word's rating by a degree adverb before it.
  private func degree(_ index: Int, of rating: Double) -> Double {
    var degree = words.degrees[Int(number(index))]
    guard degree != 0 else { return 0 }
    if rating < 0 { degree = -degree }
    if isEmphasized(index) { degree += rating > 0 ? Self.capitals : -Self.capitals }
    return degree
  }

  private func isSoOrThis(_ index: Int) -> Bool { number(index) == words.named.so || number(index) == words.named.this }

  private func negate(_ rating: Double, _ index: Int, _ distance: Int) -> Double {
    let named = words.named
    let first = number(index - distance)
    switch distance {
    case 2:
      if first == named.never, isSoOrThis(index - 1) { return rating * 1.25 }
      if first == named.without, number(index - 1) == named.doubt { return rating }
    case 3:
      if first == named.never && isSoOrThis(index - 2) || isSoOrThis(index - 1) { return rating * 1.25 }
      if first == named.without, number(index - 2) == named.doubt || number(index - 1) == named.doubt { return rating }
    default: break
    }
    return text.tokens[index - distance].isNegation ? rating * Self.negated : rating
  }

  private func negateByLeast(_ rating: Double, _ index: Int) -> Double {
    guard index > 0, number(index - 1) == words.named.least, !isRated(index - 1) else { return rating }
    if index > 1, number(index - 2) == words.named.at || number(index - 2) == words.named.very { return rating }
    return rating * Self.negated
  }

  /// Phrases that contain the word, or end before it. Only for words with three words before them.
  private func applyIdioms(_ rating: Double, _ index: Int) -> Double {
    var rating = rating
    let ends = [
      (index - 1, index), (index - 2, index), (index - 2, index - 1), (index - 3, index - 1), (index - 3, index - 2),
    ]
    if let found = ends.lazy.compactMap({ idiom($0.0, $0.1) }).first { rating = found }
    if let found = idiom(index, index + 1) { rating = found }
    if let found = idiom(index, index + 2) { rating = found }
    for start in [index - 3, index - 2] {
      let isWeakened = words.weakeningPairs.contains { $0[0] == number(start) && $0[1] == number(start + 1) }
      if isWeakened { rating -= VaderWords.degree }
    }
    return rating
  }

  /// The rating of the phrase from the first to the last index, if it is one.
  private func idiom(_ first: Int, _ last: Int) -> Double? {
    guard last < text.tokens.count else { return nil }
    for (idiom, rating) in words.idioms where idiom.count == last - first + 1 && idiom[0] == number(first) {
      if (1..<idiom.count).allSatisfy({ idiom[$0] == number(first + $0) }) { return rating }
    }
    return nil
  }

  /// After "but", words count more, and before it, less. The original finds each rating by its value, so equal ratings
  /// change the first of them. The scores depend on that.
  private func weighContrast(_ ratings: inout [Double]) {
    guard let contrast = text.tokens.firstIndex(where: { $0.number == words.named.but }) else { return }
    for index in ratings.indices {
      guard let first = ratings.firstIndex(of: ratings[index]) else { continue }
      if first < contrast { ratings[first] *= 0.5 } else if first > contrast { ratings[first] *= 1.5 }
    }
  }
}
