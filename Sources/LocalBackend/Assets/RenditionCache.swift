import ClipModel
import Foundation
import Hummingbird

/// A cache for images and streams that the server creates on request and stores in the asset's folder.
///
/// If several requests for the same item arrive at the same time, the server creates the item only once. It creates
/// only a few items concurrently. An item is either complete or absent.
actor RenditionCache: BackgroundService {
  private let folder: DataFolder
  private var running: [String: Task<Void, any Error>] = [:]
  private var isStopped = false
  private var activeCount = 0
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// The maximum number of items that are created concurrently. Each decoder uses entire cores.
  private static let concurrencyLimit = 2
  private static let queueLimit = 64

  init(folder: DataFolder) { self.folder = folder }

  /// Returns the path of an item. If the item is missing, it is created.
  /// - Parameters:
  ///   - name: the item's name, such as `still-1f….jpg`. It must never contain text from a client. The part before the
  ///     hyphen is the kind of the item.
  ///   - limit: the maximum number of items of this kind. Above the limit, the oldest items are removed.
  ///   - make: creates the file or folder at a path.
  /// - Throws: `BackendFailure` for errors that a client can act on.
  func itemPath(
    _ name: String, ofAsset id: String, limit: Int? = nil,
    make: @escaping @Sendable (_ path: String) async throws -> Void
  ) async throws -> String {
    let items = folder.renditionsPath(ofAsset: id)
    let path = items + "/" + name
    if try await runBlocking({ FileManager.default.fileExists(atPath: path) }) { return path }
    if let task = running[path] {
      try await task.value
      return path
    }
    guard !isStopped, running.count < Self.queueLimit else {
      throw BackendFailure(
        .serviceUnavailable, "busy", "too many images are being rendered; try again shortly",
        headers: [.retryAfter: "1"])
    }
    let task = Task { [folder] in
      await acquireSlot()
      defer { releaseSlot() }
      try Task.checkCancellation()
      let work = items + "/work-" + name
      try await Self.prepare(work, in: items, asset: folder.assetPath(id))
      do {
        try await Self.reportClientErrors { try await make(work + "/" + name) }
        try await runBlocking { try Self.publish(work + "/" + name, as: path) }
      } catch {
        try? await runBlocking { try folder.remove(work) }
        throw error
      }
      try await runBlocking {
        try folder.remove(work)
        if let limit { try Self.removeOldestItems(in: items, like: name, limit: limit) }
      }
    }
    running[path] = task
    defer { running[path] = nil }
    try await task.value
    return path
  }

  /// Reports errors that are caused by the request or the clip with status 400.
  static func reportClientErrors<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
    do {
      return try await work()
    } catch AssetError.rejected(let reason) {
      throw BackendFailure.invalid([reason])
    } catch let error as any ExplainedError where error.explanation.category != .inputOutput {
      throw BackendFailure.invalid([error.explanation.why])
    }
  }

  func releaseRequests() async { await stop() }

  func stop() async {
    isStopped = true
    let tasks = Array(running.values)
    for task in tasks { task.cancel() }
    for task in tasks { _ = await task.result }
  }

  private func acquireSlot() async {
    if activeCount < Self.concurrencyLimit {
      activeCount += 1
    } else {
      await withCheckedContinuation { waiters.append($0) }
    }
  }

  private func releaseSlot() {
    if waiters.isEmpty { activeCount -= 1 } else { waiters.removeFirst().resume() }
  }

  /// Creates the folders for a new item. The asset's own folder is never created, because that would restore the folder
  /// of a deleted asset.
  private static func prepare(_ work: String, in items: String, asset: String) async throws {
    try await runBlocking {
      let manager = FileManager.default
      guard manager.fileExists(atPath: asset) else { throw BackendFailure.notFound("the clip") }
      let permissions: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
      if !manager.fileExists(atPath: items) {
        try? manager.createDirectory(atPath: items, withIntermediateDirectories: false, attributes: permissions)
      }
      // A killed server may have left its work folder.
      if manager.fileExists(atPath: work) { try manager.removeItem(atPath: work) }
      try manager.createDirectory(atPath: work, withIntermediateDirectories: false, attributes: permissions)
    }
  }

  private static func publish(_ made: String, as path: String) throws {
    var isFolder: ObjCBool = false
    let manager = FileManager.default
    _ = unsafe manager.fileExists(atPath: made, isDirectory: &isFolder)
    if isFolder.boolValue {
      for name in try manager.contentsOfDirectory(atPath: made) { try PartFile(path: made + "/" + name).synchronize() }
      try PartFile.synchronizeFolder(made)
    } else {
      try PartFile(path: made).synchronize()
    }
    try PartFile.move(made, to: path)
  }

  private static func removeOldestItems(in folder: String, like name: String, limit: Int) throws {
    let kind = name.prefix { $0 != "-" } + "-"
    let manager = FileManager.default
    let items = try manager.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix(kind) }.map { item in
      let attributes = try manager.attributesOfItem(atPath: folder + "/" + item)
      return (item, attributes[.modificationDate] as? Date ?? .distantPast)
    }
    let excess = items.count - limit
    guard excess > 0 else { return }
    for (item, _) in items.filter({ $0.0 != name }).sorted(by: { $0.1 < $1.1 }).prefix(excess) {
      try manager.removeItem(atPath: folder + "/" + item)
    }
  }
}
