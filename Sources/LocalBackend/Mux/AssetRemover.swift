import Foundation
import GRDB
import Logging

/// Removes the files of deleted assets, then says so to the webhooks. However the row went: what is left to do is in the
/// database, so a server that dies before goes on at the next start.
actor AssetRemover {
  private let store: ServerStore
  private let folder: DataFolder
  private let now: @Sendable () -> Date
  private let logger: Logger
  private var observation: AnyDatabaseCancellable?
  private var worker: Task<Void, Never>?
  private var isAsked = false

  init(store: ServerStore, folder: DataFolder, now: @escaping @Sendable () -> Date, logger: Logger) {
    self.store = store
    self.folder = folder
    self.now = now
    self.logger = logger
  }

  /// Looks once, and again whenever an asset is deleted.
  func start() {
    observation = DatabaseRegionObservation(tracking: Table("removed_assets")).start(in: store.database) {
      [logger] error in
      logger.error("deleted assets are not watched", metadata: ["error": "\(error)"])
    } onChange: { [weak self] _ in
      Task { await self?.wake() }
    }
    wake()
  }

  func stop() async {
    observation?.cancel()
    observation = nil
    isAsked = false
    await worker?.value
  }

  private func wake() {
    isAsked = true
    if worker == nil { worker = Task { await self.work() } }
  }

  private func work() async {
    while isAsked {
      isAsked = false
      do {
        for removed in try await store.removedAssets() {
          try await blocking { [folder] in try folder.remove(folder.asset(removed.assetID)) }
          try await store.forget(removed, now: now())
        }
      } catch {
        // The next deletion, or the next start, tries again.
        logger.error("files of a deleted asset are left", metadata: ["error": "\(error)"])
      }
    }
    worker = nil
  }
}
