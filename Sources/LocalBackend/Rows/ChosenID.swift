import DurableFiles
import Foundation
import GRDB

/// IDs of rows that a request chooses, so that a request that is sent twice inserts them once.
enum ChosenID {
  static func new() -> String { UUID().uuidString.lowercased() }

  /// Returns the ID in a form's field, or a new one if the field is missing or isn't an ID.
  static func field(_ text: String?) -> String {
    text.flatMap { UUID(uuidString: $0) }?.uuidString.lowercased() ?? new()
  }

  /// Returns an ID that depends only on a text: the start of its SHA-256 digest.
  static func derived(from text: String) -> String {
    var digits = String(FileDigest.sha256(of: text.utf8).prefix(32))
    for offset in [20, 16, 12, 8] { digits.insert("-", at: digits.index(digits.startIndex, offsetBy: offset)) }
    return digits
  }
}

extension RowStore {
  /// Inserts a row with a chosen ID, or does nothing if the same request was performed before.
  /// - Parameter values: texts and nulls by column name.
  /// - Returns: whether the table contains the row. If not, the ID belongs to a row with other values.
  func insertOnce(
    _ values: [String: DatabaseValue], into table: TableSchema, for caller: Caller
  ) async throws -> Bool {
    var command = RowCommand(table: table, caller: caller)
    command.preferences.conflict = .ignore
    if try await insert([values], command).count == 1 { return true }
    command.query.filters = values.map { column, value in
      guard let text = String.fromDatabaseValue(value) else {
        return .comparison(column: column, isNegated: false, .isNull)
      }
      return .equals(column, text)
    }
    return try await !read(command).rows.isEmpty
  }
}
