import GRDB

/// The tables of the Mux half: assets, their playback ids, and the events that are told by webhooks.
enum MuxMigration {
  static func run(_ db: Database) throws {
    try makeAssets(db)
    try makeWebhooks(db)
    // Of an upload that was opened through Mux's API; it has no draft and becomes no highlight.
    try db.alter(table: "uploads") { $0.add(column: "mux_request", .text) }
    try db.execute(sql: SocialMigration.draftUploads)
    try takeOver(db)
  }

  private static func makeAssets(_ db: Database) throws {
    try db.create(table: "assets") { table in
      // Lists are in this order.
      table.autoIncrementedPrimaryKey("sequence")
      table.column("id", .text).notNull().unique()
      table.column("upload_id", .text).unique()
      table.column("status", .text).notNull()
      table.column("settings", .text).notNull()
      table.column("is_test", .boolean).notNull().defaults(to: false)
      table.column("facts", .text)
      table.column("problem", .text)
      table.column("created_at", .integer).notNull()
    }
    try db.create(table: "playback_ids") { table in
      table.primaryKey("id", .text)
      table.column("asset_id", .text).notNull().indexed().references("assets", column: "id", onDelete: .cascade)
      table.column("policy", .text).notNull()
    }
    // Whose files have to go; see `AssetRemover`.
    try db.create(table: "removed_assets") { table in
      table.autoIncrementedPrimaryKey("sequence")
      table.column("asset_id", .text).notNull()
      table.column("upload_id", .text)
      table.column("passthrough", .text)
    }
    // However a highlight goes, by itself or with its author, its asset goes with it.
    try db.execute(
      sql: """
        CREATE TRIGGER highlights_take_their_asset AFTER DELETE ON highlights WHEN OLD.mux_asset_id IS NOT NULL
        BEGIN DELETE FROM assets WHERE id = OLD.mux_asset_id; END;
        CREATE TRIGGER assets_leave_their_files AFTER DELETE ON assets
        BEGIN
          INSERT INTO removed_assets (asset_id, upload_id, passthrough)
          VALUES (OLD.id, OLD.upload_id, json_extract(OLD.settings, '$.passthrough'));
        END;
        """)
  }

  private static func makeWebhooks(_ db: Database) throws {
    // Those of this start of the server.
    try db.create(table: "webhook_endpoints") { $0.primaryKey("url", .text) }
    try db.create(table: "webhook_deliveries") { table in
      table.autoIncrementedPrimaryKey("sequence")
      table.column("url", .text).notNull()
      // The envelope without `attempts`.
      table.column("event", .text).notNull()
      table.column("attempts", .text).notNull().defaults(to: "[]")
      table.column("attempt_count", .integer).notNull().defaults(to: 0)
      // Unix seconds with fractions.
      table.column("created_at", .double).notNull()
      table.column("due_at", .double).notNull()
    }
    try db.create(index: "webhook_deliveries_due", on: "webhook_deliveries", columns: ["url", "due_at"])
  }

  /// Assets from before there was this table: those of highlights, and those that were being made.
  private static func takeOver(_ db: Database) throws {
    try db.execute(
      sql: """
        UPDATE uploads SET status = 'cancelled', error = '\(ServerStore.supersededText)'
        WHERE is_superseded AND status IN ('waiting', 'asset_created');
        INSERT INTO assets (id, upload_id, status, settings, created_at)
        SELECT mux_asset_id, (SELECT id FROM uploads WHERE asset_id = mux_asset_id), 'ready',
          json_object('playback_policies', json_array('public'), 'passthrough',
            (SELECT id FROM uploads WHERE asset_id = mux_asset_id)),
          coalesce(CAST(strftime('%s', created_at) AS INTEGER), 0)
        FROM highlights WHERE mux_asset_id IS NOT NULL ORDER BY created_at;
        INSERT INTO playback_ids (id, asset_id, policy)
        SELECT mux_playback_id, mux_asset_id, 'public' FROM highlights WHERE mux_asset_id IS NOT NULL;
        INSERT INTO assets (id, upload_id, status, settings, created_at)
        SELECT asset_id, id, 'preparing',
          json_object('playback_policies', json_array('public'), 'passthrough', id),
          coalesce(CAST(strftime('%s', created_at) AS INTEGER), 0)
        FROM uploads WHERE status = 'asset_created' AND asset_id IS NOT NULL ORDER BY sequence;
        INSERT INTO playback_ids (id, asset_id, policy)
        SELECT playback_id, asset_id, 'public' FROM uploads WHERE status = 'asset_created' AND asset_id IS NOT NULL;
        """)
  }
}
