import GRDB

/// A request for rows of a table, apart from their values.
struct RowCommand: Sendable {
  let table: TableSchema
  let caller: Caller
  var query: RowQuery
  var preferences: Preferences

  init(
    _ table: TableSchema, as caller: Caller, _ query: RowQuery = RowQuery(), _ preferences: Preferences = Preferences()
  ) {
    self.table = table
    self.caller = caller
    self.query = query
    self.preferences = preferences
  }

  var denied: PostgRESTFailure { .denied(table.name, caller) }

  /// Views are read only.
  var isOnTable: Bool { table.view == nil }

  /// The condition of a row rule for this caller.
  func rule(_ rule: RowRules.Condition?, row: String) -> String { TableSchema.sql(rule, row: row, caller) }

  func requireSelect() throws(PostgRESTFailure) {
    guard table.maySelect(caller) else { throw denied }
  }

  /// Thrown inside the transaction, which it rolls back.
  func requireSingle(_ count: Int) throws(PostgRESTFailure) {
    if preferences.wantsSingle, count != 1 { throw .notSingle(count) }
  }
}
