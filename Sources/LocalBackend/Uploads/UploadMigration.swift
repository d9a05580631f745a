import GRDB

/// The migrations that create the tables for uploads and highlights.
enum UploadMigration {
  static func createTables(_ db: Database) throws {
    // `sequence` determines the order in which a highlight's uploads were attempted.
    try db.execute(
      sql: """
        CREATE TABLE uploads (
          sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, token TEXT NOT NULL,
          idempotency_key TEXT NOT NULL, highlight_id TEXT NOT NULL, draft TEXT NOT NULL, status TEXT NOT NULL,
          is_superseded BOOLEAN NOT NULL DEFAULT FALSE, stored_bytes INTEGER NOT NULL DEFAULT 0, total_bytes INTEGER,
          expires_at INTEGER NOT NULL, created_at TEXT NOT NULL, asset_id TEXT, playback_id TEXT, error TEXT);
        CREATE INDEX index_uploads_on_idempotency_key ON uploads (idempotency_key);
        CREATE INDEX index_uploads_on_highlight_id ON uploads (highlight_id);
        CREATE INDEX index_uploads_on_status ON uploads (status);
        CREATE TABLE highlights (
          id TEXT PRIMARY KEY NOT NULL, author_id TEXT NOT NULL, mux_playback_id TEXT NOT NULL UNIQUE,
          mux_asset_id TEXT, thumbnail_url TEXT, caption TEXT, tags TEXT NOT NULL DEFAULT '[]', duration DOUBLE,
          confidence DOUBLE, quality DOUBLE, detection_count INTEGER, likes_count INTEGER NOT NULL DEFAULT 0,
          comments_count INTEGER NOT NULL DEFAULT 0, privacy_level TEXT NOT NULL,
          hide_likes BOOLEAN NOT NULL DEFAULT FALSE, local_video_id TEXT, local_rally_index INTEGER,
          rally_metadata TEXT NOT NULL, created_at TEXT NOT NULL);
        CREATE INDEX highlights_newest ON highlights (created_at, id);
        """)
  }

  static func addObjectName(_ db: Database) throws {
    try db.execute(sql: "ALTER TABLE uploads ADD COLUMN object_name TEXT")
  }
}
