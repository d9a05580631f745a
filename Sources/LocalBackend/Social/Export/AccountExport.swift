import GRDB
import Hummingbird

extension ServerModule {
  /// The module for the export of all data that is stored about an account.
  static let accountExport = ServerModule(
    name: "account export",
    functions: [RPCFunction(name: "export_account", answer: .response(AccountExport.export))])
}

/// Everything that is stored about an account, for its owner: an object with a list of rows for each table.
///
/// The tables are found by their references to `profiles`, so new ones can't be forgotten. The export leaves out what
/// would reveal others: who blocked, muted, reported or mentioned the account, and notifications that others got.
struct AccountExport {
  let tables: [String: TableSchema]
  let user: String
  let db: Database

  private static let revealing: Set = [
    "user_blocks.blocked_id", "user_mutes.muted_id", "content_reports.reported_user_id", "mentions.profile_id",
    "notifications.actor_id",
  ]

  /// The rows that have no reference to `profiles`, by table. `?1` is the account.
  private static let more = [
    "profiles": "t.id = ?1", "uploads": "t.author_id = ?1", "view_events": "t.viewer = ?1",
    "post_notices": "t.user_id = ?1",
    "polls": "t.highlight_id IN (SELECT id FROM highlights WHERE author_id = ?1)",
    "highlight_stats": "t.highlight_id IN (SELECT id FROM highlights WHERE author_id = ?1)",
  ]

  static func export(_ call: RPCFunction.FunctionCall) async throws -> Response {
    let user = try call.user()
    let tables = call.rows.tables
    let text = try await call.rows.store.database.read { db in
      try AccountExport(tables: tables, user: user, db: db).text()
    }
    return .text(text.utf8, "application/json; charset=utf-8")
  }

  private func text() throws -> String {
    var members: [String] = []
    for (table, condition) in try conditions().sorted(by: { $0.key < $1.key }) {
      members.append("\"\(table)\":\(try rows(of: table, where: condition))")
    }
    members.append("\"account\":\(try account())")
    members.append("\"moderation_actions\":\(try decisions())")
    return "{\(members.joined(separator: ",\n "))}"
  }

  /// Returns the condition for the account's rows of each table.
  private func conditions() throws -> [String: String] {
    var conditions = Self.more
    let names = try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
    for table in names {
      let columns = try db.foreignKeys(on: table).filter { $0.destinationTable == "profiles" }
        .compactMap { $0.originColumns.first }.filter { !Self.revealing.contains("\(table).\($0)") }
      if !columns.isEmpty { conditions[table] = columns.map { "t.\($0) = ?1" }.joined(separator: " OR ") }
    }
    return conditions
  }

  private func rows(of table: String, where condition: String) throws -> String {
    let members: [String]
    var source = table
    if let schema = tables[table] {
      source = schema.source
      members = schema.storedColumns.map { "'\($0.name)', \($0.type.json("t.\($0.name)"))" }
    } else {
      // Avatars have public URLs.
      members = try db.columns(in: table).filter { $0.type.uppercased() != "BLOB" }.map { column in
        let isBoolean = column.type.uppercased() == "BOOLEAN"
        return "'\(column.name)', \(isBoolean ? ColumnType.boolean.json("t.\(column.name)") : "t.\(column.name)")"
      }
    }
    return try list("SELECT json_object(\(members.joined(separator: ", "))) FROM \(source) AS t WHERE \(condition)")
  }

  private func account() throws -> String {
    try String.fetchOne(
      db,
      sql: "SELECT json_object('id', id, 'email', email, 'created_at', created_at) FROM auth_users WHERE id = ?",
      arguments: [user]) ?? "null"
  }

  /// Returns the decisions about the account, without the moderators.
  private func decisions() throws -> String {
    let members = ModerationTables.actions.columns.map(\.name).filter { $0 != "moderator_id" }
      .map { "'\($0)', t.\($0)" }.joined(separator: ", ")
    return try list(
      "SELECT json_object(\(members)) FROM moderation_actions AS t WHERE t.user_id = ?1 ORDER BY t.created_at")
  }

  /// Returns the results of a statement, which are JSON values, as a JSON array.
  private func list(_ sql: String) throws -> String {
    "[\(try String.fetchAll(db, sql: sql, arguments: [user]).joined(separator: ","))]"
  }
}
