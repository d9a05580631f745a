import ClipModel
import GRDB

/// The check constraints of `supabase/migrations`, by the names that PostgreSQL gives them.
extension TableSchema.Check {
  /// Decimals lose less than this; see the tables.
  private static let slack = 1e-9

  init(_ table: String, _ column: String, _ isSatisfied: @escaping @Sendable (NewRow) -> Bool) {
    self.init(name: "\(table)_\(column)_check", isSatisfied: isSatisfied)
  }

  /// So many characters as people see them, and 32 bytes for each.
  static func fits(_ text: String, _ most: Int) -> Bool { text.count <= most && text.utf8.count <= 32 * most }

  /// - Parameter isRequired: something besides white space stands there.
  static func text(_ table: String, _ column: String, most: Int, isRequired: Bool = false) -> Self {
    Self(table, column) { row in
      guard let text = row.text(column) else { return true }
      return fits(text, most) && (!isRequired || text.contains { !$0.isWhitespace })
    }
  }

  static func oneOf(_ table: String, _ column: String, _ values: [String]) -> Self {
    Self(table, column) { row in row.text(column).map(values.contains) ?? true }
  }

  static func differ(_ table: String, _ first: String, _ second: String) -> Self {
    Self(name: "\(table)_check") { row in row[first].isNull || row[second].isNull || row[first] != row[second] }
  }

  static func number(_ table: String, _ column: String, _ range: ClosedRange<Double>, slack: Double = slack) -> Self {
    Self(table, column) { row in
      guard let number = row.double(column) else { return true }
      return number >= range.lowerBound - slack && number <= range.upperBound + slack
    }
  }

  static func notNegative(_ table: String, _ column: String) -> Self {
    Self(table, column) { row in row.integer(column).map { $0 >= 0 } ?? true }
  }

  static func positive(_ table: String, _ column: String) -> Self {
    Self(table, column) { row in row.integer(column).map { $0 > 0 } ?? true }
  }

  static func webAddress(_ table: String, _ column: String) -> Self {
    Self(table, column) { row in
      guard let text = row.text(column) else { return true }
      return (text.hasPrefix("http://") || text.hasPrefix("https://")) && text.unicodeScalars.count <= 2048
    }
  }

  static func textList(_ table: String, _ column: String, most: Int, longest: Int, isEmptyAllowed: Bool = true) -> Self
  {
    Self(table, column) { row in
      if row[column].isNull { return true }
      guard let texts = row.texts(column) else { return false }
      return texts.count <= most && (isEmptyAllowed || !texts.isEmpty)
        && texts.allSatisfy { !$0.isEmpty && $0.unicodeScalars.count <= longest }
    }
  }

  static let privacyLevels = PrivacyLevel.allCases.map(\.rawValue)

  static func username(_ table: String, _ column: String) -> Self {
    Self(table, column) { row in
      guard let name = row.text(column) else { return true }
      return name.wholeMatch(of: /[A-Za-z0-9_.]{3,30}/) != nil && name.contains(/[A-Za-z0-9]/)
        && !["admin", "administrator", "bumpsetcut", "moderator", "official", "root", "support"]
          .contains(name.lowercased())
    }
  }

  /// The app cannot decode a feed page when one row lacks one of these.
  static func rallyMetadata(_ table: String, _ column: String) -> Self {
    Self(table, column) { row in row.text(column).map(RallyFacts.isComplete) ?? true }
  }
}

/// The app's nested copy of a rally's facts, `rally_metadata`.
enum RallyFacts {
  static func isComplete(_ text: String) -> Bool {
    guard text.utf8.count <= 4096, let root = JSONReader.read(Array(text.utf8)).root else { return false }
    let numbers = ["duration", "confidence", "quality", "detection_count"].map { root[$0]?.number }
    guard numbers.allSatisfy({ $0 != nil }), let count = numbers[3] else { return false }
    return Int32(count.text) != nil && !count.text.hasPrefix("-")
  }

  /// bsc writes the columns, the app the object: each row has both. Zeros are what the app itself writes for unknown.
  static func complete(_ row: inout NewRow) {
    guard let text = row.text("rally_metadata") else {
      func number(_ column: String) -> String { row.double(column).map(numberText) ?? "0" }
      row["rally_metadata"] =
        #"""
        {"duration": \#(row.double("duration").map(numberText) ?? "null"), "confidence": \#(number("confidence")), \#
        "quality": \#(number("quality")), "detection_count": \#(row.integer("detection_count") ?? 0)}
        """#.databaseValue
      return
    }
    guard isComplete(text), let root = JSONReader.read(Array(text.utf8)).root else { return }
    // The app has no metadata: the columns stay null.
    if ["duration", "confidence", "quality", "detection_count"].allSatisfy({ root[$0]?.number?.finiteDouble == 0 }) {
      return
    }
    for column in ["duration", "confidence", "quality"] where row[column].isNull {
      row[column] = root[column]?.number?.finiteDouble.databaseValue ?? .null
    }
    if row["detection_count"].isNull {
      row["detection_count"] = root["detection_count"]?.number?.integer.databaseValue ?? .null
    }
  }
}

/// A double as PostgreSQL writes it: the shortest text that gives it again, without `.0`.
func numberText(_ number: Double) -> String {
  let text = number.description
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}
