import Foundation

/// What is made of an asset on request, and kept in its folder: pictures and streams.
///
/// Each is made once at a time, whoever asks, few at the same time altogether; it is there complete or not at all.
actor RenditionCache: BackgroundService {
  /// Too many things wait to be made.
  struct Busy: Error {}
  /// The asset is gone.
  struct Gone: Error {}

  private let folder: DataFolder
  private var running: [String: Task<Void, any Error>] = [:]
  private var isStopped = false
  private var busyCount = 0
  private var line: [CheckedContinuation<Void, Never>] = []

  /// Decoding takes whole cores.
  private static let atOnce = 2
  private static let longestLine = 64

  init(folder: DataFolder) { self.folder = folder }

  /// The path of something made of an asset.
  /// - Parameters:
  ///   - name: `still-1f….jpg`; never a client's own text. What stands before the `-` is its kind.
  ///   - limit: of its kind that are kept; the oldest go first.
  ///   - make: makes the file or folder at the path that it is given.
  func item(
    _ name: String, ofAsset id: String, limit: Int? = nil,
    make: @escaping @Sendable (_ path: String) async throws -> Void
  ) async throws -> String {
    let place = folder.made(ofAsset: id)
    let path = place + "/" + name
    if try await blocking({ FileManager.default.fileExists(atPath: path) }) { return path }
    if let task = running[path] {
      try await task.value
      return path
    }
    guard !isStopped, running.count < Self.longestLine else { throw Busy() }
    let task = Task { [folder] in
      await enter()
      defer { leave() }
      try Task.checkCancellation()
      let work = place + "/work-" + name
      try await Self.prepare(work, in: place, asset: folder.asset(id))
      do {
        try await make(work + "/" + name)
        try await blocking { try Self.publish(work + "/" + name, as: path) }
      } catch {
        try? await blocking { try folder.remove(work) }
        throw error
      }
      try await blocking {
        try folder.remove(work)
        if let limit { try Self.thin(place, like: name, to: limit) }
      }
    }
    running[path] = task
    defer { running[path] = nil }
    try await task.value
    return path
  }

  func releaseRequests() async { await stop() }

  func stop() async {
    isStopped = true
    let tasks = Array(running.values)
    for task in tasks { task.cancel() }
    for task in tasks { _ = await task.result }
  }

  private func enter() async {
    if busyCount < Self.atOnce {
      busyCount += 1
    } else {
      await withCheckedContinuation { line.append($0) }
    }
  }

  private func leave() {
    if line.isEmpty { busyCount -= 1 } else { line.removeFirst().resume() }
  }

  /// The asset's own folder is never made: it would come back after a deletion.
  private static func prepare(_ work: String, in place: String, asset: String) async throws {
    try await blocking {
      let manager = FileManager.default
      guard manager.fileExists(atPath: asset) else { throw Gone() }
      let rights: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
      if !manager.fileExists(atPath: place) {
        try? manager.createDirectory(atPath: place, withIntermediateDirectories: false, attributes: rights)
      }
      // Of a server that was killed.
      if manager.fileExists(atPath: work) { try manager.removeItem(atPath: work) }
      try manager.createDirectory(atPath: work, withIntermediateDirectories: false, attributes: rights)
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
    guard unsafe rename(made, path) == 0 else { throw PartFile.Failure(code: errno) }
  }

  private static func thin(_ place: String, like name: String, to limit: Int) throws {
    let kind = name.prefix { $0 != "-" } + "-"
    let manager = FileManager.default
    let items = try manager.contentsOfDirectory(atPath: place).filter { $0.hasPrefix(kind) }.map { item in
      let attributes = try manager.attributesOfItem(atPath: place + "/" + item)
      return (item, attributes[.modificationDate] as? Date ?? .distantPast)
    }
    let excess = items.count - limit
    guard excess > 0 else { return }
    for (item, _) in items.filter({ $0.0 != name }).sorted(by: { $0.1 < $1.1 }).prefix(excess) {
      try manager.removeItem(atPath: place + "/" + item)
    }
  }
}
