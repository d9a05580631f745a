import Foundation
import GRDB

/// Writes rows on behalf of a caller, subject to the row rules. The checks run in PostgreSQL's order: triggers, row
/// rules, values, keys. Use the writer within one transaction.
struct RowWriter {
  let db: Database
  let caller: Caller
  let now: Date

  private var timestamp: String { timestampText(now) }

  // MARK: Insert

  enum ConflictResolution {
    case ignore
    case merge
  }

  /// Inserts a row, or resolves its conflict with a row that has the same values in `columns`.
  /// - Parameters:
  ///   - values: the values by column name. Missing columns get their default values.
  ///   - conflict: how to resolve a conflict. If `nil`, a conflict is an error.
  /// - Returns: the written row's key and whether the row is new, or `nil` if an existing row was kept.
  @discardableResult
  func insert(
    _ values: [String: DatabaseValue], into table: TableSchema, on columns: [String] = [],
    _ conflict: ConflictResolution? = nil
  ) throws -> (key: DatabaseValue, isNew: Bool)? {
    var row = try newRow(values, table)
    // PostgreSQL requires this permission even if there is no conflict.
    if conflict == .merge, values.keys.contains(where: { caller != .service && table.column($0)?.mayUpdate != true }) {
      throw accessDenied(table)
    }
    try table.prepare?(&row, db, timestamp)
    // The new row must satisfy the rules even if there is a conflict.
    try requireRule(table.rules.insert, of: row, table)
    try checkValues(row, table)
    if let conflict, let existing = try findKey(of: row, table, columns) {
      if conflict == .ignore { return nil }
      try requireRule(table.rules.update, of: "\(table.name) AS checked WHERE \(table.key) = ?", [existing], table)
      return (try update(existing, set: values, in: table), false)
    }
    try write(row, table)
    try table.actionLimit?.record(row, by: caller, in: db, now)
    try table.inserted?(row, db, timestamp)
    return (row[table.key], true)
  }

  private func accessDenied(_ table: TableSchema) -> PostgRESTFailure { .accessDenied("table \(table.name)", caller) }

  private func findKey(of row: NewRow, _ table: TableSchema, _ columns: [String]) throws -> DatabaseValue? {
    try DatabaseValue.fetchOne(
      db,
      sql: """
        SELECT \(table.key) FROM \(table.name) WHERE \(columns.map { "\($0) = ?" }.joined(separator: " AND "))
        """, arguments: StatementArguments(columns.map { row[$0] }))
  }

  private func newRow(_ values: [String: DatabaseValue], _ table: TableSchema) throws(PostgRESTFailure) -> NewRow {
    var row = NewRow(values: [:])
    for column in table.storedColumns {
      if let value = values[column.name] {
        if caller != .service, !column.mayInsert { throw accessDenied(table) }
        row[column.name] = column.normalized?(value) ?? value
      } else {
        row[column.name] = defaultValue(of: column.fallback)
      }
    }
    return row
  }

  private func defaultValue(of fallback: TableSchema.DefaultValue) -> DatabaseValue {
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
    let columns = table.writtenColumns.map(\.name)
    let placeholders = columns.map { _ in "?" }.joined(separator: ", ")
    try execute(
      "INSERT INTO \(table.name) (\(columns.joined(separator: ", "))) VALUES (\(placeholders))",
      columns.map { row[$0] }, table)
  }

  // MARK: Update and delete

  /// Updates a row.
  /// - Parameter key: the key of a row that the caller may update.
  /// - Returns: the row's key after the update.
  func update(_ key: DatabaseValue, set values: [String: DatabaseValue], in table: TableSchema) throws -> DatabaseValue
  {
    let existing = try Row.fetchOne(
      db, sql: "SELECT * FROM \(table.name) WHERE \(table.key) = ?", arguments: [key])
    guard let existing else { return key }
    var row = NewRow(values: [:])
    for column in table.storedColumns { row[column.name] = existing[column.name] }
    for (name, value) in values { row[name] = table.column(name)?.normalized?(value) ?? value }
    try requireRule(table.rules.updateCheck ?? table.rules.update, of: row, table)
    try checkValues(row, table)
    if values.isEmpty { return key }
    let columns = values.keys.sorted()
    let assignments = columns.map { "\($0) = ?" }.joined(separator: ", ")
    try execute(
      "UPDATE \(table.name) SET \(assignments) WHERE \(table.key) = ?", columns.map { row[$0] } + [key], table)
    return row[table.key]
  }

  func delete(_ keys: [DatabaseValue], from table: TableSchema) throws {
    for key in keys {
      try db.execute(sql: "DELETE FROM \(table.name) WHERE \(table.key) = ?", arguments: [key])
    }
  }

  // MARK: Rules

  /// Throws an error if a new or changed row doesn't satisfy a rule.
  private func requireRule(_ rule: RowRules.Condition?, of row: NewRow, _ table: TableSchema) throws {
    let columns = table.storedColumns.map(\.name)
    let values = columns.map { "? AS \($0)" }.joined(separator: ", ")
    try requireRule(rule, of: "(SELECT \(values)) AS checked", columns.map { row[$0] }, table)
  }

  /// Throws an error if a row doesn't satisfy a rule.
  /// - Parameter source: an SQL expression for the row, with the alias `checked`.
  private func requireRule(
    _ rule: RowRules.Condition?, of source: String, _ arguments: [DatabaseValue], _ table: TableSchema
  ) throws {
    let holds = try Bool.fetchOne(
      db, sql: "SELECT \(TableSchema.sql(rule, row: "checked", caller)) FROM \(source)",
      arguments: StatementArguments(arguments))
    if holds != true { throw PostgRESTFailure.ruleViolated(table.name, caller) }
  }

  /// Throws an error if a value violates a constraint of its column or table.
  func checkValues(_ row: NewRow, _ table: TableSchema) throws(PostgRESTFailure) {
    for column in table.writtenColumns where !column.isNullable && row[column.name].isNull {
      throw .missingValue(column.name, table.name)
    }
    for column in table.columns where column.isValid?(row[column.name]) == false {
      throw .checkFailed("\(table.name)_\(column.name)_check", table.name)
    }
    for check in table.checks where !check.isSatisfied(row) { throw .checkFailed(check.name, table.name) }
  }

  /// Executes a statement, and converts constraint violations to PostgREST's errors.
  private func execute(_ sql: String, _ arguments: [DatabaseValue], _ table: TableSchema) throws {
    do {
      try db.execute(sql: sql, arguments: StatementArguments(arguments))
    } catch let error as DatabaseError {
      throw PostgRESTFailure(error, table: table) ?? error
    }
  }
}
