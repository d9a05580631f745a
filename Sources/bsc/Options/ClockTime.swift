/// `83.5`, `1:23.5` or `1:02:03` on the command line.
struct ClockTime: Equatable {
  var seconds: Double

  /// - Throws: `ArgumentFault`.
  static func read(_ text: String) throws -> ClockTime {
    if let time = ClockTime(text) { return time }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
    let isTooLong = parts.count > 1 && !parts.contains(nil) && parts.dropFirst().contains { ($0 ?? 0) >= 60 }
    // A dot in the place of a colon: 1.02.03.
    let likely = text.contains(":") ? text : text.replacing(".", with: ":", maxReplacements: 1)
    throw ArgumentFault(
      value: text, why: isTooLong ? "behind a colon 59 is the most" : "it is no time",
      next: (ClockTime(likely) == nil ? "" : "did you mean \(likely)? ")
        + "give seconds (83.5) or minutes and seconds (1:23.5)")
  }

  private init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
    guard (1...3).contains(parts.count), !parts.contains(nil) else { return nil }
    let numbers = parts.compactMap(\.self)
    guard numbers.allSatisfy({ $0 >= 0 && $0.isFinite }), numbers.dropFirst().allSatisfy({ $0 < 60 }) else {
      return nil
    }
    seconds = numbers.reduce(0) { $0 * 60 + $1 }
    // A hundred hours: more is a slip of the hand.
    guard seconds <= 360_000 else { return nil }
  }
}
