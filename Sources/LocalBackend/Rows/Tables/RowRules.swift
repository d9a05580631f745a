/// The row rules of a table, which are PostgreSQL's policies as SQLite conditions.
///
/// A condition receives the row's alias in the statement, and the caller's ID as an SQL expression. Operations without
/// a condition are reserved for the service role.
struct RowRules: Sendable {
  typealias Condition = @Sendable (_ row: String, _ viewer: String) -> String

  var select: Condition?
  /// The condition that a new row must satisfy.
  var insert: Condition?
  /// The condition for the stored row. If there is no `updateCheck`, the changed row must satisfy this condition too.
  var update: Condition?
  var updateCheck: Condition?
  var delete: Condition?

  /// Rules that let only the owner read, insert and delete a row.
  static func ownedRows(by column: String) -> RowRules {
    RowRules(select: isCaller(column), insert: isCaller(column), delete: isCaller(column))
  }

  /// The condition that a column contains the caller's ID.
  static func isCaller(_ column: String) -> Condition {
    { row, viewer in "\(row).\(column) = \(viewer)" }
  }

  /// The condition that one of two columns contains the caller's ID.
  static func isOneOf(_ first: String, _ second: String) -> Condition {
    { row, viewer in "\(viewer) IN (\(row).\(first), \(row).\(second))" }
  }

  static func allOf(_ conditions: Condition...) -> Condition {
    { row, viewer in conditions.map { "(\($0(row, viewer)))" }.joined(separator: " AND ") }
  }
}
