import GRDB

/// The queries of `highlights` that the pages and the files need.
extension ServerStore {
  /// One page of what the caller may see, newest first.
  func highlights(limit: Int, offset: Int, for caller: Caller) async throws -> [HighlightRow] {
    try await database.read { db in
      try HighlightRow.fetchAll(
        db,
        sql: """
          SELECT * FROM highlights AS t WHERE \(Self.isVisible(caller))
          ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?
          """, arguments: [limit, offset])
    }
  }

  func highlight(id: String, for caller: Caller) async throws -> HighlightRow? {
    try await database.read { db in
      try HighlightRow.fetchOne(
        db, sql: "SELECT * FROM highlights AS t WHERE id = ? AND \(Self.isVisible(caller))", arguments: [id])
    }
  }

  func highlight(playbackID: String) async throws -> HighlightRow? {
    try await database.read { db in
      try HighlightRow.fetchOne(db, sql: "SELECT * FROM highlights WHERE mux_playback_id = ?", arguments: [playbackID])
    }
  }

  func highlightCount(for caller: Caller) async throws -> Int {
    try await database.read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM highlights AS t WHERE \(Self.isVisible(caller))") ?? 0
    }
  }

  private static func isVisible(_ caller: Caller) -> String {
    TableSchema.sql(RowRules.canSeeHighlight, row: "t", caller)
  }
}
