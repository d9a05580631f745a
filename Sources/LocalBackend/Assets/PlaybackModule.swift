extension ServerModule {
  /// The module for the streams and images of assets.
  static let playback = ServerModule(
    name: "playback",
    routes: { router, server in
      MediaRoutes(server: server).add(to: router)
      PlaybackRoutes(server: server).add(to: router)
      let trims = TrimRoutes(server: server)
      trims.add(to: router)
      AuthorPages(site: server.site, trims: trims).add(to: router)
    },
    services: { server in [server.renditions] })
}
