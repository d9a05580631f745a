import Foundation
import GRDB

/// Functions that statements use and SQLite doesn't have.
enum SQLFunctions {
  /// Those of every table.
  static let all = [
    DatabaseFunction("double_text", argumentCount: 1, pure: true) { values in number(values[0]).map(numberText) },
    like("matches", ignoresCase: false), like("matches_ignoring_case", ignoresCase: true),
  ]

  /// The order of `discover_highlights`: likes and comments, weighted by age.
  static let heat = DatabaseFunction("heat", argumentCount: 4, pure: true) { values in
    guard let likes = number(values[0]), let comments = number(values[1]),
      let created = String.fromDatabaseValue(values[2]), let now = String.fromDatabaseValue(values[3]),
      let start = seconds(created), let end = seconds(now)
    else { return nil }
    return (likes + 2 * comments + 1) / pow(max(0, end - start) / 3600 + 2, 1.5)
  }

  private static func like(_ name: String, ignoresCase: Bool) -> DatabaseFunction {
    DatabaseFunction(name, argumentCount: 2, pure: true) { values in
      guard let text = String.fromDatabaseValue(values[0]), let pattern = String.fromDatabaseValue(values[1]) else {
        return nil
      }
      return LikePattern(pattern, ignoresCase: ignoresCase).matches(text)
    }
  }

  /// A function of its own: Swift 6.3's optimiser ends with an ownership error when this is part of the closures above.
  @inline(never) private static func number(_ value: DatabaseValue) -> Double? { Double.fromDatabaseValue(value) }

  private static func seconds(_ text: String) -> Double? {
    (try? Date(text.prefix(19) + "Z", strategy: .iso8601))?.timeIntervalSince1970
  }
}

/// A pattern of `LIKE`: `%` and `*` are any text, `_` is one character, a backslash takes the next one literally.
struct LikePattern {
  private enum Part: Equatable {
    case character(Unicode.Scalar)
    case one
    case any
  }

  private let parts: [Part]
  private let ignoresCase: Bool

  init(_ text: String, ignoresCase: Bool) {
    self.ignoresCase = ignoresCase
    var parts: [Part] = []
    var scalars = (ignoresCase ? text.lowercased() : text).unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "%", "*": if parts.last != .any { parts.append(.any) }
      case "_": parts.append(.one)
      case "\\": if let next = scalars.popFirst() { parts.append(.character(next)) }
      default: parts.append(.character(scalar))
      }
    }
    self.parts = parts
  }

  /// Goes back to the last `%` only, so that no pattern takes longer than its length times the text's.
  func matches(_ text: String) -> Bool {
    let text = Array((ignoresCase ? text.lowercased() : text).unicodeScalars)
    var place = 0
    var part = 0
    var retry: (place: Int, part: Int)?
    while place < text.count {
      if part < parts.count, parts[part] == .one || parts[part] == .character(text[place]) {
        place += 1
        part += 1
      } else if part < parts.count, parts[part] == .any {
        retry = (place, part)
        part += 1
      } else if let last = retry {
        place = last.place + 1
        retry = (place, last.part)
        part = last.part + 1
      } else {
        return false
      }
    }
    return parts[part...].allSatisfy { $0 == .any }
  }
}
