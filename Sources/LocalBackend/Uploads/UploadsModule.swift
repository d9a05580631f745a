extension ServerModule {
  /// The module for uploads, from the highlight's draft to the asset.
  static let uploads = ServerModule(
    name: "uploads",
    migrations: [
      Migration(number: 1, title: "uploads and highlights", run: UploadMigration.createTables),
      Migration(number: 2, title: "bare objects", run: UploadMigration.addObjectName),
      Migration(number: 5, title: "posts of several clips", run: PostMigration.run),
    ],
    routes: { router, server in
      UploadRoutes(server: server).add(to: router)
      ChunkRoutes(server: server).add(to: router)
      if server.configuration.opensSessions { SessionRoutes(server: server).add(to: router) }
    },
    services: { server in [server.assets] },
    cleanUp: removeUnusedFiles)

  /// Removes the files of expired uploads, and files that a crash left.
  private static func removeUnusedFiles(_ server: ServerDependencies) async throws {
    // List the files before reading the database, so that files from new requests are kept.
    let items = try await runBlocking { server.folder.storedItems() }
    let used = try await server.store.markExpiredUploads(now: server.now)
    try await runBlocking {
      for item in items where !used.contains(item.id) { try server.folder.remove(item.path) }
    }
  }
}
