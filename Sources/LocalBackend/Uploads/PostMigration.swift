import GRDB

/// The migration for posts with several clips. It adds each clip's position in its post, and the additional assets of a
/// highlight.
enum PostMigration {
  static func run(_ db: Database) throws {
    try db.execute(
      sql: """
        ALTER TABLE uploads ADD COLUMN part INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE uploads ADD COLUMN part_count INTEGER NOT NULL DEFAULT 1;
        CREATE TABLE post_assets (asset_id TEXT PRIMARY KEY NOT NULL, highlight_id TEXT NOT NULL);
        CREATE INDEX post_assets_highlight ON post_assets (highlight_id);
        CREATE TRIGGER highlights_take_their_post AFTER DELETE ON highlights
        BEGIN
          DELETE FROM assets WHERE id IN (SELECT asset_id FROM post_assets WHERE highlight_id = OLD.id);
          DELETE FROM post_assets WHERE highlight_id = OLD.id;
        END;
        CREATE TRIGGER uploads_take_their_asset AFTER DELETE ON uploads
        WHEN OLD.status = 'asset_created' AND OLD.asset_id IS NOT NULL
        BEGIN DELETE FROM assets WHERE id = OLD.asset_id; END;
        DROP VIEW IF EXISTS draft_uploads;
        """)
    try db.execute(sql: draftUploads)
  }

  /// The view of uploads with a draft, as clients see them. A clip whose asset is ready has a playback ID even while
  /// other clips in its post are missing.
  private static let draftUploads = """
    CREATE VIEW draft_uploads AS
    SELECT
      id, author_id, idempotency_key, highlight_id, part, part_count, draft ->> '$.caption' AS caption,
      coalesce(draft -> '$.tags', '[]') AS tags, draft ->> '$.privacy_level' AS privacy_level,
      draft ->> '$.hide_likes' AS hide_likes, draft ->> '$.duration' AS duration,
      draft ->> '$.confidence' AS confidence, draft ->> '$.quality' AS quality,
      draft ->> '$.detection_count' AS detection_count, lower(draft ->> '$.local_video_id') AS local_video_id,
      draft ->> '$.local_rally_index' AS local_rally_index, status, error,
      (SELECT count(*) FROM uploads AS earlier WHERE earlier.highlight_id = uploads.highlight_id
        AND earlier.author_id = uploads.author_id AND earlier.part = uploads.part
        AND earlier.sequence <= uploads.sequence) AS attempt,
      is_superseded AS superseded, NULL AS mux_upload_id, asset_id AS mux_asset_id,
      CASE WHEN status = 'ready' OR EXISTS (
        SELECT 1 FROM assets WHERE assets.id = asset_id AND assets.status = 'ready') THEN playback_id
      END AS mux_playback_id,
      NULL AS non_standard_input_reasons,
      strftime('%Y-%m-%dT%H:%M:%S.000000+00:00', expires_at, 'unixepoch') AS expires_at, created_at AS checked_at,
      created_at
    FROM uploads WHERE object_name IS NULL AND mux_request IS NULL;
    """
}
