/// A time as entered on the command line: `83.5`, `1:23.5` or `1:02:03`.
struct ClockTime: Equatable {
  var seconds: Double

  /// - Throws: `ArgumentFault`.
  static func parse(_ text: String) throws -> ClockTime {
    if let time = ClockTime(text) { return time }
    let isTooLong = parseNumbers(in: text)?.dropFirst().contains { $0 >= 60 } ?? false
    // Users may type periods instead of colons: 1.02.03.
    let likely = text.contains(":") ? text : text.replacing(".", with: ":", maxReplacements: 1)
    throw ArgumentFault(
      value: text, why: isTooLong ? "minutes and seconds must be between 0 and 59" : "it is not a time",
      next: (ClockTime(likely) == nil ? "" : "did you mean \(likely)? ")
        + "enter seconds (83.5) or minutes and seconds (1:23.5)")
  }

  private init?(_ text: String) {
    guard let numbers = Self.parseNumbers(in: text), numbers.count <= 3,
      numbers.allSatisfy({ $0 >= 0 && $0.isFinite }), numbers.dropFirst().allSatisfy({ $0 < 60 })
    else { return nil }
    seconds = numbers.reduce(0) { $0 * 60 + $1 }
    // A time of more than 100 hours is most likely a typo.
    guard seconds <= 360_000 else { return nil }
  }

  private static func parseNumbers(in text: String) -> [Double]? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
    return parts.contains(nil) ? nil : parts.compactMap(\.self)
  }
}
