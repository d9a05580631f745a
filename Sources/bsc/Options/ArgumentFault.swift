import ClipModel

/// The error of an option that rejects its value, with a correction.
struct ArgumentFault: Error {
  /// The value as typed.
  var value: String
  /// The reason, for example `it has no unit`.
  var why: String
  /// The correction, for example `did you mean 25MB?`.
  var next: String

  /// - Parameter scan: the command line that contains the value.
  func explained(by scan: ArgumentScan) -> (why: String, hint: String?) {
    let option = scan.values.first { $0.value == value }?.option ?? "an option"
    return ("\(option) cannot be \"\(value)\": \(why)", next)
  }
}

/// Parsers of numbers, for `@Option(transform:)`.
enum ArgumentNumber {
  static func whole(_ range: ClosedRange<Int>) -> @Sendable (String) throws -> Int {
    let limits = range.upperBound == .max ? "\(range.lowerBound) up" : "\(range.lowerBound) to \(range.upperBound)"
    return number(in: range, limits: limits, kind: "a whole number") { Int($0) }
  }

  /// - Parameter unit: for example `seconds`.
  static func decimal(_ range: ClosedRange<Double>, of unit: String) -> @Sendable (String) throws -> Double {
    let limits = "\(ClipModel.decimal(range.lowerBound)) to \(ClipModel.decimal(range.upperBound))"
    return number(in: range, limits: limits, kind: "a number of \(unit)") { Double($0) }
  }

  /// The number of a rally in the metadata.
  static func rally(_ text: String) throws -> Int {
    guard let number = Int(text) else {
      throw ArgumentFault(
        value: text, why: "it is not a whole number",
        next: "enter the number of one rally, starting at 0; bsc cut accepts several")
    }
    guard number >= 0 else {
      throw ArgumentFault(value: text, why: "rally numbers start at 0", next: "enter 0 for the first rally")
    }
    return number
  }

  private static func number<Number: Comparable & Sendable>(
    in range: ClosedRange<Number>, limits: String, kind: String, parse: @escaping @Sendable (String) -> Number?
  ) -> @Sendable (String) throws -> Number {
    { text in
      let next = "enter \(kind) from \(limits)"
      guard let number = parse(text) else { throw ArgumentFault(value: text, why: "it is not \(kind)", next: next) }
      guard range.contains(number) else { throw ArgumentFault(value: text, why: "it is out of range", next: next) }
      return number
    }
  }
}
