public import Foundation
import GRDB
import Logging

/// A running local backend. It listens until `stop()`.
public final class RunningServer: Sendable {
  /// The server's address and its owner's token.
  public let address: ServerAddress
  /// `http://127.0.0.1:PORT`.
  public var baseURL: URL { address.baseURL }
  /// The port it listens on; never 0.
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
        // A separate task isn't canceled, so a server that is stopped right after its start still cleans up.
        await Task { await Self.cleanUp(server) }.value
        try? await Task.sleep(for: Self.cleanUpInterval)
      } while !Task.isCancelled
    }
    ending = Task {
      _ = await listener.task.result
      for service in services.reversed() { await service.stop() }
      cleaning.cancel()
      await cleaning.value
      try? await blocking {
        try? server.folder.remove(server.folder.serverInfo)
        try server.store.database.close()
      }
      // This must come last, because the next process that locks the folder must not find any work in progress.
      lock.release()
    }
  }

  /// Stops the server. The received bytes of running uploads are kept; unfinished assets are created at the next start.
  public func stop() async {
    for service in services { await service.releaseRequests() }
    await listener.stop()
    await ending.value
  }

  /// Returns once the server has stopped.
  public func waitUntilStopped() async { await ending.value }

  /// Accounts can expire at any time of day.
  private static let cleanUpInterval = Duration.seconds(3600)

  private static func cleanUp(_ server: ServerDependencies) async {
    for module in server.configuration.modules {
      do {
        try await module.cleanUp(server)
      } catch {
        // The next run will retry this.
        server.configuration.logger.warning(
          "cannot remove expired data", metadata: ["module": "\(module.name)", "error": "\(error)"])
      }
    }
  }
}
