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
    /// The highlight's other clips are of a post of another number.
    case differentPost
    case highlightExists
    /// The highlight's id belongs to another author.
    case highlightTaken
    /// The author's account is gone.
    case noAccount
  }

  /// Opens an upload, or gives the waiting one of the same key again; older attempts of the highlight are superseded.
  func openUpload(
    draft: HighlightDraft, author: String, idempotencyKey: String, lifetimeSeconds: Int64, now: Date
  ) async throws -> Opening {
    let highlightID = draft.highlightID.uuidString.lowercased()
    let seconds = Int64(now.timeIntervalSince1970)
    return try await database.write { db in
      guard try db.hasRow("SELECT 1 FROM profiles WHERE id = ?", [author]) else { return .noAccount }
      let owner = try String.fetchOne(
        db, sql: "SELECT author_id FROM highlights WHERE id = ?", arguments: [highlightID])
      if let owner { return owner == author ? .highlightExists : .highlightTaken }
      let sameKey = try UploadRow.fetchOne(
        db,
        sql: """
          SELECT * FROM uploads WHERE author_id = ? AND idempotency_key = ? AND status = 'waiting'
          AND NOT is_superseded AND expires_at > ? ORDER BY sequence DESC
          """, arguments: [author, idempotencyKey, seconds])
      if let sameKey { return sameKey.draft == draft ? .repeated(sameKey.ticket) : .differentDraft }
      if try Self.isOfAnotherPost(draft, author, in: db, seconds) { return .differentPost }
      try Self.supersede(draft, author, in: db, now)
      var upload = UploadRow(
        id: UUID().uuidString.lowercased(), token: RandomText.token(), authorID: author,
        idempotencyKey: idempotencyKey, draft: draft, expiresAt: seconds + lifetimeSeconds,
        createdAt: timestampText(now))
      try upload.insert(db)
      try MuxEvent.record(.uploadCreated, of: upload, in: db, now: now)
      return .created(upload.ticket)
    }
  }

  /// The earlier attempts of a clip make nothing any more, nor do those of a post of another number that have ended.
  private static func supersede(_ draft: HighlightDraft, _ author: String, in db: Database, _ now: Date) throws {
    let condition = "highlight_id = ? AND author_id = ? AND NOT is_superseded AND (part = ? OR part_count <> ?)"
    let arguments: StatementArguments = [
      draft.highlightID.uuidString.lowercased(), author, draft.part, draft.partCount,
    ]
    let older = try UploadRow.fetchAll(
      db, sql: "SELECT * FROM uploads WHERE \(condition) AND status IN ('waiting', 'asset_created')",
      arguments: arguments)
    // Here and not when `AssetQueue` comes to it: a server that dies before would keep the asset for ever.
    for upload in older { try upload.takeBack(Self.supersededText, in: db, now: now) }
    try db.execute(
      sql: """
        UPDATE uploads SET is_superseded = TRUE,
          error = CASE WHEN status IN ('waiting', 'asset_created') THEN ? ELSE error END,
          status = CASE WHEN status IN ('waiting', 'asset_created') THEN 'cancelled' ELSE status END
        WHERE \(condition)
        """, arguments: [Self.supersededText] + arguments)
  }

  /// Opens an upload that becomes a bare object.
  func openSession(_ objectName: String, lifetimeSeconds: Int64, now: Date) async throws -> UploadTicket {
    try await database.write { db in
      var upload = UploadRow(lifetimeSeconds: lifetimeSeconds, now: now, objectName: objectName)
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
    try await database.read { db in try UploadRow.find(id, in: db) }
  }

  /// Cancels a waiting upload. A clip of several takes its post with it, as long as that is not there.
  /// - Returns: the ids of all that are cancelled; none when it no longer waits.
  func cancelUpload(_ id: String, now: Date) async throws -> [String] {
    try await database.write { db in
      guard let upload = try UploadRow.find(id, in: db),
        upload.status(at: now) == .waiting || upload.status == .assetCreated && upload.partCount > 1
      else { return [] }
      try upload.takeBack("it was cancelled", in: db, now: now)
      try db.execute(sql: "UPDATE uploads SET status = 'cancelled' WHERE id = ?", arguments: [id])
      return [id] + (try upload.endSiblings(as: .cancelled, in: db, now: now))
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

  /// Every byte is there: the upload becomes an asset to be made, or a bare object.
  /// - Returns: the new status, or `nil` when the upload was cancelled meanwhile.
  func completeUpload(_ id: String, byteCount: Int64, now: Date) async throws -> UploadState.Status? {
    try await database.write { db in
      try db.execute(
        sql: """
          UPDATE uploads SET stored_bytes = :bytes, total_bytes = :bytes,
            status = CASE WHEN object_name IS NULL THEN 'asset_created' ELSE 'ready' END,
            asset_id = CASE WHEN object_name IS NULL THEN :asset END
          WHERE id = :id AND status = 'waiting'
          """, arguments: ["bytes": byteCount, "asset": RandomText.identifier(), "id": id])
      guard db.changesCount > 0,
        var upload = try UploadRow.find(id, in: db)
      else { return nil }
      if upload.status == .assetCreated, upload.assetSettings.isPublic {
        upload.playbackID = RandomText.identifier()
        try upload.update(db)
      }
      try AssetRow.begin(of: upload, in: db, now: now)
      return upload.status
    }
  }

  /// Uploads whose asset was being made when the server stopped, oldest first.
  func uploadsWithUnfinishedAssets() async throws -> [String] {
    try await database.read { db in
      // What is ready waits for other clips of its post.
      try String.fetchAll(
        db,
        sql: """
          SELECT id FROM uploads WHERE status = 'asset_created'
          AND NOT EXISTS (SELECT 1 FROM assets WHERE assets.id = asset_id AND assets.status = 'ready') ORDER BY sequence
          """)
    }
  }

  /// - Parameter isLost: the bytes are gone, so there was never anything to make an asset of.
  func failAsset(
    ofUpload id: String, status: UploadState.Status = .errored, reason: String, isLost: Bool = false, now: Date
  ) async throws {
    try await database.write { db in
      try AssetRow.end(ofUpload: id, as: isLost ? .cancelled : status, reason: reason, in: db, now: now)
      if isLost { try db.execute(sql: "UPDATE uploads SET asset_id = NULL WHERE id = ?", arguments: [id]) }
      try db.execute(
        sql: "UPDATE uploads SET status = ?, error = ? WHERE id = ? AND status = 'asset_created'",
        arguments: [status.rawValue, reason, id])
      guard db.changesCount > 0,
        let upload = try UploadRow.find(id, in: db)
      else { return }
      try upload.endSiblings(as: status, reason: reason, in: db, now: now)
      guard isLost || status == .cancelled else { return }
      try MuxEvent.record(isLost ? .uploadErrored : .uploadCancelled, of: upload, in: db, now: now)
    }
  }

  /// Notes uploads past their time, and gives the ids of uploads and assets whose files must stay.
  func sweep(now: Date) async throws -> Set<String> {
    try await database.write { db in
      try db.execute(
        sql: "UPDATE uploads SET status = 'timed_out' WHERE status = 'waiting' AND expires_at <= ?",
        arguments: [Int64(now.timeIntervalSince1970)])
      try Self.giveUpPosts(in: db, now: now)
      let uploads = try String.fetchSet(
        db,
        sql: """
          SELECT id FROM uploads WHERE status IN ('waiting', 'asset_created')
          OR status = 'ready' AND object_name IS NOT NULL
          """)
      let assets = try String.fetchSet(
        db,
        sql: """
          SELECT id FROM assets WHERE status <> 'errored'
          UNION SELECT asset_id FROM uploads WHERE status = 'asset_created' AND asset_id IS NOT NULL
          """)
      return uploads.union(assets)
    }
  }

  static let supersededText = "a newer upload of this highlight took its place"
}
