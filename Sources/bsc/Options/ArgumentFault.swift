/// Why a text on the command line is not a value of its option, and what would be one. The parser keeps the error to
/// itself and puts its description into a message: the parts are read back from there.
struct ArgumentFault: Error, CustomStringConvertible {
  /// As typed.
  var value: String
  /// `it has no unit`.
  var why: String
  /// `write 25MB`.
  var next: String

  /// Keeps the parts apart; nobody types it.
  private static let separator: Character = "\u{1F}"

  var description: String { ["", value, why, next, ""].joined(separator: "\(Self.separator)") }

  /// - Parameter message: of the parser; `nil` when it is about something else.
  static func read(from message: String) -> ArgumentFault? {
    let parts = message.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    return parts.count == 5 ? Self(value: parts[1], why: parts[2], next: parts[3]) : nil
  }

  /// - Parameter scan: of the command line with the value.
  func explained(by scan: ArgumentScan) -> (why: String, hint: String?) {
    let option = scan.values.first { $0.value == value }?.option ?? "an option"
    return ("\(option) cannot be \"\(value)\": \(why)", next)
  }
}

/// How numbers on the command line are read; for `@Option(transform:)`.
enum ArgumentNumber {
  /// - Parameter range: what is allowed; where it has no end people are told where it begins.
  static func whole(_ range: ClosedRange<Int>) -> @Sendable (String) throws -> Int {
    { text in
      let limits = range.upperBound == .max ? "\(range.lowerBound) on" : "\(range.lowerBound) to \(range.upperBound)"
      let next = "give a whole number from \(limits)"
      guard let number = Int(text) else { throw ArgumentFault(value: text, why: "it is no whole number", next: next) }
      guard range.contains(number) else { throw ArgumentFault(value: text, why: "it is out of range", next: next) }
      return number
    }
  }

  /// - Parameter unit: `seconds`.
  static func decimal(_ range: ClosedRange<Double>, of unit: String) -> @Sendable (String) throws -> Double {
    { text in
      let limits = "\(shown(range.lowerBound)) to \(shown(range.upperBound))"
      let next = "give a number of \(unit) from \(limits)"
      guard let number = Double(text), !number.isNaN else {
        throw ArgumentFault(value: text, why: "it is no number", next: next)
      }
      guard range.contains(number) else { throw ArgumentFault(value: text, why: "it is out of range", next: next) }
      return number
    }
  }

  /// A rally of metadata, as the app counts.
  static func rally(_ text: String) throws -> Int {
    guard let number = Int(text) else {
      throw ArgumentFault(
        value: text, why: "it is no whole number",
        next: "give the number of one rally, from 0 as in the app; bsc cut takes several")
    }
    guard number >= 0 else {
      throw ArgumentFault(
        value: text, why: "there is no such rally", next: "give a number from 0 on: the app's first rally has 0")
    }
    return number
  }

  private static func shown(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? "\(number)" }
}
