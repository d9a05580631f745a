import GRDB

/// Creates the tables for moderators and their decisions, and the triggers that protect the log of decisions and apply
/// restrictions.
enum ModerationMigration {
  static func run(_ db: Database) throws {
    try db.execute(sql: tables + triggers)
    // The owner of the server moderates it. The trigger is for an account that is created again after its deletion.
    try db.execute(
      sql: "INSERT INTO moderators SELECT id, server_time() FROM profiles WHERE id = ?",
      arguments: [Caller.localUserID])
  }

  /// The log has no foreign keys, so that deleted accounts don't change it.
  private static let tables = """
    CREATE TABLE moderators (
      user_id TEXT PRIMARY KEY NOT NULL REFERENCES profiles (id) ON DELETE CASCADE, created_at TEXT NOT NULL);
    ALTER TABLE account_flags ADD COLUMN reviewed_at TEXT;
    CREATE TABLE moderation_actions (
      id TEXT PRIMARY KEY NOT NULL, moderator_id TEXT NOT NULL, user_id TEXT NOT NULL, action TEXT NOT NULL,
      target_type TEXT NOT NULL, target_id TEXT NOT NULL, reason TEXT NOT NULL, until TEXT, created_at TEXT NOT NULL);
    CREATE INDEX moderation_actions_user ON moderation_actions (user_id, created_at DESC);
    CREATE INDEX moderation_actions_newest ON moderation_actions (created_at DESC);
    """

  /// Clients choose the IDs of new rows. A second account must not take the ID of reported content that was deleted,
  /// because the decision would concern that account.
  static func keepReportedIDs(_ db: Database) throws {
    try db.execute(sql: "CREATE INDEX content_reports_reported ON content_reports (reported_id)")
    for table in ["comments", "highlights"] {
      try db.execute(
        sql: """
          CREATE TRIGGER \(table)_refuse_reported_id BEFORE INSERT ON \(table) WHEN EXISTS (
            SELECT 1 FROM content_reports AS r WHERE r.reported_id = NEW.id AND r.reported_user_id <> NEW.author_id)
          BEGIN SELECT RAISE(ABORT, 'the id was used before'); END
          """)
    }
  }

  private static let triggers = """
    CREATE TRIGGER profiles_owner_moderates AFTER INSERT ON profiles WHEN NEW.id = '\(Caller.localUserID)'
    BEGIN INSERT INTO moderators VALUES (NEW.id, server_time()); END;
    CREATE TRIGGER moderation_actions_unchanged BEFORE UPDATE ON moderation_actions
    BEGIN SELECT RAISE(ABORT, 'the log of decisions can''t be changed'); END;
    CREATE TRIGGER moderation_actions_kept BEFORE DELETE ON moderation_actions
    BEGIN SELECT RAISE(ABORT, 'the log of decisions can''t be changed'); END;
    CREATE TRIGGER highlights_refuse_restricted
    BEFORE UPDATE OF caption, tags, location_name, privacy_level ON highlights
    WHEN (OLD.caption IS NOT NEW.caption OR OLD.tags IS NOT NEW.tags OR OLD.location_name IS NOT NEW.location_name
        OR OLD.privacy_level <> NEW.privacy_level AND (OLD.privacy_level = 'private' OR NEW.privacy_level = 'public'))
      AND \(AccountRestriction.end(of: "NEW.author_id")) IS NOT NULL
    BEGIN SELECT RAISE(ABORT, 'the account is restricted'); END;
    """
}
