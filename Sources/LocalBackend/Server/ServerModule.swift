import GRDB
import Hummingbird

/// A part of the local backend: its schema, API, pages and background work.
///
/// To add a part, create a folder with an extension that declares its module, and add the module to `all`.
struct ServerModule: Sendable {
  let name: String
  /// Changes of the database schema. Released migrations are never edited or removed.
  var migrations: [Migration] = []
  /// SQL functions that the module needs in addition to those of SQLite.
  var sqlFunctions: [DatabaseFunction] = []
  /// Tables of `/rest/v1` and their row rules.
  var tables: [TableSchema] = []
  /// Functions of `/rest/v1/rpc`.
  var functions: [RPCFunction] = []
  /// Files of the web pages by name: `feed.mustache` is the template `feed`; other files are served under `/static`.
  var pages: [String: [UInt8]] = [:]
  /// Adds the module's other routes.
  var routes: @Sendable (_ router: Router<BackendContext>, _ server: ServerDependencies) -> Void = { _, _ in }
  /// Background work. Services start in this order and stop in reverse.
  var services: @Sendable (_ server: ServerDependencies) -> [any BackgroundService] = { _ in [] }
  /// Deletes expired data. Runs after each start, then every hour.
  var cleanUp: @Sendable (_ server: ServerDependencies) async throws -> Void = { _ in }

  /// The modules of the server. Services start and modules clean up in this order.
  static let all = [accounts, social, mux, uploads, playback, pages]
}

/// Background work that runs for as long as the server.
protocol BackgroundService: Sendable {
  func start() async throws
  /// Ends the work that requests are waiting for. The listener closes after this call.
  func releaseRequests() async
  /// Ends all work. Also called for a service that was never started.
  func stop() async
}

extension BackgroundService {
  func start() async throws {}
  func releaseRequests() async {}
}
