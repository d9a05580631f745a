import GRDB

/// Creates the tables for accounts and the social features, as in `supabase/migrations`. `TableSchema` checks
/// individual rows before they are written. This migration defines keys, counters and cascades.
enum SocialMigration {
  static func run(_ db: Database) throws {
    try db.execute(sql: accounts)
    try insertLocalUser(db)
    try db.execute(sql: relations + highlights + reactions + moderation + uploads)
    for (name, event, body) in triggers {
      try db.execute(sql: "CREATE TRIGGER \(name) \(event) FOR EACH ROW BEGIN \(body) END")
    }
  }

  /// Inserts the built-in user if it is missing.
  static func insertLocalUser(_ db: Database) throws {
    let arguments: StatementArguments = [Caller.localUserID, "2026-01-01T00:00:00.000000+00:00"]
    try db.execute(
      sql: "INSERT INTO auth_users (id, created_at) VALUES (?1, ?2) ON CONFLICT DO NOTHING", arguments: arguments)
    try db.execute(
      sql: """
        INSERT INTO profiles (id, display_name, username, created_at) VALUES (?1, 'Volleyball Player', 'local', ?2)
        ON CONFLICT DO NOTHING
        """, arguments: arguments)
  }

  private static let profileID = "TEXT NOT NULL REFERENCES profiles (id) ON DELETE CASCADE"
  private static let highlightID = "TEXT NOT NULL REFERENCES highlights (id) ON DELETE CASCADE"

  private static let accounts = """
    CREATE TABLE auth_users (
      id TEXT PRIMARY KEY NOT NULL, email TEXT UNIQUE, password_hash TEXT, raw_user_meta_data TEXT NOT NULL DEFAULT '{}',
      created_at TEXT NOT NULL, last_sign_in_at TEXT);
    CREATE TABLE auth_sessions (
      id TEXT PRIMARY KEY NOT NULL, user_id TEXT NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE,
      counter INTEGER NOT NULL, created_at TEXT NOT NULL);
    CREATE INDEX auth_sessions_user ON auth_sessions (user_id);
    CREATE TABLE profiles (
      id TEXT PRIMARY KEY NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE,
      display_name TEXT NOT NULL, username TEXT NOT NULL UNIQUE, avatar_url TEXT, bio TEXT, team_name TEXT,
      followers_count INTEGER NOT NULL DEFAULT 0, following_count INTEGER NOT NULL DEFAULT 0,
      highlights_count INTEGER NOT NULL DEFAULT 0, privacy_level TEXT NOT NULL DEFAULT 'public',
      created_at TEXT NOT NULL);
    CREATE UNIQUE INDEX profiles_username_lower ON profiles (lower(username));
    CREATE TABLE account_deletions (
      user_id TEXT PRIMARY KEY NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
      requested_at TEXT NOT NULL, deletes_at TEXT NOT NULL);
    """

  private static let relations = [
    relationTable("follows", "follower_id", "following_id"),
    relationTable("follow_requests", "requester_id", "target_id"),
    relationTable("user_blocks", "blocker_id", "blocked_id", more: "reason TEXT,"),
    relationTable("user_mutes", "muter_id", "muted_id"),
  ].joined()

  private static func relationTable(_ table: String, _ first: String, _ second: String, more: String = "") -> String {
    """
    CREATE TABLE \(table) (
      id TEXT PRIMARY KEY NOT NULL, \(first) \(profileID), \(second) \(profileID), \(more) created_at TEXT NOT NULL,
      UNIQUE (\(first), \(second)));
    CREATE INDEX \(table)_\(second) ON \(table) (\(second), \(first));
    """
  }

  /// The statements that replace the table `highlights`. The previous table had no foreign key for its author and
  /// lacked the app's columns.
  private static let highlights = """
    CREATE TABLE new_highlights (
      id TEXT PRIMARY KEY NOT NULL, author_id \(profileID), mux_playback_id TEXT NOT NULL,
      mux_asset_id TEXT UNIQUE, thumbnail_url TEXT, caption TEXT,
      tags TEXT NOT NULL DEFAULT '[]', duration DOUBLE, confidence DOUBLE, quality DOUBLE, detection_count INTEGER,
      likes_count INTEGER NOT NULL DEFAULT 0, comments_count INTEGER NOT NULL DEFAULT 0,
      privacy_level TEXT NOT NULL DEFAULT 'public', hide_likes BOOLEAN NOT NULL DEFAULT FALSE, video_urls TEXT,
      local_video_id TEXT, local_rally_index INTEGER, rally_metadata TEXT NOT NULL, location_name TEXT,
      latitude DOUBLE, longitude DOUBLE, created_at TEXT NOT NULL);
    INSERT INTO new_highlights (
      id, author_id, mux_playback_id, mux_asset_id, thumbnail_url, caption, tags, duration, confidence, quality,
      detection_count, likes_count, comments_count, privacy_level, hide_likes, local_video_id, local_rally_index,
      rally_metadata, created_at)
    SELECT
      id, author_id, mux_playback_id, mux_asset_id, thumbnail_url, caption, tags, duration, confidence, quality,
      detection_count, likes_count, comments_count, privacy_level, hide_likes, local_video_id, local_rally_index,
      json_object('duration', duration, 'confidence', coalesce(confidence, 0), 'quality', coalesce(quality, 0),
        'detection_count', coalesce(detection_count, 0)), created_at
    FROM highlights;
    DROP TABLE highlights;
    ALTER TABLE new_highlights RENAME TO highlights;
    CREATE INDEX highlights_newest ON highlights (created_at DESC, id DESC);
    CREATE INDEX highlights_author ON highlights (author_id, created_at DESC);
    CREATE INDEX highlights_playback ON highlights (mux_playback_id);
    UPDATE profiles SET highlights_count = (SELECT count(*) FROM highlights WHERE author_id = profiles.id);
    """

  private static let reactions = """
    CREATE TABLE likes (
      id TEXT PRIMARY KEY NOT NULL, user_id \(profileID), highlight_id \(highlightID), created_at TEXT NOT NULL,
      UNIQUE (user_id, highlight_id));
    CREATE INDEX likes_highlight ON likes (highlight_id, created_at DESC);
    CREATE TABLE comments (
      id TEXT PRIMARY KEY NOT NULL, highlight_id \(highlightID), author_id \(profileID), text TEXT NOT NULL,
      likes_count INTEGER NOT NULL DEFAULT 0, created_at TEXT NOT NULL);
    CREATE INDEX comments_highlight ON comments (highlight_id, created_at DESC);
    CREATE INDEX comments_author ON comments (author_id);
    CREATE TABLE comment_likes (
      id TEXT PRIMARY KEY NOT NULL, user_id \(profileID),
      comment_id TEXT NOT NULL REFERENCES comments (id) ON DELETE CASCADE, created_at TEXT NOT NULL,
      UNIQUE (user_id, comment_id));
    CREATE INDEX comment_likes_comment ON comment_likes (comment_id);
    CREATE TABLE polls (
      id TEXT PRIMARY KEY NOT NULL, highlight_id TEXT NOT NULL UNIQUE REFERENCES highlights (id) ON DELETE CASCADE,
      question TEXT NOT NULL, total_votes INTEGER NOT NULL DEFAULT 0, created_at TEXT NOT NULL);
    CREATE TABLE poll_options (
      id TEXT PRIMARY KEY NOT NULL, poll_id TEXT NOT NULL REFERENCES polls (id) ON DELETE CASCADE,
      text TEXT NOT NULL, vote_count INTEGER NOT NULL DEFAULT 0, sort_order INTEGER NOT NULL DEFAULT 0,
      created_at TEXT NOT NULL, UNIQUE (poll_id, id));
    CREATE TABLE poll_votes (
      id TEXT PRIMARY KEY NOT NULL, poll_id TEXT NOT NULL, option_id TEXT NOT NULL,
      user_id \(profileID), created_at TEXT NOT NULL, UNIQUE (poll_id, user_id),
      FOREIGN KEY (poll_id, option_id) REFERENCES poll_options (poll_id, id) ON DELETE CASCADE);
    CREATE INDEX poll_votes_option ON poll_votes (poll_id, option_id);
    CREATE INDEX poll_votes_user ON poll_votes (user_id);
    """

  private static let moderation = """
    CREATE TABLE content_reports (
      id TEXT PRIMARY KEY NOT NULL, reporter_id \(profileID), reported_type TEXT NOT NULL, reported_id TEXT NOT NULL,
      reported_user_id \(profileID), report_type TEXT NOT NULL,
      description TEXT, status TEXT NOT NULL DEFAULT 'pending', reviewed_at TEXT, created_at TEXT NOT NULL);
    CREATE INDEX content_reports_reporter ON content_reports (reporter_id, created_at DESC);
    CREATE INDEX content_reports_reported_user ON content_reports (reported_user_id);
    CREATE TABLE rate_limits (
      name TEXT PRIMARY KEY NOT NULL, max_count INTEGER NOT NULL, window_seconds INTEGER NOT NULL);
    INSERT INTO rate_limits VALUES ('shared_rallies', 20, 3600);
    CREATE TABLE account_flags (
      id TEXT PRIMARY KEY NOT NULL, user_id \(profileID),
      reason TEXT NOT NULL REFERENCES rate_limits (name), observed_count INTEGER NOT NULL, created_at TEXT NOT NULL);
    CREATE INDEX account_flags_user ON account_flags (user_id, created_at DESC);
    CREATE TABLE shares (author_id \(profileID), created_at TEXT NOT NULL);
    CREATE INDEX shares_author ON shares (author_id, created_at);
    """

  /// The statements that add an owner to each upload.
  private static let uploads = """
    ALTER TABLE uploads ADD COLUMN author_id TEXT NOT NULL DEFAULT '\(Caller.localUserID)';
    CREATE INDEX uploads_author ON uploads (author_id, idempotency_key);
    """

  private static let triggers: [(name: String, event: String, body: String)] =
    counters("highlights", count: "highlights_count", of: "profiles", by: "author_id")
    + counters("likes", count: "likes_count", of: "highlights", by: "highlight_id")
    + counters("comments", count: "comments_count", of: "highlights", by: "highlight_id")
    + counters("comment_likes", count: "likes_count", of: "comments", by: "comment_id")
    + counters("follows", count: "followers_count", of: "profiles", by: "following_id")
    + counters("follows", count: "following_count", of: "profiles", by: "follower_id")
    + counters("poll_votes", count: "vote_count", of: "poll_options", by: "option_id")
    + counters("poll_votes", count: "total_votes", of: "polls", by: "poll_id")
    + [
      (
        "poll_votes_moved", "AFTER UPDATE ON poll_votes",
        """
        UPDATE polls SET total_votes = max(total_votes - 1, 0) WHERE id = OLD.poll_id;
        UPDATE poll_options SET vote_count = max(vote_count - 1, 0) WHERE id = OLD.option_id;
        UPDATE polls SET total_votes = total_votes + 1 WHERE id = NEW.poll_id;
        UPDATE poll_options SET vote_count = vote_count + 1 WHERE id = NEW.option_id;
        """
      ),
      // A new follow deletes the corresponding follow request.
      (
        "follows_answer_requests", "AFTER INSERT ON follows",
        "DELETE FROM follow_requests WHERE requester_id = NEW.follower_id AND target_id = NEW.following_id;"
      ),
      (
        "user_blocks_end_relation", "AFTER INSERT ON user_blocks",
        """
        DELETE FROM follows WHERE (follower_id, following_id) IN
          (VALUES (NEW.blocker_id, NEW.blocked_id), (NEW.blocked_id, NEW.blocker_id));
        DELETE FROM follow_requests WHERE (requester_id, target_id) IN
          (VALUES (NEW.blocker_id, NEW.blocked_id), (NEW.blocked_id, NEW.blocker_id));
        """
      ),
      ("profiles_uploads", "AFTER DELETE ON profiles", "DELETE FROM uploads WHERE author_id = OLD.id;"),
    ]

  private static func counters(
    _ table: String, count: String, of counted: String, by column: String
  ) -> [(String, String, String)] {
    [("new", "INSERT", "NEW", "\(count) + 1"), ("gone", "DELETE", "OLD", "max(\(count) - 1, 0)")]
      .map { name, event, row, value in
        (
          "\(table)_\(column)_\(name)", "AFTER \(event) ON \(table)",
          "UPDATE \(counted) SET \(count) = \(value) WHERE id = \(row).\(column);"
        )
      }
  }
}
