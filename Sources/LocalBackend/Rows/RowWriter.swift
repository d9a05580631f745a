import Foundation
import GRDB

/// Writes rows under the rules of a caller, in the order in which PostgreSQL judges: triggers before, row rules, values,
/// keys. Used inside one transaction.
struct RowWriter {
  let db: Database
  let caller: Caller
  let now: Date

  private var timestamp: String { timestampText(now) }

  // MARK: Insert

  /// - Parameter values: by column, as they came; a column that is missing gets its default.
  /// - Returns: the key of the new row.
  func insert(_ values: [String: DatabaseValue], into table: TableSchema) throws -> DatabaseValue {
    var row = try newRow(values, table)
    try table.prepare?(&row, db, timestamp)
    try require(table.rules.insert, of: row, table)
    try checkValues(row, table)
    try write(row, table)
    try table.inserted?(row, db, timestamp)
    return row[table.key]
  }

  enum Conflict {
    case ignore
    case merge
  }

  /// As `insert`, unless a row with the same values in `columns` exists.
  /// - Returns: the key of the row that was written, and whether it is new; `nil` when an existing one was left alone.
  func upsert(
    _ values: [String: DatabaseValue], into table: TableSchema, on columns: [String], _ conflict: Conflict
  ) throws -> (key: DatabaseValue, isNew: Bool)? {
    var row = try newRow(values, table)
    if conflict == .merge {
      // Whether or not there is anything to merge with.
      for column in values.keys where caller != .service && table.column(column)?.mayUpdate != true {
        throw PostgRESTFailure.denied(table.name, caller)
      }
    }
    try table.prepare?(&row, db, timestamp)
    // The row rules of the insert are judged first, whatever comes of it.
    try require(table.rules.insert, of: row, table)
    try checkValues(row, table)
    guard let present = try key(of: row, table, columns) else {
      try write(row, table)
      try table.inserted?(row, db, timestamp)
      return (row[table.key], true)
    }
    if conflict == .ignore { return nil }
    try requireExisting(table.rules.update, present, table)
    return (try update(present, set: values, in: table), false)
  }

  private func key(of row: NewRow, _ table: TableSchema, _ columns: [String]) throws -> DatabaseValue? {
    try DatabaseValue.fetchOne(
      db,
      sql: """
        SELECT \(table.key) FROM \(table.name) WHERE \(columns.map { "\($0) = ?" }.joined(separator: " AND "))
        """, arguments: StatementArguments(columns.map { row[$0] }))
  }

  private func newRow(_ values: [String: DatabaseValue], _ table: TableSchema) throws(PostgRESTFailure) -> NewRow {
    var row = NewRow(values: [:])
    for column in table.columns where column.computed == nil {
      if let value = values[column.name] {
        if caller != .service, !column.mayInsert { throw .denied(table.name, caller) }
        row[column.name] = value
      } else {
        row[column.name] = value(of: column.fallback)
      }
    }
    return row
  }

  private func value(of fallback: TableSchema.Fallback) -> DatabaseValue {
    switch fallback {
    case .null: .null
    case .newID: UUID().uuidString.lowercased().databaseValue
    case .now: timestamp.databaseValue
    case .caller: caller.userID.databaseValue
    case .isService: (caller == .service).databaseValue
    case .sevenDaysFromNow: timestampText(now.addingTimeInterval(7 * 86_400)).databaseValue
    case .value(let value): value
    }
  }

  private func write(_ row: NewRow, _ table: TableSchema) throws {
    let columns = table.columns.filter { $0.computed == nil }.map(\.name)
    try translating(table) {
      try db.execute(
        sql: """
          INSERT INTO \(table.name) (\(columns.joined(separator: ", ")))
          VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
          """, arguments: StatementArguments(columns.map { row[$0] }))
    }
  }

  // MARK: Update and delete

  /// - Parameter key: of a row that the caller may update.
  /// - Returns: the key that the row has afterwards.
  func update(_ key: DatabaseValue, set values: [String: DatabaseValue], in table: TableSchema) throws -> DatabaseValue
  {
    guard
      let present = try Row.fetchOne(
        db, sql: "SELECT * FROM \(table.name) WHERE \(table.key) = ?", arguments: [key])
    else { return key }
    var row = NewRow(values: [:])
    for column in table.columns where column.computed == nil { row[column.name] = present[column.name] }
    row.values.merge(values) { $1 }
    try require(table.rules.updateCheck ?? table.rules.update, of: row, table)
    try checkValues(row, table)
    if values.isEmpty { return key }
    let columns = values.keys.sorted()
    try translating(table) {
      try db.execute(
        sql: """
          UPDATE \(table.name) SET \(columns.map { "\($0) = ?" }.joined(separator: ", ")) WHERE \(table.key) = ?
          """, arguments: StatementArguments(columns.map { row[$0] } + [key]))
    }
    return row[table.key]
  }

  func delete(_ keys: [DatabaseValue], from table: TableSchema) throws {
    for key in keys {
      try db.execute(sql: "DELETE FROM \(table.name) WHERE \(table.key) = ?", arguments: [key])
    }
  }

  // MARK: Rules

  /// The rule holds for the row to be.
  private func require(_ rule: RowRules.Condition?, of row: NewRow, _ table: TableSchema) throws {
    if caller == .service { return }
    let columns = table.columns.filter { $0.computed == nil }.map(\.name)
    let values = columns.map { "? AS \($0)" }.joined(separator: ", ")
    let holds = try Bool.fetchOne(
      db, sql: "SELECT \(TableSchema.sql(rule, row: "new", caller)) FROM (SELECT \(values)) AS new",
      arguments: StatementArguments(columns.map { row[$0] }))
    if holds != true { throw PostgRESTFailure.ruleViolated(table.name, caller) }
  }

  /// The rule holds for a row that is there.
  private func requireExisting(_ rule: RowRules.Condition?, _ key: DatabaseValue, _ table: TableSchema) throws {
    let holds = try Bool.fetchOne(
      db,
      sql: """
        SELECT \(TableSchema.sql(rule, row: "present", caller)) FROM \(table.name) AS present WHERE \(table.key) = ?
        """, arguments: [key])
    if holds != true { throw PostgRESTFailure.ruleViolated(table.name, caller) }
  }

  private func checkValues(_ row: NewRow, _ table: TableSchema) throws(PostgRESTFailure) {
    for column in table.columns where column.computed == nil && !column.isNullable && row[column.name].isNull {
      throw .missingValue(column.name, table.name)
    }
    for column in table.columns where column.isValid?(row[column.name]) == false {
      throw .checkFailed("\(table.name)_\(column.name)_check", table.name)
    }
    for check in table.checks where !check.isSatisfied(row) { throw .checkFailed(check.name, table.name) }
  }

  private func translating(_ table: TableSchema, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as DatabaseError {
      throw PostgRESTFailure(error, table: table) ?? error
    }
  }
}
