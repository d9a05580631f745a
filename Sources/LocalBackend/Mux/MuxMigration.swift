import GRDB

/// The migration for the Mux API, which adds tables for assets, their playback IDs and webhook events.
enum MuxMigration {
  static func run(_ db: Database) throws {
    try db.execute(sql: assets)
    try db.execute(sql: webhooks)
    // The column is set for uploads that were opened through the Mux API. These uploads have no draft and don't become
    // highlights.
    try db.execute(sql: "ALTER TABLE uploads ADD COLUMN mux_request TEXT")
    try addExistingAssets(db)
  }

  /// The tables for assets. `sequence` determines the order of lists. `removed_assets` contains deleted assets whose
  /// files still have to be removed; see `AssetRemover`. The triggers delete an asset together with its highlight, even
  /// when the author's account is deleted.
  private static let assets = """
    CREATE TABLE assets (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, upload_id TEXT UNIQUE,
      status TEXT NOT NULL, settings TEXT NOT NULL, is_test BOOLEAN NOT NULL DEFAULT FALSE, facts TEXT, problem TEXT,
      created_at INTEGER NOT NULL);
    CREATE TABLE playback_ids (
      id TEXT PRIMARY KEY NOT NULL, asset_id TEXT NOT NULL REFERENCES assets (id) ON DELETE CASCADE,
      policy TEXT NOT NULL);
    CREATE INDEX index_playback_ids_on_asset_id ON playback_ids (asset_id);
    CREATE TABLE removed_assets (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT, asset_id TEXT NOT NULL, upload_id TEXT, passthrough TEXT);
    CREATE TRIGGER highlights_take_their_asset AFTER DELETE ON highlights WHEN OLD.mux_asset_id IS NOT NULL
    BEGIN DELETE FROM assets WHERE id = OLD.mux_asset_id; END;
    CREATE TRIGGER assets_leave_their_files AFTER DELETE ON assets
    BEGIN
      INSERT INTO removed_assets (asset_id, upload_id, passthrough)
      VALUES (OLD.id, OLD.upload_id, json_extract(OLD.settings, '$.passthrough'));
    END;
    """

  /// The tables for webhooks. The endpoints apply only to the current run of the server. Events are stored without
  /// their `attempts`. Times are in Unix seconds with fractions.
  private static let webhooks = """
    CREATE TABLE webhook_endpoints (url TEXT PRIMARY KEY NOT NULL);
    CREATE TABLE webhook_deliveries (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT, url TEXT NOT NULL, event TEXT NOT NULL,
      attempts TEXT NOT NULL DEFAULT '[]', attempt_count INTEGER NOT NULL DEFAULT 0, created_at DOUBLE NOT NULL,
      due_at DOUBLE NOT NULL);
    CREATE INDEX webhook_deliveries_due ON webhook_deliveries (url, due_at);
    """

  /// Adds the assets that earlier versions of bsc created or started to create.
  private static func addExistingAssets(_ db: Database) throws {
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
