import ClipModel
import Foundation
import GRDB
import HTTPTypes

/// Queries on the table `uploads`.
extension ServerStore {
  /// Opens an upload, or returns the waiting upload with the same idempotency key. Supersedes older uploads of the same
  /// clip.
  /// - Throws: `BackendFailure` if the draft conflicts with existing data.
  func openUpload(
    draft: HighlightDraft, author: String, idempotencyKey: String, lifetimeSeconds: Int64, now: Date
  ) async throws -> (ticket: UploadTicket, isNew: Bool) {
    let seconds = Int64(now.timeIntervalSince1970)
    return try await database.write { db in
      guard try db.hasRow("SELECT 1 FROM profiles WHERE id = ?", [author]) else {
        throw BackendFailure(.forbidden, "not_allowed", "the account does not exist")
      }
      let owner = try String.fetchOne(
        db, sql: "SELECT author_id FROM highlights WHERE id = ?",
        arguments: [draft.highlightID.uuidString.lowercased()])
      if owner == author { throw BackendFailure(.conflict, "already_registered", "the highlight already exists") }
      if owner != nil {
        throw BackendFailure(.conflict, "highlight_taken", "a different account is already using this highlight ID")
      }
      let sameKey = try UploadRow.fetchOne(
        db,
        sql: """
          SELECT * FROM uploads WHERE author_id = ? AND idempotency_key = ? AND status = 'waiting'
          AND NOT is_superseded AND expires_at > ? ORDER BY sequence DESC
          """, arguments: [author, idempotencyKey, seconds])
      if let sameKey, sameKey.draft == draft { return (sameKey.ticket, false) }
      if sameKey != nil {
        throw BackendFailure(
          .conflict, "idempotency_conflict", "this Idempotency-Key belongs to a waiting upload of another draft")
      }
      if try Self.belongsToOtherPost(draft, author, in: db, seconds) {
        throw BackendFailure(
          .conflict, "different_post", "the highlight's other clips belong to a post with a different number of clips")
      }
      if try AccountRestriction.end(ofAccount: author, in: db) != nil {
        throw BackendFailure.invalid(["the account is restricted"], status: .unprocessableContent)
      }
      try Self.supersedeUploads(draft, author, in: db, now)
      var upload = UploadRow(
        id: UUID().uuidString.lowercased(), authorID: author, idempotencyKey: idempotencyKey, draft: draft,
        lifetimeSeconds: lifetimeSeconds, now: now)
      try upload.insert(db)
      try MuxEvent.record(.uploadCreated, of: upload, in: db, now: now)
      return (upload.ticket, true)
    }
  }

  /// Supersedes earlier uploads of the same clip. Also supersedes uploads for the highlight that belong to a post with
  /// a different number of clips.
  private static func supersedeUploads(_ draft: HighlightDraft, _ author: String, in db: Database, _ now: Date) throws {
    let earlier = try UploadRow.fetchAll(
      db,
      sql: """
        SELECT * FROM uploads
        WHERE highlight_id = ? AND author_id = ? AND NOT is_superseded AND (part = ? OR part_count <> ?)
        """, arguments: [draft.highlightID.uuidString.lowercased(), author, draft.part, draft.partCount])
    for var upload in earlier {
      if [.waiting, .assetCreated].contains(upload.status) {
        // Discard the upload here instead of in `AssetQueue`. If the server were killed before the queue processed the
        // upload, the asset would never be removed.
        try upload.discard(Self.supersededText, in: db, now: now)
        upload.status = .cancelled
        upload.error = Self.supersededText
      }
      upload.isSuperseded = true
      try upload.update(db)
    }
  }

  /// Opens an upload that becomes an object instead of a highlight.
  func openSession(_ objectName: String, lifetimeSeconds: Int64, now: Date) async throws -> UploadTicket {
    try await database.write { db in
      var upload = UploadRow(lifetimeSeconds: lifetimeSeconds, now: now, objectName: objectName)
      try upload.insert(db)
      return upload.ticket
    }
  }

  /// Returns the ID of an object's latest finished upload.
  func uploadID(ofObject name: String) async throws -> String? {
    try await database.read { db in
      try String.fetchOne(
        db,
        sql: "SELECT id FROM uploads WHERE object_name = ? AND status = 'ready' ORDER BY sequence DESC",
        arguments: [name])
    }
  }

  func upload(_ id: String) async throws -> UploadRow? {
    try await database.read { db in try UploadRow.find(id, in: db) }
  }

  /// Cancels a waiting upload. If the upload belongs to an unpublished post, cancels the entire post.
  /// - Returns: the IDs of all canceled uploads. The array is empty if the upload is no longer waiting.
  func cancelUpload(_ id: String, now: Date) async throws -> [String] {
    try await database.write { db in
      guard let upload = try UploadRow.find(id, in: db),
        upload.status(at: now) == .waiting || upload.status == .assetCreated && upload.partCount > 1
      else { return [] }
      try upload.discard("the upload was canceled", in: db, now: now)
      try upload.end(as: .cancelled, in: db)
      return [id] + (try upload.endOtherUploads(as: .cancelled, in: db, now: now))
    }
  }

  /// Flushes a part file to disk, then records its size, so that every recorded byte is durably stored.
  /// - Returns: false if the upload was canceled.
  func recordStoredBytes(
    _ count: Int64, of file: PartFile, total: Int64? = nil, ofUpload id: String
  ) async throws -> Bool {
    try await runBlocking { try file.synchronize() }
    return try await withoutCancellation { [database] in
      try await database.write { db in
        try db.execute(
          sql: """
            UPDATE uploads SET stored_bytes = max(stored_bytes, ?), total_bytes = coalesce(?, total_bytes)
            WHERE id = ? AND status = 'waiting'
            """, arguments: [count, total, id])
        return db.changesCount > 0
      }
    }
  }

  /// Completes an upload after all of its bytes are stored. The upload becomes an object, or an asset that must still
  /// be created.
  /// - Returns: the new status, or `nil` if the upload was canceled.
  func completeUpload(_ id: String, byteCount: Int64, now: Date) async throws -> UploadState.Status? {
    try await database.write { db in
      guard var upload = try UploadRow.find(id, in: db), upload.status == .waiting else { return nil }
      upload.storedBytes = byteCount
      upload.totalBytes = byteCount
      upload.status = upload.objectName == nil ? .assetCreated : .ready
      if upload.status == .assetCreated {
        upload.assetID = RandomText.identifier()
        if upload.assetSettings.isPublic { upload.playbackID = RandomText.identifier() }
      }
      try upload.update(db)
      try AssetRow.createAsset(for: upload, in: db, now: now)
      return upload.status
    }
  }

  /// Returns the uploads whose assets were unfinished when the server stopped, oldest first. Ready assets that are
  /// waiting for their post's other clips are not included.
  func uploadsWithUnfinishedAssets() async throws -> [String] {
    try await database.read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT id FROM uploads WHERE status = 'asset_created'
          AND NOT EXISTS (SELECT 1 FROM assets WHERE assets.id = asset_id AND assets.status = 'ready') ORDER BY sequence
          """)
    }
  }

  /// Marks the asset of an upload as failed.
  /// - Parameters:
  ///   - isLost: whether the uploaded bytes are missing, so that the asset can never be created.
  ///   - isRefused: whether the clip breaks a rule. The author gets the reason as a notification.
  func failAsset(
    ofUpload id: String, status: UploadState.Status = .errored, reason: String, isLost: Bool = false,
    isRefused: Bool = false, now: Date
  ) async throws {
    try await database.write { db in
      try AssetRow.endAsset(ofUpload: id, as: isLost ? .cancelled : status, reason: reason, in: db, now: now)
      guard var upload = try UploadRow.find(id, in: db), upload.status == .assetCreated else { return }
      upload.status = status
      upload.error = reason
      if isLost { upload.assetID = nil }
      try upload.update(db)
      if isRefused {
        let notice = ModerationNotice(
          action: "refuse", isContentRemoved: true, targetType: "highlight", target: upload.highlightID,
          content: upload.draft.caption, reason: reason.databaseValue)
        try notice.insert(for: upload.authorID, cause: upload.id.databaseValue, in: db, now: now)
      }
      try upload.endOtherUploads(as: status, reason: reason, in: db, now: now)
      guard isLost || status == .cancelled else { return }
      try MuxEvent.record(isLost ? .uploadErrored : .uploadCancelled, of: upload, in: db, now: now)
    }
  }

  /// Marks expired uploads as timed out.
  /// - Returns: the IDs of all uploads and assets whose files must be kept.
  func markExpiredUploads(now: Date) async throws -> Set<String> {
    try await database.write { db in
      try db.execute(
        sql: "UPDATE uploads SET status = 'timed_out' WHERE status = 'waiting' AND expires_at <= ?",
        arguments: [Int64(now.timeIntervalSince1970)])
      try Self.cancelIncompletePosts(in: db, now: now)
      return try String.fetchSet(
        db,
        sql: """
          SELECT id FROM uploads WHERE status IN ('waiting', 'asset_created')
          OR status = 'ready' AND object_name IS NOT NULL
          UNION SELECT id FROM assets WHERE status <> 'errored'
          UNION SELECT asset_id FROM uploads WHERE status = 'asset_created' AND asset_id IS NOT NULL
          """)
    }
  }

  static let supersededText = "a newer upload of this highlight took its place"
}
