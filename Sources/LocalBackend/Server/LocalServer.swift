import DurableFiles
public import Foundation
import Hummingbird
import NIOCore

/// The local backend, which replaces Mux and Supabase on 127.0.0.1. It needs no account and no network connection.
public enum LocalServer {
  /// The backend's version, which `GET /health` and `server.json` report.
  public static let version = "1"

  /// Opens the data folder and starts the server.
  /// - Throws: `LocalBackendError`; `.folderInUse` if another server is using the folder.
  public static func start(_ configuration: LocalServerConfiguration) async throws -> RunningServer {
    let folder = DataFolder(path: configuration.dataFolder)
    for url in configuration.webhooks where WebhookAddress.url(url.absoluteString) == nil {
      throw LocalBackendError.webhookElsewhere(host: url.host() ?? "")
    }
    try await runBlocking { try folder.create() }
    let lock = try await ServerLock.acquire(folder.lock)
    let store = try await runBlocking {
      // A killed server leaves its `server.json`. This server now holds the lock, so the port in that file is outdated.
      try? folder.remove(folder.serverInfo)
      _ = try? StagedFile.removeAbandoned(in: folder.path)
      return try ServerStore(path: folder.database, modules: configuration.modules, now: configuration.now)
    }
    let server = try await ServerDependencies(configuration, folder, store)
    let services = configuration.modules.flatMap { $0.services(server) }
    let listener = try await Listener.start(
      router: makeRouter(server), host: configuration.openTo?.host ?? "127.0.0.1", port: configuration.port,
      idleSeconds: configuration.idleTimeoutSeconds, lingering: configuration.lingering,
      logger: configuration.logger)
    do {
      try await runBlocking { try SocketTable.checkReliability(port: listener.port) }
      let host = configuration.openTo?.localHost ?? "127.0.0.1"
      guard let baseURL = baseURL(host: host, port: listener.port) else {
        throw LocalBackendError.cannotListen(reason: "http://\(host):\(listener.port) is not a valid URL")
      }
      let info = ServerInfo(
        pid: ProcessInfo.processInfo.processIdentifier, host: host, port: listener.port, version: version,
        ownerToken: server.ownerToken, asksForToken: configuration.openTo != nil,
        publicURL: configuration.publicURL)
      try await runBlocking { try info.write(to: folder.serverInfo) }
      for service in services { try await service.start() }
      return RunningServer(
        address: info.address(at: baseURL), listener: listener, lock: lock, services: services, server: server)
    } catch {
      await listener.stop()
      for service in services.reversed() { await service.stop() }
      throw error
    }
  }

  /// Returns the address of the server that is using a data folder, or `nil` if no server is using it.
  public static func running(in dataFolder: String) -> ServerAddress? {
    let folder = DataFolder(path: dataFolder)
    guard ServerLock.isHeld(folder.lock), let info = ServerInfo.read(folder.serverInfo) else { return nil }
    return baseURL(host: info.host, port: info.port).map(info.address)
  }

  /// The IPv4 addresses that other machines can use to reach this machine.
  package static var networkAddresses: [String] {
    let devices = (try? System.enumerateDevices()) ?? []
    return devices.compactMap { device in
      guard case .v4? = device.address, let address = device.address?.ipAddress else { return nil }
      return address.hasPrefix("127.") || address.hasPrefix("169.254.") ? nil : address
    }
  }

  private static func baseURL(host: String, port: Int) -> URL? { URL(string: "http://\(host):\(port)") }

  private static func makeRouter(_ server: ServerDependencies) -> Router<BackendContext> {
    let configuration = server.configuration
    let router = Router(context: BackendContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: RequestGuard(isOpen: configuration.openTo != nil))
    router.add(middleware: PageErrors(site: server.site))
    if let open = configuration.openTo {
      router.add(
        middleware: AccessGate(
          token: open.token, callers: server.callers, sessions: server.site.sessions, playback: server.playback))
    } else {
      router.add(middleware: PeerProcessMiddleware())
    }
    router.add(middleware: UnknownPathMiddleware())
    router.get("health") { _, _ in try Response.json(["name": "bsc local backend", "version": version]) }
    RowRoutes(rows: server.rows, callers: server.callers).add(to: router)
    FunctionRoutes(configuration.modules.flatMap(\.functions), rows: server.rows, callers: server.callers)
      .add(to: router)
    server.site.library.add(to: router)
    for module in configuration.modules { module.routes(router, server) }
    return router
  }
}

/// A server's address, with the token that lets bsc act as the built-in local user.
public struct ServerAddress: Equatable, Sendable {
  /// The base URL, `http://127.0.0.1:<port>`.
  public var baseURL: URL
  /// The owner's token, which is a secret.
  public var ownerToken: String
  /// Whether other machines can reach the server. If so, every request needs the token that the server was started
  /// with.
  public var requiresToken = false
  /// The public URL that the server was started with.
  public var publicURL: URL?
}
