/// Rallies as people name them: `1,4-7`, counted from 0 as in the app.
package struct RallyNumbers: Equatable, Sendable {
  /// Sorted, each once.
  package var indexes: [Int]

  /// More are a slip of the hand: no match has so many.
  package static let limit = 100_000

  package init(_ indexes: some Sequence<Int>) { self.indexes = Set(indexes).sorted() }

  /// - Returns: `nil` for anything but numbers and ranges that go up, with commas between.
  package init?(_ text: String) {
    var indexes: Set<Int> = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = part.split(separator: "-", omittingEmptySubsequences: false).map(Self.number)
      switch ends.count {
      case 1:
        guard let index = ends[0] else { return nil }
        indexes.insert(index)
      case 2:
        guard let first = ends[0], let last = ends[1], first <= last else { return nil }
        indexes.formUnion(first...last)
      default: return nil
      }
    }
    self.indexes = indexes.sorted()
  }

  /// Digits with blanks around them, no sign.
  private static func number(_ text: Substring) -> Int? {
    let digits = text.drop { $0 == " " }.prefix { $0 != " " }
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      text.drop(while: { $0 == " " }).dropFirst(digits.count).allSatisfy({ $0 == " " })
    else { return nil }
    return Int(digits).flatMap { $0 < limit ? $0 : nil }
  }
}
