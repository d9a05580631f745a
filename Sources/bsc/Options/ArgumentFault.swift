import ClipModel

/// An invalid option value, with the reason and a suggested correction.
struct ArgumentFault: Error {
  /// The option's value as the user typed it.
  var value: String
  /// Why the value is invalid, for example `it has no unit`.
  var why: String
  /// The suggested correction, for example `did you mean 25MB?`.
  var next: String

  /// Returns the reason (which names the option) and the advice.
  /// - Parameter scan: the scan of the command line that contains the value.
  func describeFault(in scan: ArgumentScan) -> (why: String, hint: String?) {
    let option = scan.values.first { $0.value == value }?.option ?? "the argument"
    return ("\(option) cannot be \"\(value)\": \(why)", next)
  }
}

/// Parsers for numeric option values, used as `@Option(transform:)`.
enum NumericArgument {
  static func wholeNumberParser(_ range: ClosedRange<Int>) -> @Sendable (String) throws -> Int {
    let limits =
      range.upperBound == .max ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
    return makeParser(in: range, limits: limits, kind: "a whole number") { Int($0) }
  }

  /// - Parameter unit: the unit in error messages, for example `seconds`.
  static func decimalParser(_ range: ClosedRange<Double>, of unit: String) -> @Sendable (String) throws -> Double {
    let limits = "from \(ClipModel.decimal(range.lowerBound)) to \(ClipModel.decimal(range.upperBound))"
    return makeParser(in: range, limits: limits, kind: "a number of \(unit)") { Double($0) }
  }

  /// Parses a rally number, which starts at 0 in the metadata.
  static func parseRallyNumber(_ text: String) throws -> Int {
    guard let number = Int(text) else {
      throw ArgumentFault(
        value: text, why: "it is not a whole number",
        next: "enter a single rally number, starting at 0; bsc cut accepts several")
    }
    guard number >= 0 else {
      throw ArgumentFault(value: text, why: "rally numbers start at 0", next: "enter 0 for the first rally")
    }
    return number
  }

  private static func makeParser<Number: Comparable & Sendable>(
    in range: ClosedRange<Number>, limits: String, kind: String, parse: @escaping @Sendable (String) -> Number?
  ) -> @Sendable (String) throws -> Number {
    { text in
      let next = "enter \(kind) \(limits)"
      guard let number = parse(text) else { throw ArgumentFault(value: text, why: "it is not \(kind)", next: next) }
      guard range.contains(number) else { throw ArgumentFault(value: text, why: "it is out of range", next: next) }
      return number
    }
  }
}
