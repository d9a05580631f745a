public import Foundation
import GRDB
import Logging

/// A running local backend. The server listens until `stop()` is called.
public final class RunningServer: Sendable {
  /// The server's address, with its owner's token.
  public let address: ServerAddress
  /// The server's base URL, such as `http://127.0.0.1:7437`.
  public var baseURL: URL { address.baseURL }
  /// The port that the server listens on; never 0.
  public var port: Int { listener.port }

  private let listener: Listener
  private let services: [any BackgroundService]
  private let ending: Task<Void, Never>

  init(
    address: ServerAddress, listener: Listener, lock: ServerLock, services: [any BackgroundService],
    server: ServerDependencies
  ) {
    self.address = address
    self.listener = listener
    self.services = services
    let cleaning = Task {
      repeat {
        // This task isn't canceled, so a server that stops right after its start still cleans up.
        await Task { await Self.cleanUp(server) }.value
        try? await Task.sleep(for: Self.cleanUpInterval)
      } while !Task.isCancelled
    }
    ending = Task {
      _ = await listener.task.result
      for service in services.reversed() { await service.stop() }
      cleaning.cancel()
      await cleaning.value
      try? await runBlocking {
        try? server.folder.remove(server.folder.serverInfo)
        try server.store.database.close()
      }
      // Release the lock last: the next process that locks the folder must not find any work in progress.
      lock.release()
    }
  }

  /// Stops the server. Received bytes of active uploads are kept. Unfinished assets are created after the next start.
  public func stop() async {
    for service in services { await service.releaseRequests() }
    await listener.stop()
    await ending.value
  }

  /// Waits until the server has stopped.
  public func waitUntilStopped() async { await ending.value }

  /// The interval between cleanups. It is short, because accounts can expire at any time of day.
  private static let cleanUpInterval = Duration.seconds(3600)

  private static func cleanUp(_ server: ServerDependencies) async {
    for module in server.configuration.modules {
      do {
        try await module.cleanUp(server)
      } catch {
        // The next cleanup retries this module.
        server.configuration.logger.warning(
          "cannot remove expired data", metadata: ["module": "\(module.name)", "error": "\(error)"])
      }
    }
  }
}
