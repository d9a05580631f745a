import GRDB

extension ServerModule {
  /// The module for views: players report them, and only the author sees the sums.
  static let views = ServerModule(
    name: "views",
    migrations: [
      Migration(number: 16, title: "views", run: ViewMigration.run),
      Migration(number: 32, title: "counted seconds of views", run: ViewMigration.addCountedSeconds),
    ], tables: [ViewTables.stats],
    functions: RPCFunction.views,
    cleanUp: { server in
      let now = server.now
      _ = try await server.store.database.write { db in try ViewSums.aggregate(in: db, now: now) }
    })
}

/// Creates the tables for views.
enum ViewMigration {
  static func run(_ db: Database) throws {
    // The events have no foreign keys, as in PostgreSQL. Events of deleted highlights are ignored.
    try db.execute(
      sql: """
        CREATE TABLE view_events (
          highlight_id TEXT NOT NULL, viewer TEXT NOT NULL, hour TEXT NOT NULL, watched DOUBLE NOT NULL,
          completed BOOLEAN NOT NULL, is_view_counted BOOLEAN NOT NULL DEFAULT FALSE,
          is_completion_counted BOOLEAN NOT NULL DEFAULT FALSE, PRIMARY KEY (highlight_id, viewer, hour));
        CREATE INDEX view_events_viewer ON view_events (viewer, hour);
        CREATE INDEX view_events_hour ON view_events (hour);
        CREATE INDEX view_events_new ON view_events (highlight_id)
        WHERE NOT is_view_counted OR completed AND NOT is_completion_counted;
        CREATE TABLE view_salts (day TEXT PRIMARY KEY NOT NULL, salt TEXT NOT NULL);
        CREATE TABLE highlight_stats (
          highlight_id TEXT NOT NULL REFERENCES highlights (id) ON DELETE CASCADE, day TEXT NOT NULL,
          views INTEGER NOT NULL DEFAULT 0, completions INTEGER NOT NULL DEFAULT 0,
          watched_seconds DOUBLE NOT NULL DEFAULT 0, PRIMARY KEY (highlight_id, day));
        """)
  }

  /// Adds the part of `watched` that the sums contain. How much of earlier views was counted before they continued is not
  /// known.
  static func addCountedSeconds(_ db: Database) throws {
    try db.execute(
      sql: """
        ALTER TABLE view_events ADD COLUMN counted_seconds DOUBLE NOT NULL DEFAULT 0;
        UPDATE view_events SET counted_seconds = watched WHERE is_view_counted;
        DROP INDEX view_events_new;
        CREATE INDEX view_events_new ON view_events (highlight_id)
        WHERE counted_seconds < watched OR completed AND NOT is_completion_counted;
        """)
  }
}
