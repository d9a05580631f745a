import ClipModel
import Foundation
import GRDB

/// Queries on the tables `assets` and `playback_ids`.
extension ServerStore {
  func asset(_ id: String) async throws -> Asset? {
    try await database.read { db in try AssetRow.find(id, in: db).map { try Asset($0, in: db) } }
  }

  func playbackID(_ id: String) async throws -> PlaybackIDRow? {
    try await database.read { db in try PlaybackIDRow.find(id, in: db) }
  }

  /// Returns a list of assets, newest first.
  /// - Parameters:
  ///   - sequence: limits the list to assets that are older than this sequence number, for cursor-based paging.
  ///   - uploadID: limits the list to the asset of one upload.
  func assets(
    limit: Int, offset: Int, before sequence: Int64? = nil, uploadID: String? = nil
  ) async throws -> [Asset] {
    try await database.read { db in
      try AssetRow.fetchAll(
        db,
        sql: """
          SELECT * FROM assets WHERE (:before IS NULL OR sequence < :before) AND (:upload IS NULL OR upload_id = :upload)
          ORDER BY sequence DESC LIMIT :limit OFFSET :offset
          """, arguments: ["before": sequence, "upload": uploadID, "limit": limit, "offset": offset]
      ).map { try Asset($0, in: db) }
    }
  }

  /// Updates the asset properties that `change` contains.
  func patchAsset(_ id: String, _ change: AssetChange, now: Date) async throws -> Asset? {
    try await database.write { db in
      guard var row = try AssetRow.find(id, in: db) else { return nil }
      if let passthrough = change.passthrough { row.settings.passthrough = passthrough }
      if let meta = change.meta { row.settings.meta = meta }
      try row.update(db)
      return try row.recordEvent(.assetUpdated, in: db, now: now)
    }
  }

  /// Deletes an asset's row. `AssetRemover` removes the files. If an upload is waiting for the asset, the upload fails.
  func deleteAsset(_ id: String, now: Date) async throws -> Bool {
    try await database.write { db in
      guard try AssetRow.filter(Column("id") == id).deleteAll(db) > 0 else { return false }
      let waiting = try UploadRow.fetchOne(
        db, sql: "SELECT * FROM uploads WHERE asset_id = ? AND status = 'asset_created'", arguments: [id])
      let reason = "the upload's asset was deleted"
      try waiting?.end(as: .errored, error: reason, in: db)
      try waiting?.endOtherUploads(as: .errored, reason: reason, in: db, now: now)
      return true
    }
  }

  /// Adds a public playback ID to an asset.
  /// - Returns: `nil` if the asset doesn't exist.
  func addPlaybackID(toAsset id: String, now: Date) async throws -> PlaybackIDRow? {
    try await database.write { db in
      guard let row = try AssetRow.find(id, in: db) else { return nil }
      let added = PlaybackIDRow(id: RandomText.identifier(), assetID: id)
      try added.insert(db)
      try row.recordEvent(.assetUpdated, in: db, now: now)
      return added
    }
  }

  func deletePlaybackID(_ id: String, ofAsset assetID: String, now: Date) async throws -> Bool {
    try await database.write { db in
      guard try PlaybackIDRow.filter(Column("id") == id && Column("asset_id") == assetID).deleteAll(db) > 0 else {
        return false
      }
      try AssetRow.find(assetID, in: db)?.recordEvent(.assetUpdated, in: db, now: now)
      return true
    }
  }

  /// Returns the deleted assets whose files may still exist, oldest first.
  func removedAssets() async throws -> [RemovedAsset] { try await database.read(RemovedAsset.fetchRemovedAssets) }

  /// Records that an asset's files have been removed.
  func recordRemoval(_ removed: RemovedAsset, now: Date) async throws {
    try await database.write { db in
      try db.execute(sql: "DELETE FROM removed_assets WHERE sequence = ?", arguments: [removed.sequence])
      guard db.changesCount > 0 else { return }
      try MuxEvent.record(removed, in: db, now: now)
    }
  }
}

/// A deleted asset whose files still have to be removed.
struct RemovedAsset: SnakeCaseRow {
  var sequence: Int64
  var assetID: String
  var uploadID: String?
  var passthrough: String?

  @Sendable static func fetchRemovedAssets(in db: Database) throws -> [RemovedAsset] {
    try fetchAll(db, sql: "SELECT * FROM removed_assets ORDER BY sequence")
  }
}

/// Changes to assets. Each change to an asset is part of the transaction that changes its upload.
extension AssetRow {
  /// Creates the asset for an upload whose bytes are all stored.
  static func createAsset(for upload: UploadRow, in db: Database, now: Date) throws {
    guard let id = upload.assetID else { return }
    var row = AssetRow(
      id: id, uploadID: upload.id, settings: upload.assetSettings, isTest: upload.muxRequest?.isTest ?? false,
      createdAt: Int64(now.timeIntervalSince1970))
    try row.insert(db)
    if let playbackID = upload.playbackID { try PlaybackIDRow(id: playbackID, assetID: id).insert(db) }
    try MuxEvent.record(.uploadAssetCreated, of: upload, in: db, now: now)
    try row.recordEvent(.assetCreated, in: db, now: now)
  }

  /// Inserts an asset that is ready to play, and has no upload.
  func insert(_ playback: PlaybackIDRow, in db: Database, now: Date) throws {
    var row = self
    try row.insert(db)
    try playback.insert(db)
    try row.recordEvent(.assetCreated, in: db, now: now)
    try row.recordEvent(.assetReady, in: db, now: now)
  }

  /// Marks an asset as ready to play.
  /// - Returns: false if the asset was deleted.
  static func markReady(_ id: String, _ facts: AssetProperties, in db: Database, now: Date) throws -> Bool {
    guard var row = try find(id, in: db) else { return false }
    row.status = .ready
    row.facts = facts
    try row.update(db)
    if !row.nonStandardReasons.isEmpty { try row.recordEvent(.assetNonStandard, in: db, now: now) }
    try row.recordEvent(.assetReady, in: db, now: now)
    return true
  }

  /// Ends the asset of an upload. If `status` is `errored`, the asset is marked as errored. Otherwise, the asset
  /// is no longer needed and is deleted.
  static func endAsset(
    ofUpload id: String, as status: UploadState.Status, reason: String, in db: Database, now: Date
  ) throws {
    guard var row = try AssetRow.fetchOne(db, sql: "SELECT * FROM assets WHERE upload_id = ?", arguments: [id]) else {
      return
    }
    guard status == .errored else {
      try row.delete(db)
      return
    }
    row.status = .errored
    row.problem = reason
    try row.update(db)
    try row.recordEvent(.assetErrored, in: db, now: now)
  }

  /// Records an event for the webhooks.
  /// - Returns: the asset as the event describes it.
  @discardableResult
  fileprivate func recordEvent(_ event: MuxEvent, in db: Database, now: Date) throws -> Asset {
    let asset = try Asset(self, in: db)
    try MuxEvent.record(event, of: asset, in: db, now: now)
    return asset
  }
}
