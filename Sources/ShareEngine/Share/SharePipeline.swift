public import ClipModel
import DurableFiles
import Foundation
public import Highlights
public import Upload

/// Runs the five steps of a share's jobs and stores the result of each step in the journal.
///
/// `performNextStep(of:)` defines the whole sequence by mapping each stage to the step that follows.
public struct SharePipeline: Sendable {
  /// Stores the result of each step.
  public var journal: Journal
  /// The folders for the files and locks of jobs.
  public var places: Places
  /// Creates uploads and highlights.
  public var backend: any HighlightBackend
  /// Sends clips to their upload URLs.
  public var uploader: DirectUpload
  /// The severities and limits of the rules.
  public var rules: RuleSettings
  /// Returns the absolute form of an upload URL. The local backend's port can change between runs.
  public var resolveURL: @Sendable (_ reference: String) async throws -> String
  /// Receives events on any thread.
  public var report: @Sendable (ShareEvent) -> Void
  /// If false, a job ends when the backend has the whole clip, before the highlight exists.
  public var waitsForHighlight = true
  /// Keeps uploads below the backend's rate limit; `nil` ignores the limit.
  public var rateLimiter: ShareRateLimiter?
  /// Limits the number of simultaneous uploads. Clips are uploaded in the order in which they were processed.
  let uploadSlots: AsyncSemaphore
  let sources = OpenedSources()

  /// The maximum number of lost uploads that one run replaces.
  private static let uploadLimit = 3

  /// - Parameters:
  ///   - journal: stores the result of each step.
  ///   - places: the folders for the files and locks of jobs; the same as the journal's.
  ///   - backend: creates uploads and highlights.
  ///   - uploader: sends clips to their upload URLs.
  ///   - rules: the severities and limits of the rules; only stricter values than the defaults have an effect.
  ///   - simultaneousUploads: the maximum number of uploads at the same time.
  ///   - resolveURL: returns the absolute form of an upload URL; the default expects absolute URLs.
  ///   - report: receives events on any thread.
  public init(
    journal: Journal, places: Places, backend: any HighlightBackend, uploader: DirectUpload,
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

  /// Stores the upload URLs of unfinished jobs.
  var secrets: SecretStore { SecretStore(places: places) }

  private func performNextStep(of job: ShareJob) async throws -> ShareJob {
    switch job.stage {
    case .queued: try await probe(job)
    case .probed(let probe): try await plan(job, probe)
    case .planned(let plan, let probe): try await process(job, plan, probe)
    case .processed(let clip): try await openUpload(job, clip)
    case .uploading(let clip, let session): try await upload(job, clip, session)
    case .uploaded(let clip, let receipt): try await register(job, clip, receipt)
    case .registered, .rejected, .cancelled: job
    }
  }

  // MARK: Steps of one clip

  static let preparationSteps: Set<ShareStep> = [.probe, .plan, .process]

  /// Performs the steps that use this machine's CPU cores.
  func prepareClip(_ job: ShareJob, steps: Set<ShareStep>) async throws -> ShareJob {
    try await recordFailure(of: job) { try await perform(steps, for: try await requireFiles(of: job)) }
  }

  /// Uploads a processed clip as soon as an upload slot is free.
  func uploadClip(_ job: ShareJob) async throws -> ShareJob {
    guard job.stage.nextStep == .upload else { return job }
    return try await recordFailure(of: job) {
      try await uploadSlots.use { try await perform([.upload], for: job) }
    }
  }

  /// Waits for the highlight of an uploaded clip.
  func registerClip(_ job: ShareJob) async throws -> ShareJob {
    try await recordFailure(of: job) { try await perform([.register], for: job) }
  }

  /// Performs one step after another, as long as they are in `steps`.
  private func perform(_ steps: Set<ShareStep>, for job: ShareJob) async throws -> ShareJob {
    var job = job
    let lastAttempt = job.attempt + Self.uploadLimit - 1
    while !job.stage.isFinal, steps.contains(job.stage.nextStep) {
      try Task.checkCancellation()
      let step = job.stage.nextStep
      report(.began(job.id, step))
      do {
        job = try await performNextStep(of: job)
      } catch let error as any ExplainedError where error.isCausedByClip {
        try await reject(job, because: error)
        throw error
      } catch let error as UploadError {
        job = try await recover(job, from: error, allowsNewUpload: job.attempt < lastAttempt)
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
      // Errors are ignored, because the journal itself may have failed.
      if var stored = (try? await journal.load(job.id)) ?? nil, !stored.stage.isFinal {
        stored.setback = JobFailure(reason: error.explanation.why, at: Self.now())
        try? await journal.save(stored)
      }
      throw error
    }
  }

  /// Ends a job whose clip is unusable, because another run would fail the same way.
  private func reject(_ job: ShareJob, because error: any ExplainedError) async throws {
    let finding = Finding(
      rule: "clip.unusable", severity: .error, message: error.explanation.why,
      next: "copy it again from the camera, or choose another clip")
    removeFiles(of: try await store(job, at: .rejected([finding])))
  }

  /// Updates the job according to the failure of its upload.
  /// - Returns: the job if this run can continue with it.
  private func recover(
    _ job: ShareJob, from error: UploadError, allowsNewUpload: Bool
  ) async throws -> ShareJob {
    guard case .uploading(let clip, let session) = job.stage else { throw error }
    switch error {
    case .unreachable, .serverDiskFull, .sourceChanged, .sourceUnreadable:
      // The next run will continue the same upload.
      throw error
    case .cancelledRemotely:
      removeFiles(of: try await store(job, at: .cancelled))
      throw error
    case .urlExpired, .refused, .protocolViolation:
      if let receipt = await receipt(forCompleted: session) {
        return try await store(job, at: .uploaded(clip, receipt))
      }
      let job = try await storeForNewUpload(job, clip)
      // In this run, the server would reject another upload for the same reason.
      guard case .urlExpired = error, allowsNewUpload else { throw error }
      report(.note(job.id, "\(error.explanation.why); requesting a new upload"))
      return job
    }
  }

  /// The receipt for an upload that the backend reports as complete even though its last response was lost or reported
  /// an error.
  private func receipt(forCompleted session: UploadSession) async -> UploadReceipt? {
    guard let state = try? await backend.uploadState(session.uploadID),
      state.status == .assetCreated || state.status == .ready
    else { return nil }
    return Self.receipt(session.uploadID, session.byteCount)
  }

  /// The receipt for bytes that an earlier run sent.
  static func receipt(_ uploadID: String, _ byteCount: Int64) -> UploadReceipt {
    UploadReceipt(uploadID: uploadID, byteCount: byteCount, requestCount: 0, sentByteCount: 0)
  }

  // MARK: Stored jobs

  /// Stores a job whose upload was lost. The new upload gets a new idempotency key and starts at the first byte.
  func storeForNewUpload(_ job: ShareJob, _ clip: ProcessedClip) async throws -> ShareJob {
    var job = job
    job.attempt += 1
    return try await store(job, at: .processed(clip))
  }

  func store(_ job: ShareJob, at stage: ShareStage, setback: JobFailure? = nil) async throws -> ShareJob {
    var job = job
    job.stage = stage
    job.setback = setback
    job.updatedAt = Self.now()
    try await journal.save(job)
    return job
  }

  static func now() -> Int64 { Int64(Date().timeIntervalSince1970) }

  /// Removes the files and the upload URL of a job that has ended or is left to the backend. Call it after the result
  /// was reported. Files that cannot be removed are reported in a note.
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
