import Foundation
import GRDB
import HTTPTypes

/// Reads and writes rows as `/rest/v1` asks.
struct RowStore: Sendable {
  let store: ServerStore
  let now: @Sendable () -> Date
  private let tables: [String: TableSchema]

  init(store: ServerStore, tables: [TableSchema], now: @escaping @Sendable () -> Date) {
    self.store = store
    self.tables = Dictionary(uniqueKeysWithValues: tables.map { ($0.name, $0) })
    self.now = now
  }

  /// - Throws: 404 for a table that doesn't exist.
  func table(_ name: String) throws(PostgRESTFailure) -> TableSchema {
    guard let table = tables[name] else { throw PostgRESTFailure.unknownTable(name) }
    return table
  }

  /// Rows of one answer at most, as Supabase caps them.
  static let maximumRows = 1000

  struct Page: Sendable {
    /// JSON objects.
    var rows: [String]
    var offset: Int
    /// Of all rows that are meant, if it was asked for.
    var total: Int?
  }

  /// Where rows come from besides the table itself: a function that narrows and orders it.
  struct Narrowing: Sendable {
    var conditions: @Sendable (inout RowStatement, _ alias: String) -> [String] = { _, _ in [] }
    /// Used when the request gives none.
    var order: (@Sendable (inout RowStatement, _ alias: String) -> String)?
    var limit: Int?
    var offset = 0

    /// It selects a part of the rows; filters and order of the request apply to that part.
    var isPage: Bool { order != nil || limit != nil || offset > 0 }
  }

  // MARK: Reading

  func read(_ command: RowCommand, narrowing: Narrowing? = nil) async throws -> Page {
    try command.requireSelect()
    let (table, query) = (command.table, command.query)
    var statement = RowStatement(caller: command.caller, tables: tables)
    // A function gives its rows first; filters, order and pages of the request are about these.
    var source = table.source
    if let narrowing, narrowing.isPage {
      let inner = statement.newAlias()
      let conditions = [command.rule(table.rules.select, row: inner)] + narrowing.conditions(&statement, inner)
      let order = narrowing.order?(&statement, inner) ?? ""
      source = """
        (SELECT \(inner).* FROM \(table.source) AS \(inner) WHERE \(conditions.joined(separator: " AND ")) \(order) \
        LIMIT \(narrowing.limit ?? -1) OFFSET \(narrowing.offset))
        """
    }
    let alias = statement.newAlias()
    let (object, joins) = try statement.object(query.selected, of: table, alias: alias)
    var conditions = [try statement.condition(query.filters, of: table, alias: alias)] + joins
    // Without an order or a limit of its own SQLite had to make all rows before it could skip any.
    if let narrowing, !narrowing.isPage { conditions += narrowing.conditions(&statement, alias) }
    let from = "FROM \(source) AS \(alias) WHERE \(conditions.joined(separator: " AND "))"
    let counting = (sql: "SELECT count(*) \(from)", arguments: StatementArguments(statement.arguments))
    let order = try statement.order(query.order, of: table, alias: alias)
    let most = min(query.limit ?? Self.maximumRows, Self.maximumRows)
    let sql = "SELECT \(object) \(from) \(order) LIMIT \(most) OFFSET \(query.offset)"
    let arguments = StatementArguments(statement.arguments)
    return try await Self.telling {
      try await store.database.read { db in
        let total =
          command.preferences.countsExactly
          ? try Int.fetchOne(db, sql: counting.sql, arguments: counting.arguments) : nil
        return Page(
          rows: try String.fetchAll(db, sql: sql, arguments: arguments), offset: query.offset, total: total)
      }
    }
  }

  /// SQLite reads statements up to a size and a depth.
  private static func telling<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
      return try await body()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      throw PostgRESTFailure.unreadable("the query is too large or too deep for the local backend")
    }
  }

  private func writing<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await Self.telling { try await store.database.write(body) }
  }

  // MARK: Writing

  struct Written: Sendable {
    /// JSON objects; empty unless they were asked for.
    var rows: [String]
    var count: Int
    /// At least one row is new.
    var isNew = true
    /// The key of the only row.
    var key: DatabaseValue?
  }

  /// - Parameter rows: by column; `columns` that are missing in one of several rows are null, or get their default.
  func insert(_ rows: [[String: DatabaseValue]], _ command: RowCommand) async throws -> Written {
    let (table, caller, preferences) = (command.table, command.caller, command.preferences)
    guard table.mayInsert(caller), command.isOnTable else { throw command.denied }
    let columns = command.query.conflictColumns ?? [table.key]
    guard
      preferences.conflict == nil || columns == [table.key] || table.unique.contains(where: { Set($0) == Set(columns) })
    else {
      throw PostgRESTFailure(
        .badRequest, "42P10", "there is no unique or exclusion constraint matching the ON CONFLICT specification")
    }
    return try await writing { db in
      let writer = RowWriter(db: db, caller: caller, now: now())
      var keys: [DatabaseValue] = []
      var isNew = rows.isEmpty
      for row in rows {
        guard let conflict = preferences.conflict else {
          keys.append(try writer.insert(row, into: table))
          isNew = true
          continue
        }
        if let written = try writer.upsert(row, into: table, on: columns, conflict) {
          keys.append(written.key)
          isNew = isNew || written.isNew
        }
      }
      let given = try self.rows(keys, command, db)
      // As `INSERT … RETURNING`: what the caller may not see cannot be given back.
      if preferences.returnsRows, given.count < keys.count {
        throw PostgRESTFailure.ruleViolated(table.name, caller)
      }
      return Written(rows: given, count: keys.count, isNew: isNew, key: keys.count == 1 ? keys[0] : nil)
    }
  }

  func update(_ values: [String: DatabaseValue], _ command: RowCommand) async throws -> Written {
    let (table, caller) = (command.table, command.caller)
    // PostgREST makes `SELECT … WHERE false` of it, for every caller and every filter.
    guard !values.isEmpty else {
      try command.requireSelect()
      try command.requireSingle(0)
      return Written(rows: [], count: 0)
    }
    guard caller == .service || caller.userID != nil, command.isOnTable, table.maySelect(caller) else {
      throw command.denied
    }
    for name in values.keys where caller != .service && table.column(name)?.mayUpdate != true { throw command.denied }
    try Self.requireFilter(command.query, "UPDATE")
    return try await writing { db in
      let keys = try keys(command, table.rules.update, db)
      let writer = RowWriter(db: db, caller: caller, now: now())
      let written = try keys.map { try writer.update($0, set: values, in: table) }
      return Written(rows: try rows(written, command, db), count: keys.count)
    }
  }

  func delete(_ command: RowCommand) async throws -> Written {
    let (table, caller) = (command.table, command.caller)
    guard caller == .service || table.mayDelete && caller.userID != nil, command.isOnTable else { throw command.denied }
    try Self.requireFilter(command.query, "DELETE")
    return try await writing { db in
      let keys = try keys(command, table.rules.delete, db)
      let rows = try rows(keys, command, db)
      try RowWriter(db: db, caller: caller, now: now()).delete(keys, from: table)
      return Written(rows: rows, count: keys.count)
    }
  }

  /// The rows that the request means, the caller sees and the rule lets through. Others are not there for the caller.
  private func keys(_ command: RowCommand, _ rule: RowRules.Condition?, _ db: Database) throws -> [DatabaseValue] {
    let table = command.table
    var statement = RowStatement(caller: command.caller, tables: tables)
    let alias = statement.newAlias()
    let condition = try statement.condition(command.query.filters, of: table, alias: alias)
    let keys = try DatabaseValue.fetchAll(
      db,
      sql: """
        SELECT \(alias).\(table.key) FROM \(table.name) AS \(alias)
        WHERE \(condition) AND \(command.rule(rule, row: alias))
        """, arguments: StatementArguments(statement.arguments))
    if let most = command.preferences.maximumAffected, keys.count > most {
      throw PostgRESTFailure(
        .badRequest, "PGRST124", "Query result exceeds max-affected preference constraint",
        details: "The query affects \(keys.count) rows")
    }
    return keys
  }

  /// Without one PostgREST means all rows that the rules let through; here that is taken for a mistake.
  private static func requireFilter(_ query: RowQuery, _ command: String) throws(PostgRESTFailure) {
    guard query.limit == nil, query.offset == 0, query.order.isEmpty else {
      throw PostgRESTFailure.unreadable("the local backend knows no limit, offset or order for \(command)")
    }
    if query.filters.isEmpty { throw PostgRESTFailure(.badRequest, "21000", "\(command) requires a WHERE clause") }
  }

  /// Written rows as the caller sees them, in their order.
  private func rows(_ keys: [DatabaseValue], _ command: RowCommand, _ db: Database) throws -> [String] {
    guard command.preferences.returnsRows else {
      try command.requireSingle(keys.count)
      return []
    }
    let (table, query) = (command.table, command.query)
    guard !query.selected.contains(where: { $0.isCount }) else {
      throw PostgRESTFailure.unreadable("the local backend does not support select=count for rows that are written")
    }
    try command.requireSelect()
    var statement = RowStatement(caller: command.caller, tables: tables)
    let alias = statement.newAlias()
    let (object, joins) = try statement.object(query.selected, of: table, alias: alias)
    let place = statement.bind(.null)
    let conditions = [command.rule(table.rules.select, row: alias), "\(alias).\(table.key) = \(place)"] + joins
    let reading = try db.makeStatement(
      sql: "SELECT \(object) FROM \(table.source) AS \(alias) WHERE \(conditions.joined(separator: " AND "))")
    let rows = try keys.compactMap { key in
      try String.fetchOne(reading, arguments: StatementArguments(statement.arguments.dropLast() + [key]))
    }
    try command.requireSingle(rows.count)
    return rows
  }
}
