import ClipModel
import Foundation
import GRDB
import HTTPTypes

/// The type of a column, as PostgreSQL has it, and how its values stand in SQLite and in JSON.
enum ColumnType: Equatable, Sendable {
  /// Lower-case text.
  case uuid
  case text
  /// 32 bits.
  case integer
  case double
  /// 0 and 1.
  case boolean
  /// Text of `timestampText`.
  case timestamp
  /// The text of a JSON array.
  case textArray
  /// The text of any JSON value.
  case json

  var name: String {
    switch self {
    case .uuid: "uuid"
    case .text: "text"
    case .integer: "integer"
    case .double: "double precision"
    case .boolean: "boolean"
    case .timestamp: "timestamp with time zone"
    case .textArray: "text[]"
    case .json: "jsonb"
    }
  }

  /// An SQL expression of the column's value as JSON.
  func json(_ column: String) -> String {
    switch self {
    case .uuid, .text, .integer, .timestamp: column
    case .double: "json(double_text(\(column)))"
    case .boolean: "json(iif(\(column), 'true', 'false'))"
    case .textArray, .json: "json(\(column))"
    }
  }

  /// The value that a JSON value of a body stands for.
  func value(_ value: JSONValue) throws(PostgRESTFailure) -> DatabaseValue {
    if case .null = value.kind { return .null }
    switch self {
    case .json: return try Self.requireNoZero(value.text).databaseValue
    case .textArray:
      guard let elements = value.elements else { throw malformed(value.text) }
      // A list inside the list is kept, for the check to refuse it.
      return try Self.requireNoZero(JSONValue(.array(elements), at: 0).text).databaseValue
    case .boolean:
      if case .bool(let flag) = value.kind { return (flag ? 1 : 0).databaseValue }
      return try self.value(text: value.plainText)
    case .uuid, .text, .integer, .double, .timestamp: return try self.value(text: value.plainText)
    }
  }

  /// The value that a text stands for, of a filter or a body.
  func value(text: String) throws(PostgRESTFailure) -> DatabaseValue {
    switch self {
    case .uuid:
      guard let id = UUID(uuidString: text) ?? UUID(digits: text) else { throw malformed(text) }
      return id.uuidString.lowercased().databaseValue
    case .text:
      guard !text.utf8.contains(0) else { throw Self.zeroCharacter }
      return text.databaseValue
    case .integer:
      guard let number = Int(text) else {
        guard text.wholeMatch(of: /-?[0-9]+/) != nil else { throw malformed(text) }
        throw PostgRESTFailure(.badRequest, "22003", "value \"\(text)\" is out of range for type integer")
      }
      guard Int32(exactly: number) != nil else {
        throw PostgRESTFailure(.badRequest, "22003", "value \"\(text)\" is out of range for type integer")
      }
      return number.databaseValue
    case .double:
      // SQLite has no NaN. Both are outside of every range, and every such column has one.
      if ["nan", "infinity", "-infinity"].contains(text.lowercased()) {
        return (text.hasPrefix("-") ? -Double.infinity : .infinity).databaseValue
      }
      guard let number = Double(text), number.isFinite else { throw malformed(text) }
      return number.databaseValue
    case .boolean:
      switch text.lowercased() {
      case "true", "t", "1", "yes", "on": return 1.databaseValue
      case "false", "f", "0", "no", "off": return 0.databaseValue
      default: throw malformed(text)
      }
    case .timestamp:
      guard let time = Timestamp.normal(text) else {
        throw PostgRESTFailure(.badRequest, "22007", "invalid input syntax for type \(name): \"\(Self.shown(text))\"")
      }
      return time.databaseValue
    case .textArray, .json:
      throw PostgRESTFailure.unreadable("the local backend does not compare values of type \(name) with this operator")
    }
  }

  private static let zeroCharacter = PostgRESTFailure(
    .badRequest, "22P05", "unsupported Unicode escape sequence", details: "\\u0000 cannot be converted to text.")

  /// - Parameter json: written by `JSONValue.text`, which has one way to write a zero.
  private static func requireNoZero(_ json: String) throws(PostgRESTFailure) -> String {
    // An escaped backslash before it would make it four digits of a text.
    if json.replacing("\\\\", with: "").contains("\\u0000") { throw zeroCharacter }
    return json
  }

  private func malformed(_ text: String) -> PostgRESTFailure {
    PostgRESTFailure(.badRequest, "22P02", "invalid input syntax for type \(name): \"\(Self.shown(text))\"")
  }

  /// A value in a message: no more than helps.
  private static func shown(_ text: String) -> String { text.count > 80 ? text.prefix(80) + "…" : text }
}

extension UUID {
  /// Without its dashes, as PostgreSQL reads it too.
  fileprivate init?(digits text: String) {
    guard text.utf8.count == 32 else { return nil }
    var dashed = text
    for place in [20, 16, 12, 8] { dashed.insert("-", at: dashed.index(dashed.startIndex, offsetBy: place)) }
    self.init(uuidString: dashed)
  }
}

/// Times as clients write them.
enum Timestamp {
  /// ISO 8601 with or without fraction and zone, with `T` or a space; without a zone it is UTC.
  /// - Returns: the time as the tables have it (`timestampText`), so that texts compare as times do.
  static func normal(_ text: String) -> String? {
    guard
      let match = text.wholeMatch(
        of:
          /(\d{4}-\d\d-\d\d)(?:[T ]((?:[01]\d|2[0-3]):[0-5]\d)(:[0-5]\d)?(?:\.(\d{1,9}))?)?\s*(?:Z|([+-]\d\d)(?::?(\d\d))?)?/
      )
    else { return nil }
    // The parser takes February 30th for March 2nd.
    guard let midnight = try? Date("\(match.output.1)T00:00:00Z", strategy: .iso8601),
      midnight.formatted(.iso8601).hasPrefix(match.output.1)
    else { return nil }
    let (_, day, clock, seconds, fraction, zoneHours, zoneMinutes) = match.output
    let zone = zoneHours.map { "\($0):\(zoneMinutes ?? "00")" } ?? "Z"
    guard let date = try? Date("\(day)T\(clock ?? "00:00")\(seconds ?? ":00")\(zone)", strategy: .iso8601) else {
      return nil
    }
    let digits = (fraction ?? "").prefix(6)
    return date.formatted(.iso8601).dropLast() + "." + digits + String(repeating: "0", count: 6 - digits.count)
      + "+00:00"
  }
}
