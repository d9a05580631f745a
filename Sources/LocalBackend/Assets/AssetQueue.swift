import ClipModel
import DurableFiles
import Foundation
import GRDB
import Logging

/// Makes assets of complete uploads, one after the other: inspect, draw the thumbnail, publish the highlight.
///
/// What it does is in the database only, so a server that dies half-way starts the same asset again.
actor AssetQueue: BackgroundService {
  private let store: ServerStore
  private let folder: DataFolder
  private let configuration: LocalServerConfiguration

  private var waiting: [String] = []
  private var worker: Task<Void, Never>?
  private var isStopped = false

  /// The app's moment for thumbnails, in seconds.
  static let thumbnailSeconds = 2.0

  /// Between two tries of an asset that the machine could not make.
  private static let pause = Duration.seconds(3)

  /// Why assets are not made yet, by upload.
  private var troubles: [String: String] = [:]

  func trouble(_ uploadID: String) -> String? { troubles[uploadID] }

  private enum Refused: Error {
    case reason(String)
    /// The bytes are not there.
    case lost
  }

  init(_ configuration: LocalServerConfiguration, _ folder: DataFolder, _ store: ServerStore) {
    self.store = store
    self.folder = folder
    self.configuration = configuration
  }

  /// Resumes what the last run of the server left.
  func start() async throws {
    for id in try await store.uploadsWithUnfinishedAssets() { add(id) }
  }

  func add(_ uploadID: String) {
    guard !isStopped else { return }
    waiting.append(uploadID)
    if worker == nil { worker = Task { await self.work() } }
  }

  /// Ends the work under way; the next start makes what is left.
  func stop() async {
    isStopped = true
    waiting = []
    worker?.cancel()
    await worker?.value
  }

  private func work() async {
    while !waiting.isEmpty {
      let id = waiting.removeFirst()
      do {
        try await make(id)
        troubles[id] = nil
      } catch {
        // Stays `asset_created`. It is tried again after a pause, and at the next start.
        configuration.logger.error("asset not made", metadata: ["upload": "\(id)", "error": "\(error)"])
        troubles[id] = Self.reason(of: error)
        Task {
          try? await Task.sleep(for: Self.pause)
          self.add(id)
        }
      }
    }
    worker = nil
  }

  private func make(_ uploadID: String) async throws {
    guard let upload = try await store.upload(uploadID), let assetID = upload.assetID else { return }
    if upload.isSuperseded { return try await drop(upload, .cancelled, ServerStore.supersededText) }
    guard upload.status == .assetCreated else { return }
    let facts: AssetFacts
    do {
      try await blocking { [folder] in try Self.moveIntoPlace(upload, assetID, folder) }
      facts = try await inspectAndDraw(assetID)
    } catch let error where error is CancellationError || Task.isCancelled || Self.isOfTheMachine(error) {
      throw error
    } catch Refused.lost {
      return try await drop(upload, .errored, "the stored file is not complete", isLost: true)
    } catch {
      return try await drop(upload, .errored, Self.reason(of: error))
    }
    let publication: ServerStore.Publication
    do {
      publication = try await store.publish(upload, facts, now: configuration.now())
    } catch let failure as PostgRESTFailure {
      // Another try would end the same way.
      return try await drop(upload, .errored, failure.message)
    }
    switch publication {
    case .done: break
    case .superseded: try await drop(upload, .cancelled, ServerStore.supersededText)
    case .taken: try await drop(upload, .errored, "the highlight's id is taken")
    }
  }

  private func inspectAndDraw(_ assetID: String) async throws -> AssetFacts {
    let clip = folder.clip(ofAsset: assetID)
    let facts = try await configuration.assetMaker.inspect(clip)
    guard facts.hasVideo, facts.width > 0, facts.height > 0 else { throw Refused.reason("the file has no video track") }
    guard facts.durationSeconds.isFinite, facts.durationSeconds > 0 else {
      throw Refused.reason("the file has no duration")
    }
    let thumbnail = folder.thumbnail(ofAsset: assetID)
    // The extension stays, because a writer may go by it.
    let unfinished = folder.asset(assetID) + "/thumbnail.new.jpg"
    try await configuration.assetMaker.drawThumbnail(
      clip, unfinished, min(Self.thumbnailSeconds, facts.durationSeconds / 2))
    try await blocking { [folder] in
      // Of a server that was killed while it drew.
      _ = try? StagedFile.removeAbandoned(in: folder.asset(assetID))
      try PartFile.move(unfinished, to: thumbnail)
    }
    return facts
  }

  /// The files go first: an upload that is not published leaves nothing that could be served.
  private func drop(
    _ upload: UploadRow, _ status: UploadState.Status, _ reason: String, isLost: Bool = false
  ) async throws {
    try await blocking { [folder] in
      if let assetID = upload.assetID { try folder.remove(folder.asset(assetID)) }
      try folder.remove(folder.part(ofUpload: upload.id))
    }
    try await store.failAsset(
      ofUpload: upload.id, status: status, reason: reason, isLost: isLost, now: configuration.now())
  }

  /// The part becomes the clip; a clip that is already there was moved before an interruption.
  private static func moveIntoPlace(_ upload: UploadRow, _ assetID: String, _ folder: DataFolder) throws {
    let manager = FileManager.default
    let clip = folder.clip(ofAsset: assetID)
    if manager.fileExists(atPath: clip) { return }
    let part = folder.part(ofUpload: upload.id)
    let file = try PartFile(path: part)
    guard let total = upload.totalBytes, try file.byteCount() >= total else {
      throw Refused.lost
    }
    try file.truncate(to: total)
    try file.synchronize()
    try manager.createDirectory(
      atPath: folder.asset(assetID), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try PartFile.move(part, to: clip)
    try PartFile.synchronizeFolder(folder.assets)
  }

  /// A full disk is no fault of the clip: the next start makes the asset.
  private static func isOfTheMachine(_ error: any Error) -> Bool {
    if error is PartFile.Failure { return true }
    return (error as? any ExplainedError)?.explanation.category == .inputOutput
  }

  private static func reason(of error: any Error) -> String {
    switch error {
    case Refused.reason(let text): text
    case let failure as PartFile.Failure: "its disk: \(systemErrorText(failure.code))"
    case let error as any ExplainedError: error.explanation.why
    case let error as DatabaseError where error.resultCode == .SQLITE_FULL: "its disk is full"
    default: "\(error)"
    }
  }
}
