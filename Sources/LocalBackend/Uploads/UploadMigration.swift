import GRDB

/// The tables of uploads and highlights, as the first versions had them.
enum UploadMigration {
  static func makeTables(_ db: Database) throws {
    try db.create(table: "uploads") { table in
      // Attempts of one highlight are told apart by their order.
      table.autoIncrementedPrimaryKey("sequence")
      table.column("id", .text).notNull().unique()
      table.column("token", .text).notNull()
      table.column("idempotency_key", .text).notNull().indexed()
      table.column("highlight_id", .text).notNull().indexed()
      table.column("draft", .text).notNull()
      table.column("status", .text).notNull().indexed()
      table.column("is_superseded", .boolean).notNull().defaults(to: false)
      table.column("stored_bytes", .integer).notNull().defaults(to: 0)
      table.column("total_bytes", .integer)
      table.column("expires_at", .integer).notNull()
      table.column("created_at", .text).notNull()
      table.column("asset_id", .text)
      table.column("playback_id", .text)
      table.column("error", .text)
    }
    try db.create(table: "highlights") { table in
      table.primaryKey("id", .text)
      table.column("author_id", .text).notNull()
      table.column("mux_playback_id", .text).notNull().unique()
      table.column("mux_asset_id", .text)
      table.column("thumbnail_url", .text)
      table.column("caption", .text)
      table.column("tags", .text).notNull().defaults(to: "[]")
      table.column("duration", .double)
      table.column("confidence", .double)
      table.column("quality", .double)
      table.column("detection_count", .integer)
      table.column("likes_count", .integer).notNull().defaults(to: 0)
      table.column("comments_count", .integer).notNull().defaults(to: 0)
      table.column("privacy_level", .text).notNull()
      table.column("hide_likes", .boolean).notNull().defaults(to: false)
      table.column("local_video_id", .text)
      table.column("local_rally_index", .integer)
      table.column("rally_metadata", .text).notNull()
      table.column("created_at", .text).notNull()
    }
    try db.create(index: "highlights_newest", on: "highlights", columns: ["created_at", "id"])
  }

  static func addObjectName(_ db: Database) throws {
    try db.alter(table: "uploads") { $0.add(column: "object_name", .text) }
  }
}
