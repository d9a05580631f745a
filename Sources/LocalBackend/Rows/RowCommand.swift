import GRDB

/// A request for a table's rows, without the values to write.
struct RowCommand: Sendable {
  let table: TableSchema
  let caller: Caller
  var query = RowQuery()
  var preferences = Preferences()

  var denied: PostgRESTFailure { .denied("table \(table.name)", caller) }

  /// Views are read-only.
  var isWritable: Bool { table.view == nil }

  /// The condition that a row rule imposes on this caller.
  func rule(_ rule: RowRules.Condition?, row: String) -> String { TableSchema.sql(rule, row: row, caller) }

  func requireSelect() throws(PostgRESTFailure) {
    guard table.maySelect(caller) else { throw denied }
  }

  /// Enforces the `Accept` header for a single object. Call it inside the transaction, so that the error rolls the
  /// transaction back.
  func requireSingle(_ count: Int) throws(PostgRESTFailure) {
    if preferences.wantsSingle, count != 1 { throw .notSingle(count) }
  }
}
