import GRDB

extension ServerModule {
  /// The module for the settings of an account, downloads, and the list of blocked people.
  static let settings = ServerModule(
    name: "settings",
    migrations: [Migration(number: 13, title: "settings of accounts", run: AccountSettings.createTable)],
    tables: [AccountSettings.schema],
    functions: [
      RPCFunction(name: "blocked_people", answer: .rows(BlockedPeople.table, BlockedPeople.restriction))
    ])
}

/// The settings of an account. Accounts without a row have the defaults.
enum AccountSettings {
  static let schema = TableSchema(
    name: "user_settings",
    columns: [
      SocialTables.reference("user_id", "profiles").allowingWrites(),
      SocialTables.column("allow_downloads", .boolean).fallback(false).allowingWrites(),
      SocialTables.privacy.modified { $0.name = "share_privacy_level" }.allowingWrites(),
      SocialTables.column("push_enabled", .boolean).fallback(true).allowingWrites(),
      SocialTables.column("first_post_confirmed_at", .timestamp).allowingNull().allowingWrites(),
    ],
    key: "user_id",
    rules: RowRules(
      select: RowRules.isCaller("user_id"), insert: RowRules.isCaller("user_id"), update: RowRules.isCaller("user_id"),
      delete: RowRules.isCaller("user_id")),
    mayDelete: true)

  /// Whether clients offer the highlight's video as a file to others.
  static let downloadsColumn = SocialTables.column("allow_downloads", .boolean).fallback(false).allowingWrites()

  static func createTable(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE user_settings (
          user_id TEXT PRIMARY KEY NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
          allow_downloads BOOLEAN NOT NULL DEFAULT FALSE, share_privacy_level TEXT NOT NULL DEFAULT 'public',
          push_enabled BOOLEAN NOT NULL DEFAULT TRUE, first_post_confirmed_at TEXT);
        ALTER TABLE highlights ADD COLUMN allow_downloads BOOLEAN NOT NULL DEFAULT FALSE;
        """)
  }
}

extension RowStore {
  /// Changes settings of an account. The others keep their values.
  func storeSettings(_ values: [String: DatabaseValue], of user: String, _ caller: Caller) async throws {
    var command = RowCommand(table: AccountSettings.schema, caller: caller)
    command.preferences.conflict = .merge
    _ = try await insert([values.merging(["user_id": user.databaseValue]) { $1 }], command)
  }
}

/// The people whom the caller has blocked, for a list to undo it. Blocked people are invisible, so the table
/// `user_blocks` alone has no names.
enum BlockedPeople {
  static let table = TableSchema.result(
    "blocked_people",
    [
      SocialTables.column("id", .uuid), SocialTables.column("username", .text),
      SocialTables.column("display_name", .text), SocialTables.column("avatar_url", .text), SocialTables.createdAt,
    ])

  /// Blocking must not reveal a person who is hidden for another reason. The names are null then.
  static func restriction(_ call: RPCFunction.FunctionCall) async throws -> RowStore.Restriction {
    let viewer = Caller.user(try call.user()).sql
    return RowStore.Restriction(
      source: { _ in
        """
        SELECT b.blocked_id AS id, p.username, p.display_name, p.avatar_url, b.created_at FROM user_blocks AS b
        LEFT JOIN profiles AS p ON p.id = b.blocked_id AND p.privacy_level <> 'private'
          AND NOT \(RowRules.isProtected("p.id"))
          AND NOT EXISTS (SELECT 1 FROM account_deletions AS d WHERE d.user_id = p.id)
          AND NOT EXISTS (
            SELECT 1 FROM user_blocks AS back WHERE back.blocker_id = p.id AND back.blocked_id = b.blocker_id)
        WHERE b.blocker_id = \(viewer)
        """
      }, order: { _, alias in "ORDER BY \(alias).created_at DESC, \(alias).id" })
  }
}
