import ClipModel
import Foundation
import GRDB

/// The queries of `assets` and `playback_ids`.
extension ServerStore {
  func asset(_ id: String) async throws -> Asset? {
    try await database.read { db in try AssetRow.find(id, in: db).map { try Asset($0, in: db) } }
  }

  /// Whose files a playback id names; `nil` until it can be played.
  func playableAsset(playbackID: String) async throws -> AssetRow? {
    try await database.read { db in
      try AssetRow.fetchOne(
        db,
        sql: """
          SELECT assets.* FROM assets JOIN playback_ids ON playback_ids.asset_id = assets.id
          WHERE playback_ids.id = ? AND assets.status = 'ready'
          """, arguments: [playbackID])
    }
  }

  func playbackID(_ id: String) async throws -> PlaybackIDRow? {
    try await database.read { db in try PlaybackIDRow.fetchOne(db, key: id) }
  }

  /// Newest first.
  /// - Parameters:
  ///   - sequence: older ones than this, for pages by cursor.
  ///   - uploadID: only the one of an upload.
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

  /// What was left out stays as it is.
  func patchAsset(_ id: String, _ change: AssetChange, now: Date) async throws -> Asset? {
    try await database.write { db in
      guard var row = try AssetRow.find(id, in: db) else { return nil }
      if let passthrough = change.passthrough { row.settings.passthrough = passthrough.value }
      if let meta = change.meta { row.settings.meta = meta.value }
      try row.update(db)
      let asset = try Asset(row, in: db)
      try MuxEvent.record(.assetUpdated, of: asset, in: db, now: now)
      return asset
    }
  }

  /// Deletes the row; `AssetRemover` removes its files. An upload that waits for it becomes errored.
  func deleteAsset(_ id: String, now: Date) async throws -> Bool {
    try await database.write { db in
      try db.execute(sql: "DELETE FROM assets WHERE id = ?", arguments: [id])
      guard db.changesCount > 0 else { return false }
      let waiting = try UploadRow.fetchOne(
        db, sql: "SELECT * FROM uploads WHERE asset_id = ? AND status = 'asset_created'", arguments: [id])
      guard let waiting else { return true }
      let reason = "its asset was deleted"
      try db.execute(
        sql: "UPDATE uploads SET status = 'errored', error = ? WHERE id = ?", arguments: [reason, waiting.id])
      try waiting.endSiblings(as: .errored, reason: reason, in: db, now: now)
      return true
    }
  }

  /// - Returns: `nil` when there is no such asset.
  func addPlaybackID(toAsset id: String, now: Date) async throws -> PlaybackIDRow? {
    try await database.write { db in
      guard let row = try AssetRow.find(id, in: db) else { return nil }
      let added = PlaybackIDRow(id: RandomText.identifier(), assetID: id, policy: "public")
      try added.insert(db)
      try MuxEvent.record(.assetUpdated, of: Asset(row, in: db), in: db, now: now)
      return added
    }
  }

  func deletePlaybackID(_ id: String, ofAsset assetID: String, now: Date) async throws -> Bool {
    try await database.write { db in
      try db.execute(sql: "DELETE FROM playback_ids WHERE id = ? AND asset_id = ?", arguments: [id, assetID])
      guard db.changesCount > 0 else { return false }
      if let row = try AssetRow.find(assetID, in: db) {
        try MuxEvent.record(.assetUpdated, of: Asset(row, in: db), in: db, now: now)
      }
      return true
    }
  }

  /// Assets whose rows are gone and whose files may still be there, oldest first.
  func removedAssets() async throws -> [RemovedAsset] {
    try await database.read { db in try RemovedAsset.fetchAll(db, sql: "SELECT * FROM removed_assets ORDER BY sequence")
    }
  }

  /// Records that the files are gone.
  func forget(_ removed: RemovedAsset, now: Date) async throws {
    try await database.write { db in
      try db.execute(sql: "DELETE FROM removed_assets WHERE sequence = ?", arguments: [removed.sequence])
      guard db.changesCount > 0 else { return }
      try MuxEvent.record(removed, in: db, now: now)
    }
  }
}

/// An asset that was deleted.
struct RemovedAsset: SnakeCaseRow {
  var sequence: Int64
  var assetID: String
  var uploadID: String?
  var passthrough: String?
}

/// What a `PATCH` changes.
struct AssetChange: Sendable {
  /// `nil` removes it.
  struct Replacement<Value: Sendable>: Sendable { var value: Value? }

  var passthrough: Replacement<String>?
  var meta: Replacement<AssetMeta>?
}

/// Steps of an asset's life, each inside the transaction that is about its upload.
extension AssetRow {
  static func find(_ id: String, in db: Database) throws -> AssetRow? {
    try AssetRow.fetchOne(db, sql: "SELECT * FROM assets WHERE id = ?", arguments: [id])
  }

  /// Every byte of an upload is there.
  static func begin(of upload: UploadRow, in db: Database, now: Date) throws {
    guard let id = upload.assetID else { return }
    var row = AssetRow(
      id: id, uploadID: upload.id, settings: upload.assetSettings, isTest: upload.muxRequest?.isTest ?? false,
      createdAt: Int64(now.timeIntervalSince1970))
    try row.insert(db)
    if let playbackID = upload.playbackID {
      try PlaybackIDRow(id: playbackID, assetID: id, policy: "public").insert(db)
    }
    try MuxEvent.record(.uploadAssetCreated, of: upload, in: db, now: now)
    try MuxEvent.record(.assetCreated, of: Asset(row, in: db), in: db, now: now)
  }

  /// - Returns: false when it was deleted meanwhile.
  static func becomeReady(_ id: String, _ facts: AssetFacts, in db: Database, now: Date) throws -> Bool {
    guard var row = try find(id, in: db) else { return false }
    row.status = .ready
    row.facts = facts
    try row.update(db)
    let asset = try Asset(row, in: db)
    if !row.nonStandardReasons.isEmpty { try MuxEvent.record(.assetNonStandard, of: asset, in: db, now: now) }
    try MuxEvent.record(.assetReady, of: asset, in: db, now: now)
    return true
  }

  /// It could not be made, or is not needed any more.
  static func end(ofUpload id: String, as status: UploadState.Status, reason: String, in db: Database, now: Date) throws
  {
    guard var row = try AssetRow.fetchOne(db, sql: "SELECT * FROM assets WHERE upload_id = ?", arguments: [id]) else {
      return
    }
    guard status == .errored else {
      try db.execute(sql: "DELETE FROM assets WHERE id = ?", arguments: [row.id])
      return
    }
    row.status = .errored
    row.problem = reason
    try row.update(db)
    try MuxEvent.record(.assetErrored, of: Asset(row, in: db), in: db, now: now)
  }
}
