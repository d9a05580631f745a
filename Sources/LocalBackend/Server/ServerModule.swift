import GRDB
import Hummingbird

/// A module of the local backend, with its database schema, API, pages and background work.
///
/// To add a module, declare it in an extension in a new folder, and add it to `all`.
struct ServerModule: Sendable {
  let name: String
  /// The changes to the database schema. Released migrations are never edited or removed.
  var migrations: [Migration] = []
  /// The SQL functions that the module adds to SQLite's.
  var sqlFunctions: [DatabaseFunction] = []
  /// The tables that `/rest/v1` serves, with their row rules.
  var tables: [TableSchema] = []
  /// The functions that `/rest/v1/rpc` serves.
  var functions: [RPCFunction] = []
  /// The files of the web pages by name. `feed.mustache` is the template `feed`. Files of other types are served under
  /// `/static`.
  var pages: [String: [UInt8]] = [:]
  /// Adds the module's other routes to the router.
  var routes: @Sendable (_ router: Router<BackendContext>, _ server: ServerDependencies) -> Void = { _, _ in }
  /// Creates the module's background services. The server starts the services in this order and stops them in reverse
  /// order.
  var services: @Sendable (_ server: ServerDependencies) -> [any BackgroundService] = { _ in [] }
  /// Deletes expired data. The server calls this function after each start and then every hour.
  var cleanUp: @Sendable (_ server: ServerDependencies) async throws -> Void = { _ in }

  /// All modules of the server, in the order in which their services start and their cleanups run.
  static let all =
    [
      accounts, social, age, feeds, search, mentions, commentReactions, settings, notifications, moderation,
      views, accountExport, actionLimits, profileNames, avatars, mux, uploads, playback, pages, accountPages,
    ] + ofTraits

  /// The modules of the package's traits.
  #if Recruiting
  private static let ofTraits = [recruiting, recruitingPages]
  #else
  private static let ofTraits: [ServerModule] = []
  #endif
}

/// Background work that runs as long as the server is running.
protocol BackgroundService: Sendable {
  func start() async throws
  /// Ends the work that active requests are waiting for. The server closes its listener afterwards.
  func releaseRequests() async
  /// Ends all work. The server also calls this method for services that never started.
  func stop() async
}

extension BackgroundService {
  func start() async throws {}
  func releaseRequests() async {}
}
