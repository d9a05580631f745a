import ClipModel
import Foundation
import GRDB

/// Turns uploads into highlights. A post combines several clips in one highlight.
extension ServerStore {
  /// Marks an asset as ready. If the asset is the last one of its post, publishes the highlight: inserts its row, or
  /// shows the row that the app has inserted. Uploads from the Mux API have no highlight.
  /// - Returns: false if a newer attempt has superseded the upload, or if the asset was deleted.
  /// - Throws: `AssetError` if another account is already using the highlight ID, or if the account is restricted.
  func publish(_ upload: UploadRow, _ facts: AssetProperties, now: Date) async throws -> Bool {
    guard let assetID = upload.assetID else { return false }
    return try await database.write { db in
      let current = try UploadRow.find(upload.id, in: db)
      guard let current, current.status == .assetCreated, !current.isSuperseded else { return false }
      let clips = try (current.readyUploads(in: db) + [current]).sorted { $0.part < $1.part }
      let isComplete = clips.count == current.partCount
      let hasHighlight = upload.muxRequest == nil
      let existing = try Row.fetchOne(
        db, sql: "SELECT author_id, is_ready FROM highlights WHERE id = ?", arguments: [upload.highlightID])
      if hasHighlight, isComplete, let existing, existing["author_id"] != upload.authorID {
        throw AssetError.rejected("the highlight's id is taken")
      }
      // The account may have prepared the upload before its restriction.
      if hasHighlight, try AccountRestriction.end(ofAccount: upload.authorID, in: db) != nil {
        throw AssetError.rejected("the account is restricted")
      }
      // Update the asset first, so that the events are recorded in the order in which they occur.
      guard try AssetRow.markReady(assetID, facts, in: db, now: now) else { return false }
      guard isComplete else { return true }
      if hasHighlight, existing?["is_ready"] == true {
        // The row that the app inserted already plays a different video.
        for clip in clips { try db.execute(sql: "DELETE FROM assets WHERE id = ?", arguments: [clip.assetID]) }
      } else if hasHighlight {
        try Self.writeHighlight(of: clips, rowExists: existing != nil, in: db, now: now)
      }
      for clip in clips { try clip.end(as: .ready, in: db) }
      try HighlightReadiness.showPlayableHighlights(of: hasHighlight ? upload.authorID : nil, in: db)
      return true
    }
  }

  /// Writes the highlight of a post.
  /// - Parameters:
  ///   - clips: all clips of the post, in order.
  ///   - rowExists: whether the app has already inserted the row. If so, only the video is added and the row's other
  ///     values are kept.
  private static func writeHighlight(of clips: [UploadRow], rowExists: Bool, in db: Database, now: Date) throws {
    guard let lead = clips.first, let assetID = lead.assetID else { return }
    var values = lead.draft.highlightValues(
      author: lead.authorID, assetID: assetID, playbackIDs: clips.compactMap(\.playbackID))
    let writer = RowWriter(db: db, caller: .service, now: now)
    if rowExists {
      let video: Set = ["mux_playback_id", "mux_asset_id", "thumbnail_url", "video_urls", "duration"]
      values = values.filter { video.contains($0.key) }
      values["is_ready"] = true.databaseValue
      _ = try writer.update(lead.highlightID.databaseValue, set: values, in: SocialTables.highlights)
    } else {
      _ = try writer.insert(values, into: SocialTables.highlights)
    }
    for clip in clips.dropFirst() {
      try db.execute(
        sql: "INSERT INTO post_assets (asset_id, highlight_id) VALUES (?, ?)",
        arguments: [clip.assetID, lead.highlightID])
    }
  }

  /// Whether clips of this highlight are being uploaded, or were uploaded, as parts of a post with a different number
  /// of clips. Uploads that have ended don't count.
  static func belongsToOtherPost(
    _ draft: HighlightDraft, _ author: String, in db: Database, _ seconds: Int64
  ) throws -> Bool {
    try db.hasRow(
      """
      SELECT 1 FROM uploads WHERE highlight_id = ? AND author_id = ? AND part_count <> ?
        AND (status = 'waiting' AND expires_at > ? OR status = 'asset_created')
      """, [draft.highlightID.uuidString.lowercased(), author, draft.partCount, seconds])
  }

  /// Cancels posts whose missing clips can no longer arrive. An upload URL is valid for at most seven days, and
  /// creating the asset may take one more day.
  static func cancelIncompletePosts(in db: Database, now: Date) throws {
    let late = try UploadRow.fetchAll(
      db,
      sql: """
        SELECT * FROM uploads AS u WHERE status = 'asset_created' AND part_count > 1
        AND EXISTS (SELECT 1 FROM assets WHERE assets.id = u.asset_id AND assets.status = 'ready')
        AND NOT EXISTS (
          SELECT 1 FROM uploads AS other WHERE other.author_id = u.author_id AND other.highlight_id = u.highlight_id
          AND NOT other.is_superseded AND other.created_at > ?)
        """, arguments: [timestampText(now.addingTimeInterval(-8 * 86_400))])
    for upload in late {
      let reason = "the other clips of the post were not uploaded"
      try upload.discard(reason, in: db, now: now)
      try upload.end(as: .cancelled, error: reason, in: db)
    }
  }
}

extension UploadRow {
  /// Returns the other clips of the post whose assets are ready.
  fileprivate func readyUploads(in db: Database) throws -> [UploadRow] {
    guard partCount > 1 else { return [] }
    return try otherUploads("status = 'asset_created'", in: db).filter {
      try AssetRow.find($0.assetID ?? "", in: db)?.status == .ready
    }
  }

  private func otherUploads(_ condition: String, in db: Database) throws -> [UploadRow] {
    try UploadRow.fetchAll(
      db,
      sql: """
        SELECT * FROM uploads WHERE author_id = ? AND highlight_id = ? AND id <> ? AND NOT is_superseded AND \(condition)
        ORDER BY part
        """, arguments: [authorID, highlightID, id])
  }

  /// Deletes the asset of an upload that is no longer needed. If there is no asset yet, records that the upload was
  /// canceled. The caller updates the upload's own row.
  func discard(_ reason: String, in db: Database, now: Date) throws {
    if status == .assetCreated {
      try AssetRow.endAsset(ofUpload: id, as: .cancelled, reason: reason, in: db, now: now)
    } else {
      var cancelled = self
      cancelled.status = .cancelled
      try MuxEvent.record(.uploadCancelled, of: cancelled, in: db, now: now)
    }
  }

  /// Ends the uploads of the post's other clips, because a post is published either completely or not at all.
  /// - Returns: the IDs of the ended uploads.
  @discardableResult
  func endOtherUploads(
    as status: UploadState.Status, reason: String = "", in db: Database, now: Date
  ) throws -> [String] {
    guard partCount > 1, !isSuperseded else { return [] }
    let text =
      status == .cancelled ? "another clip of the post was cancelled" : "another clip of the post failed: \(reason)"
    let others = try otherUploads("status IN ('waiting', 'asset_created', 'timed_out')", in: db)
    for other in others {
      if other.status != .timedOut { try other.discard(text, in: db, now: now) }
      try other.end(as: status, error: text, in: db)
    }
    return others.map(\.id)
  }
}
