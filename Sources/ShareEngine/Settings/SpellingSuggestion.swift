/// Finds what somebody meant to write.
package enum SpellingSuggestion {
  /// The candidate with the fewest changed, added, missing or swapped letters, `nil` when all differ too much: more than
  /// a third of the letters, at least two.
  package static func nearest(to word: String, among candidates: [String]) -> String? {
    let limit = max(2, word.count / 3)
    return candidates.map { (distance: distance(word, $0), word: $0) }.min { $0.distance < $1.distance }
      .flatMap { $0.distance <= limit ? $0.word : nil }
  }

  /// Optimal string alignment: Levenshtein's distance, with a swap of two neighbours as one change.
  package static func distance(_ left: String, _ right: String) -> Int {
    let left = Array(left)
    let right = Array(right)
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
