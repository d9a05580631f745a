import Hummingbird

extension ServerModule {
  /// The module for the part of Mux's REST API that direct-upload clients need, under `/video/v1`, with its webhooks.
  static let mux = ServerModule(
    name: "mux",
    migrations: [Migration(number: 4, title: "mux assets", run: MuxMigration.run)],
    routes: { router, server in
      let settings = server.configuration
      let access = MuxAccessControl(
        keys: server.keys, now: settings.now, posts: RateBucket(settings.muxPostLimit),
        others: RateBucket(settings.muxRequestLimit))
      let group = router.group("video/v1").add(middleware: access)
      MuxUploadRoutes(server: server).add(to: group)
      MuxAssetRoutes(server: server).add(to: group)
      for method in [HTTPRequest.Method.get, .post, .put, .patch, .delete] {
        group.on("**", method: method) { _, _ -> Response in throw BackendFailure.notFound("this path") }
      }
    },
    services: { server in [WebhookDispatcher(server), AssetRemover(server)] })
}
