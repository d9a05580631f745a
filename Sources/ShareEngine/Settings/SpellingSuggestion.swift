/// Finds the word that the user probably meant.
package enum SpellingSuggestion {
  /// The candidate with the smallest edit distance; `nil` if every candidate differs in more than two letters and in
  /// more than a third of its letters.
  package static func nearest(to word: String, among candidates: [String]) -> String? {
    let limit = max(2, word.count / 3)
    return candidates.map { (distance: distance(word, $0), word: $0) }.min { $0.distance < $1.distance }
      .flatMap { $0.distance <= limit ? $0.word : nil }
  }

  /// The optimal string alignment distance: the Levenshtein distance, except that swapping two adjacent letters counts
  /// as one change.
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
