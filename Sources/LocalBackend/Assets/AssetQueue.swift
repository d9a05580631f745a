import ClipModel
import Foundation
import GRDB
import Logging

/// Creates assets for complete uploads, one at a time. For each asset, the queue inspects the clip and publishes the
/// highlight. The thumbnail is rendered afterwards, because publishing doesn't need it.
///
/// The queue's state exists only in the database. After a restart, the server therefore resumes with the same asset.
actor AssetQueue: BackgroundService {
  private let store: ServerStore
  private let folder: DataFolder
  private let configuration: LocalServerConfiguration
  private let pictures: AssetPictures

  private var waiting: [String] = []
  private var worker: Task<Void, Never>?
  private var isStopped = false
  private var delayReasons: [String: String] = [:]

  /// The delay before the queue retries an asset after a failure of the machine, such as a full disk.
  private static let retryPause = Duration.seconds(3)

  init(
    _ configuration: LocalServerConfiguration, _ folder: DataFolder, _ store: ServerStore, _ pictures: AssetPictures
  ) {
    self.store = store
    self.folder = folder
    self.configuration = configuration
    self.pictures = pictures
  }

  /// Returns the reason why an upload's asset hasn't been created yet.
  func delayReason(ofUpload id: String) -> String? { delayReasons[id] }

  /// Resumes work on the assets that the server's last run left unfinished.
  func start() async throws {
    for id in try await store.uploadsWithUnfinishedAssets() { add(id) }
  }

  func add(_ uploadID: String) {
    guard !isStopped else { return }
    waiting.append(uploadID)
    if worker == nil { worker = Task { await self.processQueue() } }
  }

  /// Cancels the current work. After the next start, the queue creates the remaining assets.
  func stop() async {
    isStopped = true
    waiting = []
    worker?.cancel()
    await worker?.value
  }

  private func processQueue() async {
    while !waiting.isEmpty {
      let id = waiting.removeFirst()
      do {
        try await make(id)
        delayReasons[id] = nil
      } catch {
        // The upload keeps its status `asset_created`. The queue retries it after a delay and at the next start.
        configuration.logger.error("cannot create an asset", metadata: ["upload": "\(id)", "error": "\(error)"])
        delayReasons[id] = Self.reason(of: error)
        Task {
          try? await Task.sleep(for: Self.retryPause)
          self.add(id)
        }
      }
    }
    worker = nil
  }

  private func make(_ uploadID: String) async throws {
    guard let upload = try await store.upload(uploadID), let assetID = upload.assetID else { return }
    if upload.isSuperseded { return try await discardUpload(upload, .cancelled, ServerStore.supersededText) }
    guard upload.status == .assetCreated else { return }
    do {
      try await runBlocking { [folder] in try Self.moveIntoPlace(upload, assetID, folder) }
      let facts = try await inspect(assetID, of: upload)
      if try await store.publish(upload, facts, now: configuration.now()) {
        pictures.renderThumbnail(ofAsset: assetID, facts)
      } else {
        try await discardUpload(upload, .cancelled, ServerStore.supersededText)
      }
    } catch let error where error is CancellationError || Task.isCancelled || Self.isCausedByMachine(error) {
      throw error
    } catch AssetError.notARally(let reason) {
      try await discardUpload(upload, .errored, reason, isRefused: true)
    } catch AssetError.bytesMissing {
      try await discardUpload(upload, .errored, "the stored file is incomplete", isLost: true)
    } catch {
      // A retry would fail the same way.
      try await discardUpload(upload, .errored, Self.reason(of: error))
    }
  }

  private func inspect(_ assetID: String, of upload: UploadRow) async throws -> AssetProperties {
    let facts = try await configuration.assetMaker.inspect(folder.clipPath(ofAsset: assetID))
    guard facts.hasVideo, facts.width > 0, facts.height > 0 else {
      throw AssetError.rejected("the file has no video track")
    }
    guard facts.durationSeconds.isFinite, facts.durationSeconds > 0 else {
      throw AssetError.rejected("the file has no duration")
    }
    // Uploads from the Mux API may be any video.
    if upload.muxRequest == nil, let problem = AssetRules.problem(facts) { throw AssetError.notARally(problem) }
    return facts
  }

  /// Discards an upload. Its files are removed first, so that no part of an unpublished upload can be served.
  private func discardUpload(
    _ upload: UploadRow, _ status: UploadState.Status, _ reason: String, isLost: Bool = false, isRefused: Bool = false
  ) async throws {
    try await runBlocking { [folder] in
      if let assetID = upload.assetID { try folder.remove(folder.assetPath(assetID)) }
      try folder.remove(folder.partPath(ofUpload: upload.id))
    }
    try await store.failAsset(
      ofUpload: upload.id, status: status, reason: reason, isLost: isLost, isRefused: isRefused,
      now: configuration.now())
  }

  /// Moves the part file to the clip's path. If the clip already exists, an interrupted attempt has already moved it.
  private static func moveIntoPlace(_ upload: UploadRow, _ assetID: String, _ folder: DataFolder) throws {
    let manager = FileManager.default
    let clip = folder.clipPath(ofAsset: assetID)
    if manager.fileExists(atPath: clip) { return }
    let part = folder.partPath(ofUpload: upload.id)
    let file = try PartFile(path: part)
    guard let total = upload.totalBytes, try file.byteCount() >= total else { throw AssetError.bytesMissing }
    try file.truncate(to: total)
    try file.synchronize()
    try manager.createDirectory(
      atPath: folder.assetPath(assetID), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try PartFile.move(part, to: clip)
    try PartFile.synchronizeFolder(folder.assets)
  }

  /// Whether the machine caused the failure, for example because the disk is full. If so, the queue retries the asset.
  private static func isCausedByMachine(_ error: any Error) -> Bool {
    if error is PartFile.Failure || error is DatabaseError { return true }
    return (error as? any ExplainedError)?.explanation.category == .inputOutput
  }

  private static func reason(of error: any Error) -> String {
    switch error {
    case AssetError.rejected(let reason), AssetError.notARally(let reason): reason
    case let failure as PostgRESTFailure: failure.message
    case let failure as PartFile.Failure: "the server's disk failed: \(systemErrorText(failure.code))"
    case let error as any ExplainedError: error.explanation.why
    case let error as DatabaseError where error.resultCode == .SQLITE_FULL: "the server's disk is full"
    default: "\(error)"
    }
  }
}
