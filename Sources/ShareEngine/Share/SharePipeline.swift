public import ClipModel
import DurableFiles
import Foundation
public import Highlights
public import Upload

/// Runs the five steps of a share's jobs and stores the result of each step in the journal.
///
/// `performNextStep(of:)` defines the sequence by mapping each stage to the next step.
public struct SharePipeline: Sendable {
  /// The journal that stores the result of each step.
  public var journal: Journal
  /// The folders that contain the jobs' files and locks.
  public var places: ApplicationFolders
  /// The backend that creates uploads and highlights.
  public var backend: any HighlightBackend
  /// The uploader that sends clips to their upload URLs.
  public var uploader: DirectUpload
  /// The severity and limits of each rule.
  public var rules: RuleSettings
  /// Converts an upload URL to an absolute URL. The local backend's port can change between runs.
  public var resolveURL: @Sendable (_ reference: String) async throws -> String
  /// A handler that receives events on any thread.
  public var report: @Sendable (ShareEvent) -> Void
  /// Whether jobs wait for the highlight. If false, a job ends when the backend has the complete clip.
  public var waitsForHighlight = true
  /// The limiter that keeps uploads below the backend's rate limit, or `nil` to ignore the limit.
  public var rateLimiter: ShareRateLimiter?
  /// The semaphore that limits the number of simultaneous uploads. Clips are uploaded in the order in which they were
  /// processed.
  let uploadSlots: AsyncSemaphore
  let sources = OpenedSources()
  /// Which clips are uploaded while they're encoded, unless the job has another setting.
  public var streaming = UploadStreaming.off
  /// Returns the privacy level of the account's settings, or `nil` if the backend has none.
  package var readAccountPrivacy: @Sendable () async throws -> PrivacyLevel? = { nil }
  /// The host for which rejected uploads are recorded.
  package var backendHost = ""
  let concurrentUploads = ConcurrentUploads()

  /// The maximum number of uploads that one run starts for a clip.
  private static let maximumUploadCount = 3

  /// - Parameters:
  ///   - journal: the journal that stores the result of each step.
  ///   - places: the folders that contain the jobs' files and locks. They must be the journal's folders.
  ///   - backend: the backend that creates uploads and highlights.
  ///   - uploader: the uploader that sends clips to their upload URLs.
  ///   - rules: the severity and limits of each rule. Values have an effect only if they are stricter than the
  ///     defaults.
  ///   - simultaneousUploads: the maximum number of simultaneous uploads.
  ///   - resolveURL: converts an upload URL to an absolute URL. The default expects absolute URLs.
  ///   - report: receives events on any thread.
  public init(
    journal: Journal, places: ApplicationFolders, backend: any HighlightBackend, uploader: DirectUpload,
    rules: RuleSettings = RuleSettings(), simultaneousUploads: Int = 2,
    resolveURL: @escaping @Sendable (_ reference: String) async throws -> String = { $0 },
    report: @escaping @Sendable (ShareEvent) -> Void = { _ in }
  ) {
    self.journal = journal
    self.places = places
    self.backend = backend
    self.uploader = uploader
    self.rules = rules
    uploadSlots = AsyncSemaphore(simultaneousUploads)
    self.resolveURL = resolveURL
    self.report = report
  }

  /// The store that contains the upload URLs of unfinished jobs.
  var secrets: SecretStore { SecretStore(places: places) }

  var unknownSizeRefusals: UnknownSizeRefusals { UnknownSizeRefusals(places: places, host: backendHost) }

  private func performNextStep(of job: ShareJob) async throws -> ShareJob {
    switch job.stage {
    case .queued: try await performProbe(of: job)
    case .probed(let probe): try await performPlanning(of: job, probe)
    case .planned(let plan, let probe): try await performProcessing(of: job, plan, probe)
    case .processed(let clip): try await openUpload(job, clip)
    case .uploading(let clip, let session): try await performUpload(of: job, clip, session)
    case .uploaded(let clip, let receipt): try await performRegistration(of: job, clip, receipt)
    case .registered, .rejected, .cancelled: job
    }
  }

  // MARK: Steps of one clip

  static let preparationSteps: Set<ShareStep> = [.probe, .plan, .process]

  /// Performs the CPU-intensive steps.
  func prepareClip(_ job: ShareJob, steps: Set<ShareStep>) async throws -> ShareJob {
    try await recordFailure(of: job) { try await performSteps(steps, for: try await requireJobFiles(of: job)) }
  }

  /// Uploads a processed clip as soon as an upload slot is free.
  func uploadClip(_ job: ShareJob) async throws -> ShareJob {
    guard job.stage.nextStep == .upload else { return job }
    return try await recordFailure(of: job) {
      let job = try await completeConcurrentUpload(of: job)
      guard job.stage.nextStep == .upload else { return job }
      return try await uploadSlots.withSlot { try await performSteps([.upload], for: job) }
    }
  }

  /// Sends the end of a clip whose upload started while the clip was encoded. That upload requests its own
  /// slot.
  private func completeConcurrentUpload(of job: ShareJob) async throws -> ShareJob {
    guard let upload = concurrentUploads.take(job.id) else { return job }
    report(.began(job.id, .upload))
    let job: ShareJob
    do {
      job = try await upload.complete()
    } catch let error as UploadError {
      return try await recoverJob(await upload.job, from: error, allowsNewUpload: false)
    }
    if job.stage.nextStep != .upload { report(.ended(job, .upload)) }
    return job
  }

  /// Waits for the highlight of an uploaded clip.
  func registerClip(_ job: ShareJob) async throws -> ShareJob {
    try await recordFailure(of: job) { try await performSteps([.register], for: job) }
  }

  /// Performs steps one after another while the next step is in `steps`.
  private func performSteps(_ steps: Set<ShareStep>, for job: ShareJob) async throws -> ShareJob {
    var job = job
    let lastAttempt = job.attempt + Self.maximumUploadCount - 1
    while !job.stage.isFinal, steps.contains(job.stage.nextStep) {
      try Task.checkCancellation()
      let step = job.stage.nextStep
      report(.began(job.id, step))
      do {
        job = try await performNextStep(of: job)
      } catch let error as any ExplainedError where error.isCausedByClip {
        try await rejectJob(job, because: error)
        throw error
      } catch let error as UploadError {
        job = try await recoverJob(job, from: error, allowsNewUpload: job.attempt < lastAttempt)
        if job.stage.nextStep == step { continue }
      }
      report(.ended(job, step))
    }
    return job
  }

  // MARK: Failures

  /// Records the error in the journal and rethrows it.
  private func recordFailure(of job: ShareJob, _ work: () async throws -> ShareJob) async throws -> ShareJob {
    do {
      return try await work()
    } catch let error as any ExplainedError {
      // Ignores further errors, because the journal itself may have failed.
      if var stored = (try? await journal.load(job.id)) ?? nil, !stored.stage.isFinal {
        stored.setback = JobFailure(reason: error.explanation.why, at: Self.currentTimestamp())
        try? await journal.save(stored)
      }
      throw error
    }
  }

  /// Rejects a job whose clip is unusable, because a retry would fail the same way. The finding has the error's ID.
  private func rejectJob(_ job: ShareJob, because error: any ExplainedError) async throws {
    let explanation = error.explanation
    let finding = Finding(
      rule: explanation.id, severity: .error, message: explanation.why,
      next: "copy the clip from the camera again, or choose a different clip")
    removeFiles(of: try await storeJob(job, at: .rejected([finding])))
  }

  /// Updates a job after its upload failed.
  /// - Returns: the updated job, if the current run can continue processing it.
  private func recoverJob(
    _ job: ShareJob, from error: UploadError, allowsNewUpload: Bool
  ) async throws -> ShareJob {
    guard case .uploading(let clip, let session) = job.stage else { throw error }
    switch error {
    case .unreachable, .serverDiskFull, .unknownSizeRefused, .sourceChanged, .sourceUnreadable:
      // The next run resumes the same upload.
      throw error
    case .contentMismatch:
      // The highlight would show damaged data. If these requests fail, the error still names the reason.
      try? await backend.cancelUpload(session.uploadID)
      try? await backend.deleteHighlight(job.highlightID)
      removeFiles(of: try await storeJob(job, at: .cancelled))
      throw error
    case .cancelledRemotely:
      removeFiles(of: try await storeJob(job, at: .cancelled))
      throw error
    case .urlExpired, .refused, .protocolViolation:
      if let receipt = await fetchReceipt(forCompleted: session) {
        return try await storeJob(job, at: .uploaded(clip, receipt))
      }
      let job = try await storeForNewUpload(job, clip)
      // Unless the URL has expired, the server would reject a new upload for the same reason.
      guard case .urlExpired = error, allowsNewUpload else { throw error }
      report(.note(job.id, "\(error.explanation.why); requesting a new upload"))
      return job
    }
  }

  /// Returns the receipt for an upload that the backend reports as complete, even if the last response was lost or was
  /// an error.
  private func fetchReceipt(forCompleted session: UploadSession) async -> UploadReceipt? {
    guard let state = try? await backend.uploadState(session.uploadID),
      state.status == .assetCreated || state.status == .ready
    else { return nil }
    return Self.makeReceipt(session.uploadID, session.byteCount)
  }

  /// Creates the receipt for bytes that an earlier run sent.
  static func makeReceipt(_ uploadID: String, _ byteCount: Int64) -> UploadReceipt {
    UploadReceipt(uploadID: uploadID, byteCount: byteCount, requestCount: 0, sentByteCount: 0)
  }

  // MARK: Stored jobs

  /// Stores a job whose upload was lost, so that a new upload starts at the first byte with a new idempotency key.
  func storeForNewUpload(_ job: ShareJob, _ clip: ProcessedClip) async throws -> ShareJob {
    var job = job
    job.attempt += 1
    return try await storeJob(job, at: .processed(clip))
  }

  func storeJob(_ job: ShareJob, at stage: ShareStage, setback: JobFailure? = nil) async throws -> ShareJob {
    var job = job
    job.stage = stage
    job.setback = setback
    switch stage {
    case .planned, .processed: break
    default: job.startedUpload = nil
    }
    job.updatedAt = Self.currentTimestamp()
    try await journal.save(job)
    return job
  }

  static func currentTimestamp() -> Int64 { Int64(Date().timeIntervalSince1970) }

  /// Removes the files and the upload URL of a job that has ended or that only the backend still has to finish. Call it
  /// after the result was reported. If removal fails, reports a note.
  package func removeFiles(of job: ShareJob) {
    guard job.stage.isFinal || (!waitsForHighlight && job.stage.nextStep == .register) else { return }
    do {
      try secrets.delete(.uploadURL(job: job.id))
      try secrets.removeAbandoned()
      try Folder.remove(places.jobFolder(job.id))
    } catch {
      report(.note(job.id, "\(error)"))
    }
  }
}
