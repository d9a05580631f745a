import GRDB

extension ServerModule {
  /// The module for @mentions in captions and comments.
  static let mentions = ServerModule(
    name: "mentions",
    migrations: [Migration(number: 11, title: "mentions", run: MentionTable.create)],
    sqlFunctions: [MentionedNames.sqlFunction], tables: [MentionTable.schema])
}

/// The table of mentions. Triggers write it, and clients read it.
enum MentionTable {
  static let schema = TableSchema(
    name: "mentions",
    columns: [
      SocialTables.id, SocialTables.reference("highlight_id", "highlights"),
      // Null for a mention in the caption.
      SocialTables.reference("comment_id", "comments").allowingNull(),
      SocialTables.reference("profile_id", "profiles"), SocialTables.createdAt,
    ],
    unique: [["highlight_id", "comment_id", "profile_id"]],
    rules: RowRules(select: { row, viewer in
      """
      \(RowRules.canSeeProfile("\(row).profile_id", viewer)) AND CASE WHEN \(row).comment_id IS NULL
        THEN \(RowRules.belongsToVisibleHighlight()(row, viewer))
        ELSE \(RowRules.belongsToVisibleComment(row, viewer)) END
      """
    }),
    anonymousMaySelect: true)

  static func create(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE mentions (
          id TEXT PRIMARY KEY NOT NULL, highlight_id TEXT NOT NULL REFERENCES highlights (id) ON DELETE CASCADE,
          comment_id TEXT REFERENCES comments (id) ON DELETE CASCADE,
          profile_id TEXT NOT NULL REFERENCES profiles (id) ON DELETE CASCADE, created_at TEXT NOT NULL);
        CREATE UNIQUE INDEX mentions_highlight_id_comment_id_profile_id_key
        ON mentions (highlight_id, coalesce(comment_id, ''), profile_id);
        CREATE INDEX mentions_comment ON mentions (comment_id);
        CREATE INDEX mentions_profile ON mentions (profile_id);
        CREATE TRIGGER comments_find_mentions AFTER INSERT ON comments WHEN instr(NEW.text, '@')
        BEGIN \(insertion(highlight: "NEW.highlight_id", comment: "NEW.id", text: "NEW.text")) END;
        CREATE TRIGGER highlights_find_mentions AFTER INSERT ON highlights WHEN instr(NEW.caption, '@')
        BEGIN \(insertion(highlight: "NEW.id", comment: "NULL", text: "NEW.caption")) END;
        CREATE TRIGGER highlights_find_mentions_again AFTER UPDATE OF caption ON highlights
        WHEN OLD.caption IS NOT NEW.caption
        BEGIN
          DELETE FROM mentions WHERE highlight_id = NEW.id AND comment_id IS NULL AND profile_id NOT IN (
            SELECT p.id FROM \(mentionedProfiles("NEW.caption")));
          \(insertion(highlight: "NEW.id", comment: "NULL", text: "NEW.caption"))
        END;
        """)
  }

  private static func mentionedProfiles(_ text: String) -> String {
    "json_each(mentioned_names(\(text))) AS n JOIN profiles AS p ON lower(p.username) = n.value"
  }

  /// Returns the statement that inserts the mentions of a text. Strangers can't mention protected people, and a block
  /// prevents mentions in both directions.
  private static func insertion(highlight: String, comment: String, text: String) -> String {
    """
    INSERT OR IGNORE INTO mentions
    SELECT random_id(), \(highlight), \(comment), p.id, server_time() FROM \(mentionedProfiles(text))
    WHERE \(RowRules.canWrite(to: "p.id", from: "NEW.author_id")) AND NOT EXISTS (
      SELECT 1 FROM user_blocks AS mb WHERE mb.blocker_id = p.id AND mb.blocked_id = NEW.author_id
        OR mb.blocker_id = NEW.author_id AND mb.blocked_id = p.id);
    """
  }
}
