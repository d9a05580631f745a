import GRDB
import Logging

/// Removes the files of deleted assets, then sends the deletion events to the webhooks.
///
/// Each deletion is recorded in the database together with the deleted row, so the server resumes the removal after a
/// restart.
actor AssetRemover: BackgroundService {
  private let server: ServerDependencies
  private var worker: Task<Void, Never>?

  init(_ server: ServerDependencies) { self.server = server }

  /// Removes the files of assets that were deleted earlier, then of each asset that is deleted later.
  func start() async throws {
    await remove(try await server.store.removedAssets())
    let removals = ValueObservation.tracking(RemovedAsset.fetchRemovedAssets).values(in: server.store.database)
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
        try await runBlocking { [folder = server.folder] in try folder.remove(folder.assetPath(asset.assetID)) }
        try await server.store.recordRemoval(asset, now: server.now)
      }
    } catch {
      // The removal is retried after the next deletion and at the next start.
      log(error)
    }
  }

  private func log(_ error: any Error) {
    if error is CancellationError { return }
    server.configuration.logger.error(
      "cannot remove the files of a deleted asset", metadata: ["error": "\(error)"])
  }
}
