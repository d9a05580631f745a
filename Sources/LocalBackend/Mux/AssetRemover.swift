import GRDB
import Logging

/// Removes the files of deleted assets, then sends the event to the webhooks.
///
/// Deleting a row also records the removal in the database, so a server that was killed resumes it at the next start.
actor AssetRemover: BackgroundService {
  private let server: ServerDependencies
  private var worker: Task<Void, Never>?

  init(_ server: ServerDependencies) { self.server = server }

  /// Removes the files once, and again whenever an asset is deleted.
  func start() async throws {
    await remove(try await server.store.removedAssets())
    let removals = ValueObservation.tracking(RemovedAsset.all).values(in: server.store.database)
    worker = Task {
      do {
        for try await assets in removals { await remove(assets) }
      } catch {
        log(error)
      }
    }
  }

  func stop() async {
    worker?.cancel()
    await worker?.value
  }

  private func remove(_ assets: [RemovedAsset]) async {
    do {
      for asset in assets {
        try await blocking { [folder = server.folder] in try folder.remove(folder.asset(asset.assetID)) }
        try await server.store.forget(asset, now: server.now)
      }
    } catch {
      // The next deletion or the next start will retry this.
      log(error)
    }
  }

  private func log(_ error: any Error) {
    if error is CancellationError { return }
    server.configuration.logger.error(
      "cannot remove the files of a deleted asset", metadata: ["error": "\(error)"])
  }
}
