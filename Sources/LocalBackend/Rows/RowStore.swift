import ClipModel
import Foundation
import GRDB
import HTTPTypes

/// Executes the database requests of `/rest/v1`.
struct RowStore: Sendable {
  let store: ServerStore
  let now: @Sendable () -> Date
  let tables: [String: TableSchema]
  /// After this time, a statement that reads rows ends with 57014, as in Supabase.
  let statementTimeout: Duration

  init(
    store: ServerStore, tables: [TableSchema], statementTimeout: Duration, now: @escaping @Sendable () -> Date
  ) {
    self.store = store
    self.statementTimeout = statementTimeout
    self.tables = Dictionary(uniqueKeysWithValues: tables.map { ($0.name, $0) })
    self.now = now
  }

  /// Returns a table by name.
  /// - Throws: a 404 error if the table doesn't exist.
  func table(_ name: String) throws(PostgRESTFailure) -> TableSchema {
    guard let table = tables[name] else {
      throw PostgRESTFailure(
        .notFound, "PGRST205", "Could not find the table 'public.\(name.prefix(80))' in the schema cache")
    }
    return table
  }

  /// The maximum number of rows in a response, as in Supabase.
  static let maximumRows = 1000

  struct Page: Sendable {
    /// The rows as JSON objects.
    var rows: [String]
    var offset: Int
    /// The total number of matching rows, if the client requested it.
    var total: Int?
  }

  /// The part of a table that a database function returns.
  struct Restriction: Sendable {
    /// The statement that selects the rows of a function that doesn't return rows of a table.
    var source: (@Sendable (inout RowStatement) -> String)?
    /// The statement that selects the IDs of candidates in the column `id`, and their place in the column `rank`. The
    /// function returns only candidates, and `order` can use `ranked.rank`.
    var ranking: (@Sendable (inout RowStatement) -> String)?
    var conditions: @Sendable (inout RowStatement, _ alias: String) -> [String] = { _, _ in [] }
    /// The default order, which applies if the request specifies no order.
    var order: (@Sendable (inout RowStatement, _ alias: String) -> String)?
    var limit: Int?
    var offset = 0

    /// Whether the function selects a page of rows. If so, the request's filters and order apply only to that page.
    var isPage: Bool { ranking != nil || order != nil || limit != nil || offset > 0 }
  }

  // MARK: Reading

  func read(_ command: RowCommand, restriction: Restriction? = nil) async throws -> Page {
    try command.requireSelectPermission()
    let (table, query) = (command.table, command.query)
    var statement = RowStatement(caller: command.caller, tables: tables)
    // A function with paging selects its rows first.
    var source = restriction?.source.map { "(\($0(&statement)))" } ?? table.source
    if let restriction, restriction.isPage {
      let inner = statement.makeAlias()
      // A cross join keeps the order of the ranking, so that SQLite stops when the page is full.
      let ranking = restriction.ranking.map { "(\($0(&statement))) AS ranked CROSS JOIN " } ?? ""
      let join = ranking.isEmpty ? "1" : "\(inner).\(table.key) = ranked.id"
      let conditions = [join, command.rule(table.rules.select, row: inner)] + restriction.conditions(&statement, inner)
      let order = restriction.order?(&statement, inner) ?? ""
      source = """
        (SELECT \(inner).* FROM \(ranking)\(source) AS \(inner) WHERE \(conditions.joined(separator: " AND ")) \(order) \
        LIMIT \(restriction.limit ?? -1) OFFSET \(restriction.offset))
        """
    }
    let alias = statement.makeAlias()
    let (object, joins) = try statement.rowObject(query.selected, of: table, alias: alias)
    var conditions = [try statement.condition(query.filters, of: table, alias: alias)] + joins
    // Functions without paging only add conditions, so that SQLite can still skip rows efficiently.
    if let restriction, !restriction.isPage { conditions += restriction.conditions(&statement, alias) }
    let from = "FROM \(source) AS \(alias) WHERE \(conditions.joined(separator: " AND "))"
    let counting = (sql: "SELECT count(*) \(from)", arguments: StatementArguments(statement.arguments))
    let order = try statement.order(query.order, of: table, alias: alias)
    let limit = min(query.limit ?? Self.maximumRows, Self.maximumRows)
    let sql = "SELECT \(object) \(from) \(order) LIMIT \(limit) OFFSET \(query.offset)"
    let arguments = StatementArguments(statement.arguments)
    return try await Self.convertLimitErrors {
      try await withDeadline {
        try await store.database.read { db in
          let total =
            command.preferences.countsExactly
            ? try Int.fetchOne(db, sql: counting.sql, arguments: counting.arguments) : nil
          return Page(
            rows: try String.fetchAll(db, sql: sql, arguments: arguments), offset: query.offset, total: total)
        }
      }
    }
  }

  /// Cancels a read, which interrupts its statement, after `statementTimeout`.
  private func withDeadline<Value: Sendable>(_ read: @escaping @Sendable () async throws -> Value) async throws -> Value
  {
    guard let value = try await withTimeout(statementTimeout, read) else {
      throw PostgRESTFailure(.internalServerError, "57014", "canceling statement due to statement timeout")
    }
    return value
  }

  /// Converts SQLite's errors for statements that exceed its size or depth limit to PostgREST's errors.
  private static func convertLimitErrors<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
      return try await body()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      throw PostgRESTFailure.unreadable("the query is too large or nested too deeply for the local backend")
    }
  }

  private func performWrite<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws
    -> Value
  {
    try await Self.convertLimitErrors { try await store.database.write(body) }
  }

  // MARK: Writing

  struct WriteResult: Sendable {
    /// The written rows as JSON objects. The array is empty unless the client requested them.
    var rows: [String]
    var count: Int
    /// Whether at least one row is new.
    var isNew = true
    /// The row's key, if exactly one row was written.
    var key: DatabaseValue?
  }

  /// Inserts rows into a table.
  /// - Parameter rows: the values by column name. Missing columns get their default values.
  func insert(_ rows: [[String: DatabaseValue]], _ command: RowCommand) async throws -> WriteResult {
    let (table, caller, preferences) = (command.table, command.caller, command.preferences)
    guard table.mayInsert(caller), command.isWritable else { throw command.denied }
    let columns = command.query.conflictColumns ?? [table.key]
    guard
      preferences.conflict == nil || columns == [table.key] || table.unique.contains(where: { Set($0) == Set(columns) })
    else {
      throw PostgRESTFailure(
        .badRequest, "42P10", "there is no unique or exclusion constraint matching the ON CONFLICT specification")
    }
    return try await performWrite { db in
      let writer = RowWriter(db: db, caller: caller, now: now())
      var keys: [DatabaseValue] = []
      var isNew = rows.isEmpty
      for row in rows {
        if let written = try writer.insert(row, into: table, on: columns, preferences.conflict) {
          keys.append(written.key)
          isNew = isNew || written.isNew
        }
      }
      let visible = try self.writtenRows(keys, command, db)
      // As in `INSERT … RETURNING`, rows that the caller can't see are an error.
      if preferences.returnsRows, visible.count < keys.count {
        throw PostgRESTFailure.ruleViolated(table.name, caller)
      }
      return WriteResult(rows: visible, count: keys.count, isNew: isNew, key: keys.count == 1 ? keys[0] : nil)
    }
  }

  func update(_ values: [String: DatabaseValue], _ command: RowCommand) async throws -> WriteResult {
    let (table, caller) = (command.table, command.caller)
    // PostgREST converts an update without values to `SELECT … WHERE false` for every caller and filter.
    guard !values.isEmpty else {
      try command.requireSelectPermission()
      try command.requireSingleRow(0)
      return WriteResult(rows: [], count: 0)
    }
    guard caller == .service || caller.userID != nil, command.isWritable, table.maySelect(caller) else {
      throw command.denied
    }
    for name in values.keys where caller != .service && table.column(name)?.mayUpdate != true { throw command.denied }
    try Self.requireFilter(command.query, "UPDATE")
    return try await performWrite { db in
      let keys = try matchingKeys(command, table.rules.update, db)
      let writer = RowWriter(db: db, caller: caller, now: now())
      let written = try keys.map { try writer.update($0, set: values, in: table) }
      return WriteResult(rows: try writtenRows(written, command, db), count: keys.count)
    }
  }

  func delete(_ command: RowCommand) async throws -> WriteResult {
    let (table, caller) = (command.table, command.caller)
    guard caller == .service || table.mayDelete && caller.userID != nil, command.isWritable else {
      throw command.denied
    }
    try Self.requireFilter(command.query, "DELETE")
    return try await performWrite { db in
      let keys = try matchingKeys(command, table.rules.delete, db)
      let rows = try writtenRows(keys, command, db)
      try RowWriter(db: db, caller: caller, now: now()).delete(keys, from: table)
      return WriteResult(rows: rows, count: keys.count)
    }
  }

  /// Returns the keys of the rows that match the request, are visible to the caller and satisfy the rule.
  private func matchingKeys(_ command: RowCommand, _ rule: RowRules.Condition?, _ db: Database) throws
    -> [DatabaseValue]
  {
    let table = command.table
    var statement = RowStatement(caller: command.caller, tables: tables)
    let alias = statement.makeAlias()
    let condition = try statement.condition(command.query.filters, of: table, alias: alias)
    let keys = try DatabaseValue.fetchAll(
      db,
      sql: """
        SELECT \(alias).\(table.key) FROM \(table.name) AS \(alias)
        WHERE \(condition) AND \(command.rule(rule, row: alias))
        """, arguments: StatementArguments(statement.arguments))
    if let limit = command.preferences.maximumAffected, keys.count > limit {
      throw PostgRESTFailure(
        .badRequest, "PGRST124", "Query result exceeds max-affected preference constraint",
        details: "The query affects \(keys.count) rows")
    }
    return keys
  }

  /// Rejects requests that have no filter. They are most likely mistakes, because they would change all rows that the
  /// rules allow.
  private static func requireFilter(_ query: RowQuery, _ command: String) throws(PostgRESTFailure) {
    guard query.limit == nil, query.offset == 0, query.order.isEmpty else {
      throw .unreadable("the local backend does not support limit, offset or order for \(command)")
    }
    if query.filters.isEmpty { throw PostgRESTFailure(.badRequest, "21000", "\(command) requires a WHERE clause") }
  }

  /// Returns the written rows that the caller can see, in order.
  private func writtenRows(_ keys: [DatabaseValue], _ command: RowCommand, _ db: Database) throws -> [String] {
    guard command.preferences.returnsRows else {
      try command.requireSingleRow(keys.count)
      return []
    }
    let (table, query) = (command.table, command.query)
    guard !query.selected.contains(where: { $0.isCount }) else {
      throw PostgRESTFailure.unreadable("the local backend does not support select=count for write requests")
    }
    try command.requireSelectPermission()
    var statement = RowStatement(caller: command.caller, tables: tables)
    let alias = statement.makeAlias()
    let (object, joins) = try statement.rowObject(query.selected, of: table, alias: alias)
    let key = statement.bind(.null)
    let conditions = [command.rule(table.rules.select, row: alias), "\(alias).\(table.key) = \(key)"] + joins
    let reading = try db.makeStatement(
      sql: "SELECT \(object) FROM \(table.source) AS \(alias) WHERE \(conditions.joined(separator: " AND "))")
    let rows = try keys.compactMap { key in
      try String.fetchOne(reading, arguments: StatementArguments(statement.arguments.dropLast() + [key]))
    }
    try command.requireSingleRow(rows.count)
    return rows
  }
}
