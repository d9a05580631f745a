import GRDB

/// A request to read or write a table's rows. The values to write are separate.
struct RowCommand: Sendable {
  let table: TableSchema
  let caller: Caller
  var query = RowQuery()
  var preferences = Preferences()

  var denied: PostgRESTFailure { .accessDenied("table \(table.name)", caller) }

  /// Whether clients can write to the table. Views are read-only.
  var isWritable: Bool { table.view == nil }

  /// Returns the SQL condition that a row rule imposes on the caller.
  func rule(_ rule: RowRules.Condition?, row: String) -> String { TableSchema.sql(rule, row: row, caller) }

  func requireSelectPermission() throws(PostgRESTFailure) {
    guard table.maySelect(caller) else { throw denied }
  }

  /// Requires exactly one row if the `Accept` header asks for a single object. Call this method inside the transaction,
  /// so that the error rolls the transaction back.
  func requireSingleRow(_ count: Int) throws(PostgRESTFailure) {
    if preferences.wantsSingleRow, count != 1 { throw .notSingleRow(count) }
  }
}
