import GRDB

extension ServerModule {
  /// The module for emoji reactions on comments.
  static let commentReactions = ServerModule(
    name: "comment reactions",
    migrations: [Migration(number: 12, title: "reactions on comments", run: CommentReactions.createTable)],
    tables: [CommentReactions.schema])
}

/// Emoji reactions on comments, in addition to likes.
enum CommentReactions {
  static let emoji = ["❤️", "🔥", "👏", "😂", "😮", "💪", "🏐"]

  static let schema = {
    var table = SocialTables.linkTable(
      "comment_reactions", from: "user_id", to: "comments", as: "comment_id",
      SocialTables.reactionRules(to: RowRules.belongsToVisibleComment, shown: RowRules.belongsToVisibleComment),
      actionLimit: .likes)
    table.columns.insert(SocialTables.column("emoji", .text).allowingInsert().requireOneOf(emoji), at: 3)
    table.unique = [["user_id", "comment_id", "emoji"]]
    return table
  }()

  /// The computed column of comments with the number of visible reactions by emoji, such as `{"🔥": 3}`.
  static let column = SocialTables.column("reactions", .json).modified {
    $0.computed = { row, caller in
      """
      SELECT coalesce(json_group_object(emoji, number), '{}') FROM (
        SELECT cr.emoji, count(*) AS number FROM comment_reactions AS cr
        WHERE cr.comment_id = \(row).id AND \(TableSchema.sql(schema.rules.select, row: "cr", caller)) GROUP BY cr.emoji)
      """
    }
  }

  static func createTable(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE comment_reactions (
          id TEXT PRIMARY KEY NOT NULL, user_id TEXT NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
          comment_id TEXT NOT NULL REFERENCES comments (id) ON DELETE CASCADE, emoji TEXT NOT NULL,
          created_at TEXT NOT NULL, UNIQUE (user_id, comment_id, emoji));
        CREATE INDEX comment_reactions_comment ON comment_reactions (comment_id);
        """)
  }
}
