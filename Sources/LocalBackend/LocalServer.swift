import DurableFiles
public import Foundation
import Hummingbird
import HummingbirdCore
import NIOCore

/// The local backend: stands in for Mux and Supabase on 127.0.0.1, with no account and no network.
public enum LocalServer {
  /// Version of the backend, told by `GET /health` and in `server.json`.
  public static let version = "1"

  /// Opens the data folder and listens.
  /// - Throws: `LocalBackendError`; `.folderInUse` when another server runs on the folder.
  public static func start(_ configuration: LocalServerConfiguration) async throws -> RunningServer {
    let folder = DataFolder(path: configuration.dataFolder)
    let (lock, store) = try await blocking {
      try folder.create()
      let lock = try ServerLock.acquire(folder.lock)
      // A file of a server that was killed would tell a wrong port as soon as the lock is held.
      try? folder.remove(folder.serverInfo)
      _ = try? StagedFile.removeAbandoned(in: folder.path)
      return (lock, try ServerStore(path: folder.database))
    }
    let assets = AssetQueue(
      store: store, folder: folder, maker: configuration.assetMaker, now: configuration.now,
      logger: configuration.logger)
    let router = try makeRouter(configuration, folder, store, assets)
    let listener = try await Listener.start(
      router: router, port: configuration.port, idleSeconds: configuration.idleTimeoutSeconds,
      logger: configuration.logger)
    do {
      guard let baseURL = baseURL(port: listener.port) else {
        throw LocalBackendError.cannotListen(reason: "port \(listener.port) makes no URL")
      }
      let info = ServerInfo(pid: ProcessInfo.processInfo.processIdentifier, port: listener.port, version: version)
      try await blocking { try info.write(to: folder.serverInfo) }
      for id in try await store.uploadsWithUnfinishedAssets() { await assets.add(id) }
      return RunningServer(
        baseURL: baseURL, listener: listener, lock: lock, store: store, folder: folder, assets: assets,
        configuration: configuration)
    } catch {
      await listener.stop()
      throw error
    }
  }

  /// Base URL of the server that runs on a data folder now; `nil` when none does.
  public static func running(in dataFolder: String) -> URL? {
    let folder = DataFolder(path: dataFolder)
    guard ServerLock.isHeld(folder.lock), let info = ServerInfo.read(folder.serverInfo) else { return nil }
    return baseURL(port: info.port)
  }

  static func baseURL(port: Int) -> URL? { URL(string: "http://127.0.0.1:\(port)") }

  private static func makeRouter(
    _ configuration: LocalServerConfiguration, _ folder: DataFolder, _ store: ServerStore, _ assets: AssetQueue
  ) throws -> Router<BackendContext> {
    let router = Router(context: BackendContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: RequestGuard())
    router.get("health") { _, _ in try Response.json(["name": "bsc local backend", "version": version]) }
    UploadRoutes(store: store, folder: folder, assets: assets, now: configuration.now).add(to: router)
    ChunkRoutes(store: store, folder: folder, turns: UploadTurns(), assets: assets, configuration: configuration)
      .add(to: router)
    if configuration.opensSessions {
      SessionRoutes(store: store, folder: folder, now: configuration.now).add(to: router)
    }
    HighlightRoutes(store: store, folder: folder).add(to: router)
    MediaRoutes(store: store, folder: folder).add(to: router)
    try PageRoutes(store: store).add(to: router)
    return router
  }
}
