import Foundation
import GRDB

/// Hides client-inserted highlights from other users until the highlights' videos are playable.
enum HighlightReadiness {
  static let column = SocialTables.column("is_ready", .boolean).fallback(.isService)

  /// Marks a new highlight as ready if its videos can already be played.
  static func markReadyIfPlayable(_ row: inout NewRow, _ db: Database) throws {
    guard row.integer("is_ready") == 0, let author = row.text("author_id"), let playback = row.text("mux_playback_id")
    else { return }
    row["is_ready"] = try isPlayable([playback] + (row.texts("video_urls") ?? []), author, db).databaseValue
  }

  /// Marks waiting highlights as ready if their videos can now be played.
  /// - Parameter author: the owner of the asset that has become ready, or `nil` for an asset that has no owner.
  static func showPlayableHighlights(of author: String?, in db: Database) throws {
    let waiting = try Row.fetchAll(
      db,
      sql: """
        SELECT id, author_id, mux_playback_id, video_urls FROM highlights
        WHERE NOT is_ready AND author_id = coalesce(?, author_id)
        """, arguments: [author])
    for row in waiting {
      let author: String = row["author_id"]
      let urls = (row["video_urls"] as String?).flatMap(NewRow.texts(in:)) ?? []
      guard try isPlayable([row["mux_playback_id"]] + urls, author, db) else { continue }
      try db.execute(sql: "UPDATE highlights SET is_ready = TRUE WHERE id = ?", arguments: [row["id"] as String])
    }
  }

  private static func isPlayable(_ videos: [String], _ author: String, _ db: Database) throws -> Bool {
    try videos.allSatisfy { video in
      guard let playbackID = playbackID(of: video) else { return false }
      // Uploads that were opened through the Mux API have no owner, so anyone who knows the playback ID may use them.
      return try db.hasRow(
        """
        SELECT 1 FROM playback_ids AS p JOIN assets AS a ON a.id = p.asset_id
        LEFT JOIN uploads AS u ON u.id = a.upload_id
        WHERE p.id = ? AND a.status = 'ready' AND (u.author_id = ? OR u.mux_request IS NOT NULL)
        """, [playbackID, author])
    }
  }

  /// Returns a video's playback ID. The video is specified by its playback ID, or by a stream URL of this server with
  /// any port.
  private static func playbackID(of video: String) -> String? {
    if video.wholeMatch(of: /[A-Za-z0-9_\-]+/) != nil { return video }
    let address =
      /(?:http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::[0-9]+)?)?\/stream\/([A-Za-z0-9_\-]+)\.(?:m3u8|mp4)/
    return video.wholeMatch(of: address).map { String($0.1) }
  }
}

/// The migration that adds columns for rows that clients insert.
enum ClientRowsMigration {
  static func run(_ db: Database) throws {
    try db.execute(
      sql: """
        ALTER TABLE highlights ADD COLUMN is_ready BOOLEAN NOT NULL DEFAULT TRUE;
        CREATE INDEX highlights_waiting ON highlights (author_id) WHERE NOT is_ready;
        ALTER TABLE content_reports ADD COLUMN updated_at TEXT NOT NULL DEFAULT '';
        UPDATE content_reports SET updated_at = coalesce(reviewed_at, created_at);
        CREATE TRIGGER content_reports_updated AFTER UPDATE ON content_reports
        WHEN NEW.updated_at = OLD.updated_at
        BEGIN
          UPDATE content_reports SET updated_at = strftime('%Y-%m-%dT%H:%M:%f000+00:00', 'now') WHERE id = NEW.id;
        END;
        """)
  }
}
