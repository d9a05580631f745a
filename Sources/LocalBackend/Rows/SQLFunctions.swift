import Foundation
import GRDB

/// SQL functions that are missing from SQLite.
enum SQLFunctions {
  /// The functions that the statements for all tables use.
  static let all = [
    DatabaseFunction("double_text", argumentCount: 1, pure: true) { values in number(values[0]).map(numberText) },
    like("matches", ignoresCase: false), like("matches_ignoring_case", ignoresCase: true), randomID,
  ]

  /// A new UUID in lowercase, for rows that triggers insert.
  private static let randomID = DatabaseFunction("random_id", argumentCount: 0) { _ in UUID().uuidString.lowercased() }

  /// The server's time in the format of `timestampText`, for rules and triggers that depend on the time.
  static func serverTime(_ now: @escaping @Sendable () -> Date) -> DatabaseFunction {
    DatabaseFunction("server_time", argumentCount: 0) { _ in timestampText(now()) }
  }

  private static func like(_ name: String, ignoresCase: Bool) -> DatabaseFunction {
    DatabaseFunction(name, argumentCount: 2, pure: true) { values in
      guard let text = String.fromDatabaseValue(values[0]), let pattern = String.fromDatabaseValue(values[1]) else {
        return nil
      }
      return LikePattern(pattern, ignoresCase: ignoresCase).matches(text)
    }
  }

  /// Converts a value to a number. Inlining this function crashes Swift 6.3's optimizer with an ownership error.
  @inline(never) private static func number(_ value: DatabaseValue) -> Double? { Double.fromDatabaseValue(value) }
}

/// A `LIKE` pattern, in which `%` and `*` match any text, `_` matches one character, and a backslash escapes the next
/// character.
struct LikePattern {
  private enum PatternElement: Equatable {
    case character(Unicode.Scalar)
    case anyCharacter
    case anyText
  }

  /// The maximum length of a pattern in Unicode scalars. Together with the deadline of a statement, it bounds the work for
  /// texts and patterns that a client chooses.
  static let maximumLength = 500

  private let parts: [PatternElement]
  private let ignoresCase: Bool

  init(_ text: String, ignoresCase: Bool) {
    self.ignoresCase = ignoresCase
    var parts: [PatternElement] = []
    var scalars = (ignoresCase ? text.lowercased() : text).unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "%", "*": if parts.last != .anyText { parts.append(.anyText) }
      case "_": parts.append(.anyCharacter)
      case "\\": if let next = scalars.popFirst() { parts.append(.character(next)) }
      default: parts.append(.character(scalar))
      }
    }
    self.parts = parts
  }

  /// Whether a string matches the pattern. Matching backtracks only to the last `%`, so the running time is at most
  /// proportional to the product of both lengths.
  func matches(_ text: String) -> Bool {
    let text = Array((ignoresCase ? text.lowercased() : text).unicodeScalars)
    var index = 0
    var part = 0
    var retry: (index: Int, part: Int)?
    while index < text.count {
      if part < parts.count, parts[part] == .anyCharacter || parts[part] == .character(text[index]) {
        index += 1
        part += 1
      } else if part < parts.count, parts[part] == .anyText {
        retry = (index, part)
        part += 1
      } else if let last = retry {
        index = last.index + 1
        retry = (index, last.part)
        part = last.part + 1
      } else {
        return false
      }
    }
    return parts[part...].allSatisfy { $0 == .anyText }
  }
}
