import GRDB
import Logging

/// Removes the files of deleted assets, then says so to the webhooks. However the row went: what is left to do is in the
/// database, so a server that dies before goes on at the next start.
actor AssetRemover: BackgroundService {
  private let server: ServerDependencies
  private var logger: Logger { server.configuration.logger }
  private var observation: AnyDatabaseCancellable?
  private var worker: Task<Void, Never>?
  private var isAsked = false

  init(_ server: ServerDependencies) { self.server = server }

  /// Looks once, and again whenever an asset is deleted.
  func start() {
    observation = DatabaseRegionObservation(tracking: Table("removed_assets")).start(in: server.store.database) {
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
        for removed in try await server.store.removedAssets() {
          try await blocking { [folder = server.folder] in try folder.remove(folder.asset(removed.assetID)) }
          try await server.store.forget(removed, now: server.now)
        }
      } catch {
        // The next deletion, or the next start, tries again.
        logger.error("files of a deleted asset are left", metadata: ["error": "\(error)"])
      }
    }
    worker = nil
  }
}
