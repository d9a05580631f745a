import GRDB

extension ServerModule {
  /// The module for avatars: the bucket `avatars` of Supabase's Storage.
  static let avatars = ServerModule(
    name: "avatars",
    migrations: [
      Migration(number: 18, title: "avatars") { db in
        try db.execute(
          sql: """
            CREATE TABLE avatars (
              account_id TEXT NOT NULL REFERENCES profiles (id) ON DELETE CASCADE, name TEXT NOT NULL,
              media_type TEXT NOT NULL, bytes BLOB NOT NULL, version TEXT NOT NULL, created_at TEXT NOT NULL,
              PRIMARY KEY (account_id, name))
            """)
      }
    ],
    routes: { router, server in AvatarRoutes(server: server).add(to: router) })
}

extension ServerDependencies {
  var avatars: AvatarStore { AvatarStore(database: store.database, now: configuration.now) }
}
