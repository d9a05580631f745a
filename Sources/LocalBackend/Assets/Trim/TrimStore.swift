import Foundation
import GRDB
import HTTPTypes

/// Queries for trimming highlights.
extension ServerStore {
  /// Returns the asset of an author's highlight that can be trimmed.
  /// - Throws: a 404 error if the author doesn't have the highlight, and a 409 error if it has no asset or several.
  func trimmableAsset(ofHighlight id: String, author: String) async throws -> AssetRow {
    try await database.read { db in
      let row = try Row.fetchOne(
        db, sql: "SELECT mux_asset_id FROM highlights WHERE id = ? AND author_id = ? AND is_ready",
        arguments: [id, author]
      ).requireFound("the highlight")
      if try db.hasRow("SELECT 1 FROM post_assets WHERE highlight_id = ?", [id]) {
        throw BackendFailure(.conflict, "not_trimmable", "the highlight has several clips")
      }
      guard let asset: String = row["mux_asset_id"], let found = try AssetRow.find(asset, in: db),
        found.status == .ready
      else { throw BackendFailure(.conflict, "not_trimmable", "the highlight's video is not on this server") }
      return found
    }
  }

  /// Gives a highlight a new asset, and deletes the old one. The highlight keeps its ID, likes and comments.
  /// - Parameters:
  ///   - seconds: the highlight's new duration.
  ///   - storeFiles: moves the new asset's files to its folder. The folder is in use when this transaction ends, so the
  ///     cleanup of unused files can't remove it.
  /// - Returns: the ID of the new asset.
  /// - Throws: a 409 error if the highlight has changed in the meantime.
  func replaceAsset(
    of highlight: String, _ source: AssetRow, _ facts: AssetProperties, seconds: Double, now: Date,
    storeFiles: @escaping @Sendable (_ asset: String) throws -> Void
  ) async throws -> String {
    try await database.write { db in
      guard try db.hasRow("SELECT 1 FROM highlights WHERE id = ? AND mux_asset_id = ?", [highlight, source.id]) else {
        throw BackendFailure(.conflict, "not_trimmable", "the highlight has changed in the meantime")
      }
      let asset = AssetRow(
        id: RandomText.identifier(), status: .ready, settings: source.settings, isTest: source.isTest, facts: facts,
        createdAt: Int64(now.timeIntervalSince1970))
      let playback = PlaybackIDRow(id: RandomText.identifier(), assetID: asset.id)
      try storeFiles(asset.id)
      try asset.insert(playback, in: db, now: now)
      try db.execute(
        sql: """
          UPDATE highlights SET mux_asset_id = ?, mux_playback_id = ?, thumbnail_url = ?, duration = ?,
            rally_metadata = json_set(rally_metadata, '$.duration', ?)
          WHERE id = ?
          """,
        arguments: [
          asset.id, playback.id, "/image/\(playback.id)/thumbnail.jpg?time=2", seconds, seconds, highlight,
        ])
      try db.execute(sql: "DELETE FROM assets WHERE id = ?", arguments: [source.id])
      return asset.id
    }
  }
}
