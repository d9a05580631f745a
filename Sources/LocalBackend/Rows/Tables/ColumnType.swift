import ClipModel
import Foundation
import GRDB
import HTTPTypes

/// A PostgreSQL column type, with its representation in SQLite and JSON.
enum ColumnType: String, Sendable {
  /// A UUID, stored as lowercase text.
  case uuid
  case text
  /// A signed 32-bit integer.
  case integer
  case double = "double precision"
  /// A Boolean, stored as 0 or 1.
  case boolean
  /// A day, stored as text such as `2026-11-24`.
  case date
  /// A timestamp, stored as text in the format of `timestampText`.
  case timestamp = "timestamp with time zone"
  /// An array of strings, stored as the text of a JSON array.
  case textArray = "text[]"
  /// A JSON value, stored as text.
  case json = "jsonb"

  /// Returns an SQL expression that converts a column's value to JSON.
  func json(_ column: String) -> String {
    switch self {
    case .uuid, .text, .integer, .date, .timestamp: column
    case .double: "json(double_text(\(column)))"
    case .boolean: "json(iif(\(column), 'true', 'false'))"
    case .textArray, .json: "json(\(column))"
    }
  }

  /// Converts a JSON value from a request body to a database value.
  func value(_ value: JSONValue) throws(PostgRESTFailure) -> DatabaseValue {
    if case .null = value.kind { return .null }
    switch self {
    case .json: return try Self.requireNoNulCharacter(value.text).databaseValue
    case .textArray:
      guard let elements = value.elements else { throw makeSyntaxError(value.text) }
      // Keep nested lists, so that the column's check can reject them.
      return try Self.requireNoNulCharacter(JSONValue(.array(elements), at: 0).text).databaseValue
    case .boolean:
      if case .bool(let flag) = value.kind { return (flag ? 1 : 0).databaseValue }
    case .uuid, .text, .integer, .double, .date, .timestamp: break
    }
    return try self.value(text: value.plainText)
  }

  /// Converts a string from a filter or request body to a database value.
  func value(text: String) throws(PostgRESTFailure) -> DatabaseValue {
    switch self {
    case .uuid:
      guard let id = UUID(uuidString: text) ?? UUID(digits: text) else { throw makeSyntaxError(text) }
      return id.uuidString.lowercased().databaseValue
    case .text:
      guard !text.utf8.contains(0) else { throw Self.nulCharacter }
      return text.databaseValue
    case .integer:
      guard text.wholeMatch(of: /[+-]?[0-9]+/) != nil else { throw makeSyntaxError(text) }
      guard let number = Int32(text) else {
        throw PostgRESTFailure(.badRequest, "22003", "value \"\(text)\" is out of range for type integer")
      }
      return number.databaseValue
    case .double:
      // SQLite doesn't support NaN. Infinity violates the range check that every column of this type has.
      if ["nan", "infinity", "-infinity"].contains(text.lowercased()) {
        return (text.hasPrefix("-") ? -Double.infinity : .infinity).databaseValue
      }
      guard let number = Double(text), number.isFinite else { throw makeSyntaxError(text) }
      return number.databaseValue
    case .boolean:
      switch text.lowercased() {
      case "true", "t", "1", "yes", "on": return 1.databaseValue
      case "false", "f", "0", "no", "off": return 0.databaseValue
      default: throw makeSyntaxError(text)
      }
    case .date:
      // PostgreSQL ignores a time after the day.
      guard TimestampText.normalized(text) != nil else { throw makeSyntaxError(text, code: "22007") }
      return String(text.prefix(10)).databaseValue
    case .timestamp:
      guard let time = TimestampText.normalized(text) else { throw makeSyntaxError(text, code: "22007") }
      return time.databaseValue
    case .textArray, .json:
      throw .unreadable("the local backend does not support this operator for values of type \(rawValue)")
    }
  }

  private static let nulCharacter = PostgRESTFailure(
    .badRequest, "22P05", "unsupported Unicode escape sequence", details: "\\u0000 cannot be converted to text.")

  /// Rejects JSON text with a NUL character.
  /// - Parameter json: the text from `JSONValue.text`, which always escapes NUL the same way.
  private static func requireNoNulCharacter(_ json: String) throws(PostgRESTFailure) -> String {
    // The digits after an escaped backslash are ordinary text.
    if json.replacing("\\\\", with: "").contains("\\u0000") { throw nulCharacter }
    return json
  }

  private func makeSyntaxError(_ text: String, code: String = "22P02") -> PostgRESTFailure {
    let shown = text.count > 80 ? text.prefix(80) + "…" : text
    return PostgRESTFailure(.badRequest, code, "invalid input syntax for type \(rawValue): \"\(shown)\"")
  }
}

extension UUID {
  /// Parses a UUID from 32 hexadecimal digits without hyphens.
  init?(digits text: String) {
    guard text.count == 32, text.utf8.count == 32 else { return nil }
    var dashed = text
    for offset in [20, 16, 12, 8] { dashed.insert("-", at: dashed.index(dashed.startIndex, offsetBy: offset)) }
    self.init(uuidString: dashed)
  }
}

/// Parses the timestamps that clients send.
enum TimestampText {
  /// Parses an ISO 8601 timestamp. The fraction and time zone are optional, and the separator is `T` or a space. The
  /// default time zone is UTC.
  /// - Returns: the timestamp in the format of `timestampText`, in which strings sort chronologically.
  static func normalized(_ text: String) -> String? {
    guard
      let match = text.wholeMatch(
        of:
          /(\d{4}-\d\d-\d\d)(?:[T ]((?:[01]\d|2[0-3]):[0-5]\d)(:[0-5]\d)?(?:\.(\d{1,9}))?)?\s*(?:Z|([+-]\d\d)(?::?(\d\d))?)?/
      )
    else { return nil }
    // The date parser accepts February 30 and converts it to March 2, and has leap years of the Julian calendar.
    guard let midnight = try? Date("\(match.output.1)T00:00:00Z", strategy: .iso8601),
      midnight.formatted(.iso8601).hasPrefix(match.output.1), !isJulianLeapDay(match.output.1)
    else { return nil }
    let (_, day, clock, seconds, fraction, zoneHours, zoneMinutes) = match.output
    let zone = zoneHours.map { "\($0):\(zoneMinutes ?? "00")" } ?? "Z"
    guard let date = try? Date("\(day)T\(clock ?? "00:00")\(seconds ?? ":00")\(zone)", strategy: .iso8601) else {
      return nil
    }
    let digits = (fraction ?? "").prefix(6)
    // A time zone can move the date out of the years with four digits, whose texts sort chronologically.
    let text = date.formatted(.iso8601)
    guard text.wholeMatch(of: /(?!0000)\d{4}-.*/) != nil else { return nil }
    return text.dropLast() + "." + digits + String(repeating: "0", count: 6 - digits.count)
      + "+00:00"
  }

  /// Whether a day is February 29 of a year that is a leap year only in the Julian calendar.
  private static func isJulianLeapDay(_ day: Substring) -> Bool {
    guard day.hasSuffix("-02-29"), let year = Int(day.prefix(4)) else { return false }
    return year.isMultiple(of: 100) && !year.isMultiple(of: 400)
  }
}
