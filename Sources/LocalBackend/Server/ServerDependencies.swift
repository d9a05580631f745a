import Foundation

/// The components of a server that its modules share.
struct ServerDependencies: Sendable {
  let configuration: LocalServerConfiguration
  let folder: DataFolder
  let store: ServerStore
  let rows: RowStore
  let callers: CallerIdentity
  let auth: AuthRoutes
  let assets: AssetQueue
  let renditions: RenditionCache
  let pictures: AssetPictures
  let playback: PlaybackTokens
  let site: PageSite
  /// The token in `server.json`. Clients that can read the file act as the owner.
  let ownerToken: String

  var keys: ServerKeys { callers.keys }
  var now: Date { configuration.now() }

  init(_ configuration: LocalServerConfiguration, _ folder: DataFolder, _ store: ServerStore) async throws {
    let now = configuration.now
    let keys = try await ServerKeys.open(folder.keys)
    let tokens = await AccessTokens(secret: keys.jwtSecret)
    self.configuration = configuration
    self.folder = folder
    self.store = store
    rows = RowStore(
      store: store, tables: configuration.modules.flatMap(\.tables), statementTimeout: configuration.statementTimeout,
      now: now)
    callers = CallerIdentity(keys: keys, tokens: tokens, store: store, now: now)
    auth = AuthRoutes(store: store, keys: keys, tokens: tokens, rounds: configuration.passwordRounds, now: now)
    renditions = RenditionCache(folder: folder)
    pictures = AssetPictures(folder: folder, maker: configuration.assetMaker, renditions: renditions)
    assets = AssetQueue(configuration, folder, store, pictures)
    playback = await PlaybackTokens(secret: keys.jwtSecret)
    site = PageSite(
      rows: rows, callers: callers, sessions: PageSessions(store: store, secret: keys.jwtSecret, now: now),
      library: PageLibrary(configuration.modules.map(\.pages)), hasReports: !configuration.reports.isEmpty,
      hasUploads: configuration.uploads != nil,
      publicURL: configuration.publicURL)
    ownerToken = try await tokens.sign(role: "authenticated", user: Caller.localUserID)
  }
}
