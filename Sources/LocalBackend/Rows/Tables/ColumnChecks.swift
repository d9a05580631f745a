import ClipModel
import GRDB

/// The check constraints of `supabase/migrations`. As in PostgreSQL, their names contain the table and the column.
extension TableSchema.Column {
  func check<Value: DatabaseValueConvertible & SendableMetatype>(_ isSatisfied: @escaping @Sendable (Value) -> Bool)
    -> Self
  {
    modified { $0.isValid = { value in Value.fromDatabaseValue(value).map(isSatisfied) ?? true } }
  }

  /// Adds a check on the length of a text.
  /// - Parameters:
  ///   - limit: the maximum number of characters.
  ///   - isRequired: whether the text must contain more than white space.
  func text(limit: Int, isRequired: Bool = false) -> Self {
    check { (text: String) in Self.fits(text, limit) && (!isRequired || text.contains { !$0.isWhitespace }) }
  }

  static func fits(_ text: String, _ limit: Int) -> Bool { TextLimit.characters.length(of: text) <= limit }

  func requireOneOf(_ values: [String]) -> Self { check { (text: String) in values.contains(text) } }

  /// Adds a check on the range of a number.
  /// - Parameter tolerance: the tolerated rounding error of decimal numbers.
  func number(_ range: ClosedRange<Double>, tolerance: Double = 1e-9) -> Self {
    check { (number: Double) in number >= range.lowerBound - tolerance && number <= range.upperBound + tolerance }
  }

  func requireMinimum(_ minimum: Int) -> Self { check { (number: Int) in number >= minimum } }

  func webAddress() -> Self { check { (text: String) in Self.isWebAddress(text) && text.unicodeScalars.count <= 2048 } }

  static func isWebAddress(_ text: String) -> Bool { text.hasPrefix("http://") || text.hasPrefix("https://") }

  func texts(maximumCount: Int, maximumLength: Int, isEmptyAllowed: Bool = true) -> Self {
    check { (list: String) in
      guard let texts = NewRow.texts(in: list) else { return false }
      return texts.count <= maximumCount && (isEmptyAllowed || !texts.isEmpty)
        && texts.allSatisfy { !$0.isEmpty && $0.unicodeScalars.count <= maximumLength }
    }
  }

  func username() -> Self {
    check { (name: String) in
      name.wholeMatch(of: /[A-Za-z0-9_.]{3,30}/) != nil && name.contains(/[A-Za-z0-9]/)
        && !["admin", "administrator", "bumpsetcut", "moderator", "official", "root", "support"]
          .contains(name.lowercased())
    }
  }
}

extension TableSchema.CheckConstraint {
  static func requireDifferent(_ table: String, _ first: String, _ second: String) -> Self {
    Self(name: "\(table)_check") { row in row[first].isNull || row[second].isNull || row[first] != row[second] }
  }
}

/// Validates and completes `rally_metadata`, the app's nested copy of a rally's metadata.
enum RallyMetadataObject {
  private static let doubles = ["duration", "confidence", "quality"]

  static func isComplete(_ text: String) -> Bool {
    guard text.utf8.count <= 4096, let root = JSONReader.read(Array(text.utf8)).root,
      let count = root["detection_count"]?.number
    else { return false }
    return doubles.allSatisfy { root[$0]?.number != nil } && Int32(count.text) != nil && !count.text.hasPrefix("-")
  }

  /// Fills in missing values. bsc writes the columns, and the app writes the JSON object, which contains zeros for
  /// unknown values.
  static func fillMissingValues(_ row: inout NewRow) {
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
    // If all values are zero, the app has no metadata, and the columns remain null.
    if (doubles + ["detection_count"]).allSatisfy({ root[$0]?.number?.finiteDouble == 0 }) { return }
    for column in doubles where row[column].isNull { row[column] = (root[column]?.number?.finiteDouble).databaseValue }
    if row["detection_count"].isNull {
      row["detection_count"] = (root["detection_count"]?.number?.integer).databaseValue
    }
  }
}

/// Formats a number as PostgreSQL does, as the shortest decimal that parses to the same value, and without `.0`.
func numberText(_ number: Double) -> String {
  let text = number.description
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}
