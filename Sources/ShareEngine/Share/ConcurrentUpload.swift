import ClipMedia
import ClipModel
import Foundation
import Highlights
import Synchronization
import Upload

/// The upload of a clip that is still being encoded.
///
/// Before a part is sent, the journal contains its size and digest. The end of the file is sent after the journal has
/// the finished clip. If the clip's first bytes change, the backend cancels the upload.
actor ConcurrentUpload {
  private let pipeline: SharePipeline
  private let plan: ProcessingPlan
  private let progress: StreamedProgress
  private let refusals: UnknownSizeRefusals
  /// The job. Its stage becomes `.uploading` when the clip is finished.
  private(set) var job: ShareJob
  /// The request for the upload, until the response arrives.
  private var opening: Task<Void, Never>?
  /// The upload, and the file whose finished part it sends.
  private var sending: (source: GrowingFileSource, task: Task<UploadReceipt, any Error>)?
  private var latestPart: StreamedPart?
  private var hasStarted = false
  /// Whether parts are sent. Otherwise, the clip is sent when it's finished.
  private var sendsParts: Bool
  /// Whether this encode wrote the bytes that an earlier run may have sent.
  private var isVerified: Bool
  private let storing = AsyncSemaphore(1)

  init(_ pipeline: SharePipeline, job: ShareJob, plan: ProcessingPlan, progress: StreamedProgress) {
    (self.pipeline, self.job, self.plan, self.progress) = (pipeline, job, plan, progress)
    let refusals = pipeline.unknownSizeRefusals
    self.refusals = refusals
    // The plan allowed an early upload, but an interrupted job can be older than a refusal.
    sendsParts = job.streaming != .off && !refusals.isRefused()
    isVerified = job.startedUpload?.sent == nil
  }

  // MARK: Encode

  /// Handles the events of the encode until the stream ends.
  func run(_ events: AsyncStream<StreamedOutputEvent>) async {
    for await event in events {
      do {
        try await handle(event)
      } catch {
        // The clip is sent when it's finished. If the error occurs again then, it's reported.
        sendsParts = false
      }
    }
  }

  private func handle(_ event: StreamedOutputEvent) async throws {
    switch event {
    case .started:
      defer { hasStarted = true }
      guard hasStarted else { return }
      sendsParts = false
      // Before the response to the request, nothing is sent.
      if opening == nil { try await discard() }
    case .extended(let part):
      try await verify(part)
      // Smaller parts can't be sent without the end of the file.
      guard isVerified, sendsParts, part.byteCount > ChunkLayout.unit else { return }
      let predicted = part.predictedByteCount(ofSeconds: plan.durationSeconds)
      let pauses = StreamingRule.pauses(plan, predictedByteCount: predicted)
      latestPart = pauses ? nil : part
      if pauses { return }
      if job.startedUpload?.session != nil { try await send(part) } else { open() }
    }
  }

  /// Compares a part with the bytes that an earlier run may have sent.
  private func verify(_ part: StreamedPart) async throws {
    guard !isVerified, let sent = job.startedUpload?.sent, part.byteCount >= sent.byteCount else { return }
    if sent != StartedUpload.SentPart(part) { try await discard() }
    isVerified = true
  }

  /// Allows the upload to send a part.
  private func send(_ part: StreamedPart) async throws {
    job.startedUpload?.sent = StartedUpload.SentPart(part)
    try await store()
    guard sendsParts, let session = job.startedUpload?.session else { return }
    let source = try sending?.source ?? GrowingFileSource(path: part.path)
    // The upload rejects a server that has more bytes, so they are reported before it starts.
    source.extend(to: part.byteCount)
    if sending == nil { sending = (source, startSending(source, session)) }
  }

  private func startSending(_ source: GrowingFileSource, _ session: UploadSession) -> Task<UploadReceipt, any Error> {
    Task {
      do {
        return try await upload(source, to: session)
      } catch UploadError.unknownSizeRefused(_) {
        // The host may reject every chunk. Only one that accepts the finished clip requires the size.
        _ = try await source.waitForBytes(upTo: .max)
        let receipt = try await upload(source, to: session)
        refusals.record()
        return receipt
      } catch let error as UploadError {
        // The server's bytes may not be the clip's, so the finished clip needs a new upload.
        if case .protocolViolation = error {
          sendsParts = false
          try? await cancelUpload()
        }
        throw error
      }
    }
  }

  private func upload(_ source: GrowingFileSource, to session: UploadSession) async throws -> UploadReceipt {
    try await pipeline.uploadSlots.withSlot { [pipeline, job, progress] in
      try await pipeline.send(
        source, of: job, session, save: { try await self.save($0) }, waiting: { await self.saveSetback($0, $1) },
        progress: { progress.add($0) })
    }
  }

  // MARK: Request

  /// Requests the upload while the encode continues.
  private func open() {
    guard opening == nil else { return }
    opening = Task {
      do {
        try await requestUpload()
      } catch {
        // For example, there is no network. When the clip is finished, the upload is requested again.
        sendsParts = false
      }
      opening = nil
    }
  }

  private func requestUpload() async throws {
    // The journal contains the draft's level and duration before the backend does.
    if job.request.usesAccountPrivacy == true, job.accountPrivacy == nil {
      job.accountPrivacy = try await pipeline.readAccountPrivacy()
    }
    job.startedUpload = StartedUpload(durationSeconds: plan.durationSeconds)
    try await store()
    let session = try await pipeline.requestUpload(for: job, durationSeconds: plan.durationSeconds)
    job.startedUpload?.session = session
    opening = nil
    if sendsParts, let latestPart { try await send(latestPart) } else { try await store() }
  }

  private func cancelRequest() async {
    opening?.cancel()
    await opening?.value
  }

  // MARK: Journal

  private func save(_ session: UploadSession) async throws {
    if case .uploading(let clip, var stored) = job.stage {
      stored.confirmedOffset = session.confirmedOffset
      job.stage = .uploading(clip, stored)
    } else {
      job.startedUpload?.session = session
    }
    try await store()
  }

  /// Stores the reason for a pause, once the upload is all that the job waits for.
  private func saveSetback(_ session: UploadSession, _ pause: UploadProgress.Pause) async {
    guard case .uploading = job.stage else { return }
    await pipeline.storeSetback(pause, of: job)
  }

  /// Stores the job. One call at a time, so that the journal ends with the latest state.
  private func store() async throws {
    try await storing.withSlot { try await self.storeCurrentJob() }
  }

  private func storeCurrentJob() async throws { _ = try await pipeline.storeJob(job, at: job.stage) }

  // MARK: End

  /// Whether the upload or its request is running.
  var isActive: Bool { opening != nil || sending != nil }

  /// Stores the finished clip. Until `complete()` is called, its end isn't sent.
  /// - Returns: the job, whose next step is the upload.
  func finish(with clip: ProcessedClip) async throws -> ShareJob {
    // This encode didn't reach the bytes that an earlier run may have sent.
    if !isVerified { try await discard() }
    // The user may be signing in, or the backend may allow no other highlight yet.
    if opening != nil { sendsParts = false }
    job.stage = .processed(clip)
    try await storeUploadIfKnown()
    return job
  }

  /// Stores the job with the finished clip, and with its upload if the backend has created it.
  private func storeUploadIfKnown() async throws {
    if case .processed(let clip) = job.stage, var session = job.startedUpload?.session {
      session.byteCount = clip.byteCount
      job.startedUpload = nil
      job.stage = .uploading(clip, session)
    }
    try await store()
  }

  /// Sends the end of the clip.
  /// - Returns: the job. If the upload has failed, its next step is still the upload, which sends the rest or reports the
  ///   error.
  /// - Throws: `UploadError.contentMismatch`, which a later response may not show.
  func complete() async throws -> ShareJob {
    if let opening {
      await withTaskCancellationHandler {
        await opening.value
      } onCancel: {
        opening.cancel()
      }
      try Task.checkCancellation()
    }
    if case .processed = job.stage { try await storeUploadIfKnown() }
    guard let (source, task) = sending else { return job }
    let receipt: UploadReceipt
    do {
      try source.complete()
      receipt = try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    } catch {
      // As in `run`, the clip is finished, so it's sent again. If the error occurs again then, it's reported.
      await stopSending()
      if error is CancellationError { throw error }
      switch error as? UploadError {
      case .contentMismatch: throw error
      case .protocolViolation:
        // The server's bytes may not be the clip's.
        guard case .uploading(let clip, let session) = job.stage else { return job }
        try? await pipeline.backend.cancelUpload(session.uploadID)
        return try await pipeline.storeForNewUpload(job, clip)
      default: return job
      }
    }
    guard case .uploading(let clip, _) = job.stage else { return job }
    return try await pipeline.storeJob(job, at: .uploaded(clip, receipt))
  }

  /// Stops the upload. A later run continues it.
  func stop() async {
    sendsParts = false
    await cancelRequest()
    await stopSending()
  }

  /// Cancels the upload, because there will be no clip.
  func cancel() async throws {
    sendsParts = false
    await cancelRequest()
    try await discard()
  }

  private func stopSending() async {
    sending?.task.cancel()
    _ = await sending?.task.result
    sending = nil
  }

  /// Cancels the upload on the backend, because the clip's first bytes have changed.
  private func discard() async throws {
    await stopSending()
    (latestPart, isVerified) = (nil, true)
    try await cancelUpload()
  }

  /// Cancels the upload on the backend. The next attempt requests a new one.
  private func cancelUpload() async throws {
    guard let started = job.startedUpload else { return }
    job.startedUpload = nil
    job.attempt += 1
    if let session = started.session {
      try? pipeline.secrets.delete(.uploadURL(job: job.id))
      do {
        try await pipeline.backend.cancelUpload(session.uploadID)
      } catch {
        // The end was never sent. If the server has ended the upload anyway, the highlight would show a part of the clip.
        // If the backend can't be reached, the upload expires later.
        try? await pipeline.backend.deleteHighlight(job.highlightID)
      }
    }
    try await store()
  }
}

extension StartedUpload.SentPart {
  fileprivate init(_ part: StreamedPart) { self.init(byteCount: part.byteCount, sha256: part.sha256) }
}

/// The uploads of a run that started while their clips were encoded, and whose clips are finished.
final class ConcurrentUploads: Sendable {
  private let uploads = Mutex<[UUID: ConcurrentUpload]>([:])

  func add(_ upload: ConcurrentUpload, for job: UUID) { uploads.withLock { $0[job] = upload } }

  func take(_ job: UUID) -> ConcurrentUpload? { uploads.withLock { $0.removeValue(forKey: job) } }
}
