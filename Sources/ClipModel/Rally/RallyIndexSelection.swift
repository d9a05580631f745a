/// The rallies that a user selects, such as `1,4-7`. Indexes start at 0, as in the app.
package struct RallyIndexSelection: Equatable, Sendable {
  /// The selected indexes, sorted and unique.
  package var indexes: [Int]

  /// The upper bound (exclusive) for indexes, which catches typos.
  package static let limit = 100_000

  package init(_ indexes: some Sequence<Int>) { self.indexes = Set(indexes).sorted() }

  /// Parses a selection such as `1,4-7`.
  /// - Returns: `nil` unless the string contains only numbers and ascending ranges, separated by commas.
  package init?(_ text: String) {
    var indexes: Set<Int> = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let match = part.wholeMatch(of: #/ *([0-9]+) *(?:- *([0-9]+) *)?/#), let first = Self.parseIndex(match.1),
        let last = match.2.map(Self.parseIndex) ?? first, first <= last
      else { return nil }
      indexes.formUnion(first...last)
    }
    self.indexes = indexes.sorted()
  }

  /// Parses an unsigned index.
  private static func parseIndex(_ digits: Substring) -> Int? { Int(digits).flatMap { $0 < limit ? $0 : nil } }
}
