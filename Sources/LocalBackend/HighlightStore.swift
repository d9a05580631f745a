import GRDB

/// The queries of `highlights`.
extension ServerStore {
  /// One page, newest first.
  func highlights(limit: Int, offset: Int) async throws -> [HighlightRow] {
    try await database.read { db in
      try HighlightRow.fetchAll(
        db, sql: "SELECT * FROM highlights ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?",
        arguments: [limit, offset])
    }
  }

  func highlight(id: String) async throws -> HighlightRow? {
    try await database.read { db in try HighlightRow.fetchOne(db, key: id) }
  }

  func highlight(playbackID: String) async throws -> HighlightRow? {
    try await database.read { db in try HighlightRow.fetchOne(db, key: ["mux_playback_id": playbackID]) }
  }

  func highlightCount() async throws -> Int {
    try await database.read { db in try HighlightRow.fetchCount(db) }
  }

  /// Deletes the row; gives it back so that its files can go too.
  func deleteHighlight(id: String) async throws -> HighlightRow? {
    try await database.write { db in
      let row = try HighlightRow.fetchOne(db, key: id)
      try row?.delete(db)
      return row
    }
  }
}
