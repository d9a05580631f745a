extension ServerModule {
  /// The module for the streams and images of assets.
  static let playback = ServerModule(
    name: "playback",
    routes: { router, server in
      MediaRoutes(server: server).add(to: router)
      PlaybackRoutes(server: server).add(to: router)
      TrimRoutes(server: server).add(to: router)
    },
    services: { server in [server.renditions] })
}
