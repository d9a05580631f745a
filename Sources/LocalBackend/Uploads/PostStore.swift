import ClipModel
import Foundation
import GRDB

/// How uploads become highlights: one clip its own, several together one.
extension ServerStore {
  enum Publication: Sendable {
    /// The highlight exists now, or did already: the app may have inserted the row by itself. Or this clip can be
    /// watched, and waits for the others of its post.
    case done
    /// A newer attempt took its place, or the asset was deleted.
    case superseded
    /// The highlight of another account has the id.
    case taken
  }

  /// Marks an asset ready and inserts its highlight, once, or shows the row that the app has inserted for it; that of a post of several with the last of its clips. An
  /// upload of Mux's API has none.
  func publish(_ upload: UploadRow, _ facts: AssetFacts, now: Date) async throws -> Publication {
    guard let assetID = upload.assetID else { return .superseded }
    return try await database.write { db in
      let current = try UploadRow.find(upload.id, in: db)
      guard let current, current.status == .assetCreated, !current.isSuperseded else { return .superseded }
      let clips = try (current.readySiblings(in: db) + [current]).sorted { $0.part < $1.part }
      let isWhole = clips.count == current.partCount
      let present = try Row.fetchOne(
        db, sql: "SELECT author_id, is_ready FROM highlights WHERE id = ?", arguments: [upload.highlightID])
      if upload.muxRequest == nil, isWhole, let present, present["author_id"] != upload.authorID { return .taken }
      // The asset first: events have the order in which things happen.
      guard try AssetRow.becomeReady(assetID, facts, in: db, now: now) else { return .superseded }
      guard isWhole else { return .done }
      if upload.muxRequest == nil, present?["is_ready"] == true {
        // The app's row plays something else.
        for clip in clips { try db.execute(sql: "DELETE FROM assets WHERE id = ?", arguments: [clip.assetID]) }
      } else if upload.muxRequest == nil {
        try Self.writeHighlight(of: clips, waits: present != nil, in: db, now: now)
      }
      for clip in clips {
        try db.execute(sql: "UPDATE uploads SET status = 'ready' WHERE id = ?", arguments: [clip.id])
      }
      try HighlightReadiness.showPlayable(of: upload.muxRequest == nil ? upload.authorID : nil, in: db)
      return .done
    }
  }

  /// - Parameters:
  ///   - clips: all of a post, in order.
  ///   - waits: the app has inserted the row. Its facts about the clip stay; the video is the server's.
  private static func writeHighlight(of clips: [UploadRow], waits: Bool, in db: Database, now: Date) throws {
    guard let lead = clips.first, let assetID = lead.assetID else { return }
    var values = lead.draft.values(author: lead.authorID, assetID: assetID, playbackIDs: clips.compactMap(\.playbackID))
    let writer = RowWriter(db: db, caller: .service, now: now)
    if waits {
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

  /// Whether clips of this highlight are on their way, or there, as parts of a post of another number. Those that have
  /// ended are no part of anything.
  static func isOfAnotherPost(_ draft: HighlightDraft, _ author: String, in db: Database, _ seconds: Int64) throws
    -> Bool
  {
    try db.hasRow(
      """
      SELECT 1 FROM uploads WHERE highlight_id = ? AND author_id = ? AND part_count <> ?
        AND (status = 'waiting' AND expires_at > ? OR status = 'asset_created')
      """, [draft.highlightID.uuidString.lowercased(), author, draft.partCount, seconds])
  }

  /// Clips wait for the others of their post as long as these may come: a URL lives seven days, and making an asset has
  /// one more.
  static func giveUpPosts(in db: Database, now: Date) throws {
    let late = try UploadRow.fetchAll(
      db,
      sql: """
        SELECT * FROM uploads AS u WHERE status = 'asset_created' AND part_count > 1
        AND EXISTS (SELECT 1 FROM assets WHERE assets.id = u.asset_id AND assets.status = 'ready')
        AND NOT EXISTS (
          SELECT 1 FROM uploads AS other WHERE other.author_id = u.author_id AND other.highlight_id = u.highlight_id
          AND NOT other.is_superseded AND other.created_at > ?)
        """, arguments: [timestampText(now.addingTimeInterval(-Double(patienceSeconds)))])
    for upload in late {
      let reason = "the other clips of the post did not come"
      try upload.takeBack(reason, in: db, now: now)
      try db.execute(
        sql: "UPDATE uploads SET status = 'cancelled', error = ? WHERE id = ?", arguments: [reason, upload.id])
    }
  }

  private static let patienceSeconds = 8 * 86_400
}

extension UploadRow {
  /// The other clips of its post that can be watched already.
  fileprivate func readySiblings(in db: Database) throws -> [UploadRow] {
    guard partCount > 1 else { return [] }
    return try siblings("status = 'asset_created'", in: db).filter {
      try AssetRow.find($0.assetID ?? "", in: db)?.status == .ready
    }
  }

  private func siblings(_ condition: String, in db: Database) throws -> [UploadRow] {
    try UploadRow.fetchAll(
      db,
      sql: """
        SELECT * FROM uploads WHERE author_id = ? AND highlight_id = ? AND id <> ? AND NOT is_superseded AND \(condition)
        ORDER BY part
        """, arguments: [authorID, highlightID, id])
  }

  /// Nobody wants it any more: its asset goes, or the world is told that its bytes will not come. Its own row is the
  /// caller's to change.
  func takeBack(_ reason: String, in db: Database, now: Date) throws {
    if status == .assetCreated {
      try AssetRow.end(ofUpload: id, as: .cancelled, reason: reason, in: db, now: now)
    } else {
      var ended = self
      ended.status = .cancelled
      try MuxEvent.record(.uploadCancelled, of: ended, in: db, now: now)
    }
  }

  /// A post is published whole or not at all: the clip that makes nothing ends the others.
  /// - Returns: their ids.
  @discardableResult
  func endSiblings(
    as status: UploadState.Status, reason: String = "", in db: Database, now: Date
  ) throws -> [String] {
    guard partCount > 1, !isSuperseded else { return [] }
    let text =
      status == .cancelled ? "another clip of the post was cancelled" : "another clip of the post failed: \(reason)"
    let others = try siblings("status IN ('waiting', 'asset_created', 'timed_out')", in: db)
    for other in others {
      if other.status != .timedOut { try other.takeBack(text, in: db, now: now) }
      try db.execute(
        sql: "UPDATE uploads SET status = ?, error = ? WHERE id = ?", arguments: [status.rawValue, text, other.id])
    }
    return others.map(\.id)
  }
}
