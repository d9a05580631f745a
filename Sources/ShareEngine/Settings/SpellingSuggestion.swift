/// Finds the word that the user probably meant.
package enum SpellingSuggestion {
  /// Returns the candidate with the smallest edit distance, or `nil` if no candidate is similar. A similar candidate
  /// differs in at most two letters or a third of the word's letters.
  package static func nearestWord(to word: String, among candidates: [String]) -> String? {
    let limit = max(2, word.count / 3)
    return candidates.map { (distance: distance(word, $0), word: $0) }.min { $0.distance < $1.distance }
      .flatMap { $0.distance <= limit ? $0.word : nil }
  }

  /// Returns the optimal string alignment distance. It equals the Levenshtein distance, except that swapping two
  /// adjacent letters counts as one change.
  package static func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left), Array(right))
    var rows = [Array(0...right.count)]
    for i in left.indices {
      var row = [i + 1]
      for j in right.indices {
        var best = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (left[i] == right[j] ? 0 : 1))
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] { best = min(best, rows[i - 1][j - 1] + 1) }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[left.count][right.count]
  }
}
