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
    try await database.read { db in
      try PlayableClip.fetchAll(
        db,
        sql: """
          SELECT h.id AS highlight_id, \(ClosedVideos.isClosed("h", caller.sql)) AS is_signed,
            (h.allow_downloads OR h.author_id IS \(caller.sql)) AS may_download,
            (SELECT id FROM playback_ids WHERE asset_id = c.asset_id ORDER BY rowid LIMIT 1) AS playback_id
          FROM json_each(?) AS wanted JOIN highlights AS h ON h.id = wanted.value
          JOIN (
            SELECT mux_asset_id AS asset_id, id AS highlight_id, 0 AS part FROM highlights
            UNION ALL
            SELECT p.asset_id, p.highlight_id, u.part FROM post_assets AS p JOIN uploads AS u ON u.asset_id = p.asset_id
          ) AS c ON c.highlight_id = h.id
          WHERE \(TableSchema.sql(ClosedVideos.mayWatch, row: "h", caller)) AND playback_id IS NOT NULL
          ORDER BY h.id, c.part
          """, arguments: [String(decoding: try JSONEncoder.data(of: highlights), as: UTF8.self)])
    }
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
        SELECT \(ClosedVideos.isClosed("h", viewer)) AS is_closed, h.allow_downloads, h.author_id,
          coalesce(\(TableSchema.sql(ClosedVideos.mayWatch, row: "h", caller)), FALSE) AS may_watch
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
            SELECT \(ClosedVideos.isClosed("h", viewer)) FROM (SELECT ? AS privacy_level, ? AS author_id) AS h
            """, arguments: [$0.draft.privacy.rawValue, $0.authorID]) ?? true
      } ?? false
    isAuthor = caller == .service || upload?.authorID == caller.userID
    mayWatch = !isClosed || isAuthor
    allowsDownloads = !isClosed
  }
}
