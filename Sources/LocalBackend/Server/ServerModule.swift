import GRDB
import Hummingbird

/// One part of the local backend as one value: its schema, its API, its pages and its background work.
///
/// A new part is a folder with an extension that declares its module, and one entry in `all`.
struct ServerModule: Sendable {
  let name: String
  /// Changes of the database schema. Released ones are never edited or removed.
  var migrations: [Migration] = []
  /// Functions that statements of the module use and SQLite doesn't have.
  var sqlFunctions: [DatabaseFunction] = []
  /// Tables of `/rest/v1`, with their row rules.
  var tables: [TableSchema] = []
  /// Functions of `/rest/v1/rpc`.
  var functions: [RPCFunction] = []
  /// Files of the web pages by name: `feed.mustache` is the template `feed`; other files are served under `/static`.
  var pages: [String: [UInt8]] = [:]
  /// Adds the module's other routes.
  var routes: @Sendable (_ router: Router<BackendContext>, _ server: ServerDependencies) -> Void = { _, _ in }
  /// Work beside the requests. Services start in this order and stop in reverse.
  var services: @Sendable (_ server: ServerDependencies) -> [any BackgroundService] = { _ in [] }
  /// Deletes expired data. Runs after each start and every hour from then on.
  var cleanUp: @Sendable (_ server: ServerDependencies) async throws -> Void = { _ in }

  /// The parts of the server. Services start, and modules clean up, in this order.
  static let all = [accounts, social, mux, uploads, playback, pages]
}

/// Work beside the requests, from the start of a server to its end.
protocol BackgroundService: Sendable {
  func start() async throws
  /// Ends work that requests wait for. The listener closes afterwards.
  func releaseRequests() async
  /// Ends all work. Also called for a service that has never started.
  func stop() async
}

extension BackgroundService {
  func start() async throws {}
  func releaseRequests() async {}
}
