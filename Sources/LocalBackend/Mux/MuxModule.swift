import Hummingbird

extension ServerModule {
  /// Mux's REST API under `/video/v1`, as far as a client of direct uploads needs it, and its webhooks.
  static let mux = ServerModule(
    name: "mux",
    migrations: [Migration(4, "mux assets", run: MuxMigration.run)],
    routes: { router, server in
      let group = router.group("video/v1")
        .add(middleware: MuxAccessControl(keys: server.keys, configuration: server.configuration))
      MuxUploadRoutes(server: server).add(to: group)
      MuxAssetRoutes(server: server).add(to: group)
      for method in [HTTPRequest.Method.get, .post, .put, .patch, .delete] {
        group.on("**", method: method) { _, _ -> Response in throw BackendFailure.notFound("this path") }
      }
    },
    services: { server in [WebhookDispatcher(server), AssetRemover(server)] })
}
