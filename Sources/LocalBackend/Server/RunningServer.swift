public import Foundation
import GRDB

/// A local backend that listens. It runs until `stop()`.
public final class RunningServer: Sendable {
  /// Where it is, with its owner's token.
  public let address: ServerAddress
  /// `http://127.0.0.1:PORT`.
  public var baseURL: URL { address.baseURL }
  /// The one that it listens on; never 0.
  public let port: Int

  private let listener: Listener
  private let background: MuxBackground
  private let ending: Task<Void, Never>

  init(
    address: ServerAddress, listener: Listener, lock: ServerLock, store: ServerStore, folder: DataFolder,
    assets: AssetQueue, background: MuxBackground, configuration: LocalServerConfiguration
  ) {
    self.address = address
    self.port = listener.port
    self.listener = listener
    self.background = background
    let tidying = Task {
      repeat {
        // In a task of its own, which no cancellation reaches: what has begun ends, and a server that is stopped at once
        // has tidied too.
        try? await Task { try await Self.tidy(store, folder, configuration) }.value
        try? await Task.sleep(for: Self.tidyingInterval)
      } while !Task.isCancelled
    }
    ending = Task {
      _ = await listener.task.result
      await assets.stop()
      await background.stop()
      tidying.cancel()
      await tidying.value
      try? await blocking {
        try? folder.remove(folder.serverInfo)
        try store.database.close()
      }
      // Last of all, so that whoever takes the folder next finds it at rest.
      lock.release()
    }
  }

  /// Ends the server: bytes of a running upload are kept, an asset being made is made by the next start.
  public func stop() async {
    // Requests that wait for a picture would hold the listener up.
    await background.stopDrawing()
    await listener.stop()
    await ending.value
  }

  /// Returns once the server has stopped.
  public func waitUntilStopped() async { await ending.value }

  /// Accounts end in the middle of a day, too.
  private static let tidyingInterval = Duration.seconds(3600)

  /// Removes what crashes and expired uploads left. Beside the start and then each hour: nobody waits for it.
  private static func tidy(
    _ store: ServerStore, _ folder: DataFolder, _ configuration: LocalServerConfiguration
  ) async throws {
    try await store.deleteExpiredAccounts(now: configuration.now())
    // Listed first: what a request makes while this runs is not in the list, so it cannot be removed.
    let items = try await blocking { folder.items() }
    let wanted = try await store.sweep(now: configuration.now())
    try await blocking {
      for item in items where !wanted.contains(item.id) { try folder.remove(item.path) }
    }
  }
}
