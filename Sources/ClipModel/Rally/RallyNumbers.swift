/// A selection of rallies as users write it: `1,4-7`, counted from 0 as in the app.
package struct RallyNumbers: Equatable, Sendable {
  /// Sorted and unique.
  package var indexes: [Int]

  /// The exclusive maximum of an index, which catches typing errors.
  package static let limit = 100_000

  package init(_ indexes: some Sequence<Int>) { self.indexes = Set(indexes).sorted() }

  /// - Returns: `nil` unless the text consists of numbers and ascending ranges, separated by commas.
  package init?(_ text: String) {
    var indexes: Set<Int> = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let match = part.wholeMatch(of: #/ *([0-9]+) *(?:- *([0-9]+) *)?/#), let first = Self.number(match.1),
        let last = match.2.map(Self.number) ?? first, first <= last
      else { return nil }
      indexes.formUnion(first...last)
    }
    self.indexes = indexes.sorted()
  }

  /// Parses digits without a sign.
  private static func number(_ digits: Substring) -> Int? { Int(digits).flatMap { $0 < limit ? $0 : nil } }
}
