import GRDB

/// Creates the table of notifications, with the triggers that insert a notification for each event and delete it with
/// the event.
enum NotificationMigration {
  static func run(_ db: Database) throws {
    try db.execute(sql: tables)
    for (table, body) in insertions {
      try db.execute(sql: "CREATE TRIGGER \(table)_notify AFTER INSERT ON \(table) BEGIN \(body) END")
    }
    for table in ["likes", "mentions", "follows", "follow_requests", "comment_likes", "comment_reactions"] {
      try db.execute(
        sql: """
          CREATE TRIGGER \(table)_forget_notifications AFTER DELETE ON \(table)
          BEGIN DELETE FROM notifications WHERE cause = OLD.id; END
          """)
    }
  }

  private static let tables = """
    CREATE TABLE notifications (
      id TEXT PRIMARY KEY NOT NULL, user_id TEXT NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
      kind TEXT NOT NULL, actor_id TEXT REFERENCES profiles (id) ON DELETE CASCADE,
      highlight_id TEXT REFERENCES highlights (id) ON DELETE CASCADE,
      comment_id TEXT REFERENCES comments (id) ON DELETE CASCADE,
      cause TEXT NOT NULL, details TEXT, created_at TEXT NOT NULL, read_at TEXT, pushed_at TEXT,
      UNIQUE (cause, user_id, kind));
    CREATE INDEX notifications_newest ON notifications (user_id, created_at DESC);
    CREATE INDEX notifications_actor ON notifications (actor_id);
    CREATE INDEX notifications_highlight ON notifications (highlight_id);
    CREATE INDEX notifications_comment ON notifications (comment_id);
    CREATE INDEX notifications_oldest ON notifications (created_at);
    CREATE TABLE device_tokens (
      id TEXT PRIMARY KEY NOT NULL, user_id TEXT NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
      token TEXT NOT NULL UNIQUE, environment TEXT NOT NULL, updated_at TEXT NOT NULL);
    CREATE INDEX device_tokens_user ON device_tokens (user_id);
    """

  private static let insertions = [
    ("likes", notify("like", "h.author_id", "NEW.user_id", "h.id", "NULL", from: "highlights AS h", theHighlight)),
    // A highlight's author who is mentioned in a comment gets one notification. The order of the triggers is undefined,
    // so the one of the mention deletes the comment's notification.
    (
      "comments",
      notify(
        "comment", "h.author_id", "NEW.author_id", "h.id", "NEW.id", from: "highlights AS h",
        "\(theHighlight) AND NOT EXISTS (\(mentionOfAuthor))")
    ),
    (
      "mentions",
      """
      DELETE FROM notifications WHERE cause = NEW.comment_id AND user_id = NEW.profile_id AND kind = 'comment';
      \(notify(
        "mention", "NEW.profile_id", "coalesce(c.author_id, h.author_id)", "h.id", "NEW.comment_id",
        from: "highlights AS h LEFT JOIN comments AS c ON c.id = NEW.comment_id", theHighlight))
      """
    ),
    ("follows", notify("follow", "NEW.following_id", "NEW.follower_id", "NULL", "NULL")),
    ("follow_requests", notify("request", "NEW.target_id", "NEW.requester_id", "NULL", "NULL")),
    ("comment_likes", notifyCommentAuthor("comment_like")),
    ("comment_reactions", notifyCommentAuthor("reaction")),
  ]

  private static let theHighlight = "h.id = NEW.highlight_id"
  private static let mentionOfAuthor =
    "SELECT 1 FROM mentions AS m WHERE m.comment_id = NEW.id AND m.profile_id = h.author_id"

  private static func notifyCommentAuthor(_ kind: String) -> String {
    notify(kind, "c.author_id", "NEW.user_id", "c.highlight_id", "c.id", from: "comments AS c", "c.id = NEW.comment_id")
  }

  /// Returns a statement that inserts a notification. Own events cause no notification.
  private static func notify(
    _ kind: String, _ recipient: String, _ actor: String, _ highlight: String, _ comment: String,
    from source: String = "(SELECT 1)", _ condition: String = "1"
  ) -> String {
    """
    INSERT INTO notifications (id, user_id, kind, actor_id, highlight_id, comment_id, cause, created_at)
    SELECT random_id(), \(recipient), '\(kind)', \(actor), \(highlight), \(comment), NEW.id, server_time()
    FROM \(source) WHERE \(condition) AND \(recipient) <> \(actor) ON CONFLICT DO NOTHING;
    """
  }
}
