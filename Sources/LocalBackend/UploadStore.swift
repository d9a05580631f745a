import ClipModel
import Foundation
import GRDB

/// The queries of `uploads`.
extension ServerStore {
  enum Opening: Sendable {
    case created(UploadTicket)
    /// The same request came again while its upload still waits.
    case repeated(UploadTicket)
    /// The key is in use for another draft.
    case differentDraft
    case highlightExists
  }

  /// Opens an upload, or gives the waiting one of the same key again; older attempts of the highlight are superseded.
  func openUpload(
    draft: HighlightDraft, idempotencyKey: String, lifetimeSeconds: Int64, now: Date
  ) async throws -> Opening {
    let highlightID = draft.highlightID.uuidString.lowercased()
    let seconds = Int64(now.timeIntervalSince1970)
    return try await database.write { db in
      if try HighlightRow.exists(db, key: highlightID) { return .highlightExists }
      let sameKey = try UploadRow.fetchOne(
        db,
        sql: """
          SELECT * FROM uploads WHERE idempotency_key = ? AND status = 'waiting' AND NOT is_superseded
          AND expires_at > ? ORDER BY sequence DESC
          """, arguments: [idempotencyKey, seconds])
      if let sameKey { return sameKey.draft == draft ? .repeated(sameKey.ticket) : .differentDraft }
      try db.execute(
        sql: "UPDATE uploads SET is_superseded = TRUE WHERE highlight_id = ?", arguments: [highlightID])
      var upload = UploadRow(
        id: RandomText.identifier(), token: RandomText.token(), idempotencyKey: idempotencyKey,
        highlightID: highlightID, draft: draft, status: .waiting, expiresAt: seconds + lifetimeSeconds,
        createdAt: timestampText(now))
      try upload.insert(db)
      return .created(upload.ticket)
    }
  }

  /// Opens an upload that becomes a bare object.
  func openSession(_ objectName: String, lifetimeSeconds: Int64, now: Date) async throws -> UploadTicket {
    let highlight = UUID()
    return try await database.write { db in
      // A draft has to be there; nobody reads this one.
      var upload = UploadRow(
        id: RandomText.identifier(), token: RandomText.token(), idempotencyKey: "",
        highlightID: highlight.uuidString.lowercased(), draft: HighlightDraft(highlightID: highlight, duration: 0),
        status: .waiting, expiresAt: Int64(now.timeIntervalSince1970) + lifetimeSeconds, createdAt: timestampText(now),
        objectName: objectName)
      try upload.insert(db)
      return upload.ticket
    }
  }

  /// The upload that brought a bare object last.
  func uploadID(ofObject name: String) async throws -> String? {
    try await database.read { db in
      try String.fetchOne(
        db,
        sql: "SELECT id FROM uploads WHERE object_name = ? AND status = 'ready' ORDER BY sequence DESC",
        arguments: [name])
    }
  }

  func upload(_ id: String) async throws -> UploadRow? {
    try await database.read { db in
      try UploadRow.fetchOne(db, sql: "SELECT * FROM uploads WHERE id = ?", arguments: [id])
    }
  }

  /// Cancels a waiting upload; false when it no longer waits.
  func cancelUpload(_ id: String, now: Date) async throws -> Bool {
    try await database.write { db in
      try db.execute(
        sql: "UPDATE uploads SET status = 'cancelled' WHERE id = ? AND status = 'waiting' AND expires_at > ?",
        arguments: [id, Int64(now.timeIntervalSince1970)])
      return db.changesCount > 0
    }
  }

  /// Records bytes that are durably stored; false when the upload was cancelled meanwhile.
  func recordStoredBytes(_ count: Int64, total: Int64?, ofUpload id: String) async throws -> Bool {
    try await database.write { db in
      try db.execute(
        sql: """
          UPDATE uploads SET stored_bytes = max(stored_bytes, ?), total_bytes = coalesce(?, total_bytes)
          WHERE id = ? AND status = 'waiting'
          """, arguments: [count, total, id])
      return db.changesCount > 0
    }
  }

  /// Every byte is there: the upload becomes an asset to be made, or nothing when a newer attempt took its place.
  /// - Returns: the new status, or `nil` when the upload was cancelled meanwhile.
  func completeUpload(_ id: String, byteCount: Int64) async throws -> UploadState.Status? {
    try await database.write { db in
      try db.execute(
        sql: """
          UPDATE uploads SET stored_bytes = ?, total_bytes = ?,
            status = CASE
              WHEN is_superseded THEN 'cancelled' WHEN object_name IS NULL THEN 'asset_created' ELSE 'ready' END,
            error = CASE WHEN is_superseded THEN ? END,
            asset_id = CASE WHEN is_superseded OR object_name IS NOT NULL THEN NULL ELSE ? END,
            playback_id = CASE WHEN is_superseded OR object_name IS NOT NULL THEN NULL ELSE ? END
          WHERE id = ? AND status = 'waiting'
          """,
        arguments: [
          byteCount, byteCount, Self.supersededText, RandomText.identifier(), RandomText.identifier(), id,
        ])
      guard db.changesCount > 0 else { return nil }
      return try UploadRow.fetchOne(db, sql: "SELECT * FROM uploads WHERE id = ?", arguments: [id])?.status
    }
  }

  /// Uploads whose asset was being made when the server stopped, oldest first.
  func uploadsWithUnfinishedAssets() async throws -> [String] {
    try await database.read { db in
      try String.fetchAll(db, sql: "SELECT id FROM uploads WHERE status = 'asset_created' ORDER BY sequence")
    }
  }

  func failAsset(ofUpload id: String, status: UploadState.Status = .errored, reason: String) async throws {
    try await database.write { db in
      try db.execute(
        sql: "UPDATE uploads SET status = ?, error = ? WHERE id = ? AND status = 'asset_created'",
        arguments: [status.rawValue, reason, id])
    }
  }

  /// Inserts the highlight of a finished asset, once, and marks the upload ready.
  /// - Returns: false when a newer attempt took its place or the highlight exists already.
  func publish(_ upload: UploadRow, now: Date) async throws -> Bool {
    guard let assetID = upload.assetID, let playbackID = upload.playbackID else { return false }
    let highlight = HighlightRow(
      draft: upload.draft, assetID: assetID, playbackID: playbackID, createdAt: timestampText(now))
    return try await database.write { db in
      let current = try UploadRow.fetchOne(db, sql: "SELECT * FROM uploads WHERE id = ?", arguments: [upload.id])
      guard let current, current.status == .assetCreated, !current.isSuperseded,
        try !HighlightRow.exists(db, key: highlight.id)
      else { return false }
      try highlight.insert(db)
      try db.execute(sql: "UPDATE uploads SET status = 'ready' WHERE id = ?", arguments: [upload.id])
      return true
    }
  }

  /// Notes uploads past their time, and gives the ids of uploads and assets whose files must stay.
  func sweep(now: Date) async throws -> Set<String> {
    try await database.write { db in
      try db.execute(
        sql: "UPDATE uploads SET status = 'timed_out' WHERE status = 'waiting' AND expires_at <= ?",
        arguments: [Int64(now.timeIntervalSince1970)])
      // This runs at the start: whoever sent to an attempt that a newer one replaced is gone.
      try db.execute(
        sql: "UPDATE uploads SET status = 'cancelled', error = ? WHERE status = 'waiting' AND is_superseded",
        arguments: [Self.supersededText])
      let uploads = try String.fetchSet(
        db,
        sql: """
          SELECT id FROM uploads WHERE status IN ('waiting', 'asset_created')
          OR status = 'ready' AND object_name IS NOT NULL
          """)
      let assets = try String.fetchSet(
        db,
        sql: """
          SELECT mux_asset_id FROM highlights WHERE mux_asset_id IS NOT NULL
          UNION SELECT asset_id FROM uploads WHERE status = 'asset_created' AND asset_id IS NOT NULL
          """)
      return uploads.union(assets)
    }
  }

  static let supersededText = "a newer upload of this highlight took its place"
}
