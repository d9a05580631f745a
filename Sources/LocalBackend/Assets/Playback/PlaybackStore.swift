import ClipModel
import Foundation
import GRDB

/// A ready asset, with the rights of a caller.
struct PlayableAsset: Sendable {
  var asset: AssetRow
  /// Whether the asset belongs to a highlight that isn't public.
  var isClosed: Bool
  /// Whether the caller can see the asset's highlight.
  var mayWatch: Bool
  /// Whether anyone who can watch the video may also save it.
  var allowsDownloads: Bool
  var isAuthor: Bool
}

/// The playback ID of a highlight's clip, as a caller may use it.
struct PlayableClip: SnakeCaseRow {
  var highlightID: String
  var part: Int
  var playbackID: String
  var isSigned: Bool
  var mayDownload: Bool
}

/// Queries on playback IDs and the highlights that they belong to.
extension ServerStore {
  /// Returns the asset that a playback ID belongs to.
  /// - Throws: a 404 error until the asset is ready.
  func playableAsset(_ playbackID: String, for caller: Caller) async throws -> PlayableAsset {
    try await database.read { db -> PlayableAsset? in
      guard
        let asset = try AssetRow.fetchOne(
          db,
          sql: """
            SELECT assets.* FROM assets JOIN playback_ids ON playback_ids.asset_id = assets.id
            WHERE playback_ids.id = ? AND assets.status = 'ready'
            """, arguments: [playbackID])
      else { return nil }
      return try PlayableAsset(asset, for: caller, in: db)
    }.requireFound("the clip")
  }

  /// Returns the clips of highlights that the caller may watch, in order.
  func playableClips(of highlights: [String], for caller: Caller) async throws -> [PlayableClip] {
    try await database.read { db in try PlayableClip.fetch(of: highlights, for: caller, db) }
  }
}

extension PlayableClip {
  /// `CROSS JOIN` fixes the order of the joins, so that SQLite doesn't scan all uploads.
  static func fetch(of highlights: [String], for caller: Caller, _ db: Database) throws -> [PlayableClip] {
    try fetchAll(
      db,
      sql: """
        WITH shown AS (
          SELECT h.id, h.mux_asset_id, \(ClosedVideoRules.isClosed("h", caller.sql)) AS is_signed,
            (h.allow_downloads OR h.author_id IS \(caller.sql)) AS may_download
          FROM highlights AS h
          WHERE h.id IN (SELECT value FROM json_each(?))
            AND \(TableSchema.sql(ClosedVideoRules.mayWatch, row: "h", caller))
        ), clips AS (
          SELECT id, is_signed, may_download, mux_asset_id AS asset_id, 0 AS part FROM shown
          UNION ALL
          SELECT shown.id, is_signed, may_download, p.asset_id, u.part
          FROM shown CROSS JOIN post_assets AS p ON p.highlight_id = shown.id
            CROSS JOIN uploads AS u ON u.highlight_id = shown.id AND u.asset_id = p.asset_id
        )
        SELECT clips.id AS highlight_id, part, is_signed, may_download,
          (SELECT playback_ids.id FROM playback_ids WHERE playback_ids.asset_id = clips.asset_id
            ORDER BY rowid LIMIT 1) AS playback_id
        FROM clips WHERE playback_id IS NOT NULL ORDER BY clips.id, part
        """, arguments: [String(decoding: try JSONEncoder.data(of: highlights), as: UTF8.self)])
  }
}

extension PlayableAsset {
  fileprivate init(_ asset: AssetRow, for caller: Caller, in db: Database) throws {
    self.asset = asset
    let viewer = caller.sql
    // For a caller without an account, comparisons with the caller are null.
    let highlight = try Row.fetchOne(
      db,
      sql: """
        SELECT \(ClosedVideoRules.isClosed("h", viewer)) AS is_closed, h.allow_downloads, h.author_id,
          coalesce(\(TableSchema.sql(ClosedVideoRules.mayWatch, row: "h", caller)), FALSE) AS may_watch
        FROM highlights AS h
        WHERE h.id = coalesce(
          (SELECT id FROM highlights WHERE mux_asset_id = :asset),
          (SELECT highlight_id FROM post_assets WHERE asset_id = :asset))
        """, arguments: ["asset": asset.id])
    if let highlight {
      isClosed = highlight["is_closed"]
      mayWatch = highlight["may_watch"]
      allowsDownloads = highlight["allow_downloads"]
      isAuthor = caller == .service || highlight["author_id"] == caller.userID
      return
    }
    // The asset waits for the other clips of its post, or has no highlight because a client uses only the Mux API.
    let upload = try UploadRow.fetchOne(
      db, sql: "SELECT * FROM uploads WHERE asset_id = ? AND mux_request IS NULL", arguments: [asset.id])
    isClosed =
      try upload.map {
        try Bool.fetchOne(
          db,
          sql: """
            SELECT \(ClosedVideoRules.isClosed("h", viewer)) FROM (SELECT ? AS privacy_level, ? AS author_id) AS h
            """, arguments: [$0.draft.privacy.rawValue, $0.authorID]) ?? true
      } ?? false
    isAuthor = caller == .service || upload?.authorID == caller.userID
    mayWatch = !isClosed || isAuthor
    allowsDownloads = !isClosed
  }
}
