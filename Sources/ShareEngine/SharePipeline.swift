import ClipMedia
public import ClipModel
import DurableFiles
public import Foundation
public import Highlights
import LibCurl
public import Upload

/// The five arrows: takes a job from where it is to where it ends, and stores it after each one.
///
/// Read `advance`, and you have read the program.
public struct SharePipeline: Sendable {
  public var journal: Journal
  public var places: Places
  public var secrets: SecretStore
  public var backend: any HighlightBackend
  public var uploader: DirectUpload
  /// How the user and the project want rules to be graded and bounded.
  public var rules: RuleSettings
  /// Makes an upload URL absolute: the local backend's port may have changed since it was handed out.
  public var resolveURL: @Sendable (_ reference: String) async throws -> String
  public var report: @Sendable (ShareEvent) -> Void

  /// Seconds that an upload URL shall live: a slow link needs more than Mux's default of one hour.
  static let uploadLifeSeconds = 86_400
  /// Expired uploads are begun anew; more often than this in one run something else is wrong.
  static let uploadsPerRun = 3

  public init(
    journal: Journal, places: Places, secrets: SecretStore, backend: any HighlightBackend, uploader: DirectUpload,
    rules: RuleSettings = RuleSettings(), resolveURL: @escaping @Sendable (_ reference: String) async throws -> String,
    report: @escaping @Sendable (ShareEvent) -> Void
  ) {
    self.journal = journal
    self.places = places
    self.secrets = secrets
    self.backend = backend
    self.uploader = uploader
    self.rules = rules
    self.resolveURL = resolveURL
    self.report = report
  }

  /// Works on the job until it is final. The caller holds its `JobLock`, tells the result, and then calls `tidy`.
  /// - Throws: whatever stopped it; the job is stored as far as it got.
  public func run(_ job: ShareJob) async throws -> ShareJob {
    var job = try await checked(job)
    var uploads = 0
    while !job.stage.isFinal {
      try Task.checkCancellation()
      let arrow = job.stage.nextArrow
      report(.began(job.id, arrow))
      do {
        job = try await advance(job)
      } catch let error as any ExplainedError where error.judgesClip {
        // Trying again would end the same way: the job is over, and its error is told once.
        let finding = Finding(
          rule: "clip.unusable", severity: .error, message: error.explanation.why, next: error.explanation.next)
        tidy(try await store(job, at: .rejected([finding])))
        throw error
      } catch let error as UploadError {
        // Only the URL is lost: the same job, the same highlight, a new upload from the first byte.
        uploads += 1
        guard error.asksForNewUpload, case .uploading(let clip, _) = job.stage else { throw error }
        job = try await storeForNewUpload(job, clip)
        guard uploads < Self.uploadsPerRun else { throw error }
        report(.noted(job.id, "\(error.explanation.why); asking for a new upload"))
        continue
      }
      report(.ended(job, arrow))
    }
    return job
  }

  /// One arrow: from the last finished value to the next.
  func advance(_ job: ShareJob) async throws -> ShareJob {
    switch job.stage {
    case .queued: try await store(job, at: .probed(try await Prober.probe(path: job.source.path)))
    case .probed(let probe): try await plan(job, probe)
    case .planned(let plan): try await process(job, plan)
    case .processed(let clip): try await openUpload(job, clip)
    case .uploading(let clip, let session): try await upload(job, clip, session)
    case .uploaded(let clip, let receipt): try await register(job, clip, receipt)
    case .registered, .rejected, .cancelled: job
    }
  }

  // MARK: The arrows

  private func plan(_ job: ShareJob, _ probe: ClipProbe) async throws -> ShareJob {
    // Before anything is made of it: damage inside is told now, and not by those who watch.
    let isWhole = probe.mainVideo != nil && (probe.missingByteCount ?? 0) == 0
    let decoded = isWhole ? try await DecodingCheck.sample(path: job.source.path) : nil
    let outcome = try SharePlan.make(
      path: job.source.path, probe: probe, request: job.request, settings: rules, decoded: decoded)
    for finding in outcome.findings where finding.severity != .error { report(.noted(job.id, finding.message)) }
    guard let plan = outcome.plan else { return try await store(job, at: .rejected(outcome.findings)) }
    var job = job
    job.rally = outcome.rally
    return try await store(job, at: .planned(plan))
  }

  private func process(_ job: ShareJob, _ plan: ProcessingPlan) async throws -> ShareJob {
    let folder = places.jobFolder(job.id)
    try Folder.create(places.jobsFolder)
    try Folder.create(folder)
    try StagedFile.removeAbandoned(in: folder)
    try requireRoom(for: plan, of: job.source, in: folder)
    let probe = try await Prober.probe(path: job.source.path)
    let clip = try await ClipProcessor.process(
      job.source.path, probe: probe, plan: plan, destination: "\(folder)/clip.mp4",
      pictures: plan.pictures.map { PictureOrder($0, base: job.request.pictureBase ?? "\(folder)/clip") }
    ) { fraction in
      report(.progressed(job.id, .process, fraction: fraction, detail: nil))
    }
    for note in clip.notes { report(.noted(job.id, note)) }
    return try await store(job, at: .processed(clip))
  }

  /// Hands the draft to the backend; the URL goes to the secrets before the job says that it is uploading.
  private func openUpload(_ job: ShareJob, _ clip: ProcessedClip) async throws -> ShareJob {
    // An earlier run may have finished the upload without hearing of it.
    if let highlight = try await backend.highlight(job.highlightID) {
      return try await store(job, at: .registered(highlight, clip))
    }
    // The key stays until an upload is lost, so that an answer that never arrived is given again.
    let ticket = try await backend.createUpload(
      draft(job, clip), idempotencyKey: job.idempotencyKey, timeoutSeconds: Self.uploadLifeSeconds)
    try secrets.write(Secret(ticket.url), as: .uploadURL(job: job.id))
    let session = UploadSession(
      uploadID: ticket.id, byteCount: clip.byteCount, confirmedOffset: 0, expiresAt: ticket.expiresAt)
    return try await store(job, at: .uploading(clip, session))
  }

  private func upload(_ job: ShareJob, _ clip: ProcessedClip, _ session: UploadSession) async throws -> ShareJob {
    guard let reference = try secrets.read(.uploadURL(job: job.id)) else {
      throw UploadError.urlExpired(status: 404)
    }
    let source = try FileSource(path: clip.path)
    let receipt = try await uploader.upload(
      source, session: session, start: .resumed, resolveURL: { try await resolveURL(reference.revealed) },
      save: { session in _ = try await store(job, at: .uploading(clip, session)) },
      progress: { progress in report(.upload(job.id, progress)) })
    return try await store(job, at: .uploaded(clip, receipt))
  }

  private func register(_ job: ShareJob, _ clip: ProcessedClip, _ receipt: UploadReceipt) async throws -> ShareJob {
    do {
      let highlight = try await HighlightRegistry(backend: backend).register(
        uploadID: receipt.uploadID, highlightID: job.highlightID
      ) { state in
        for (key, value) in (state.nonStandardInputReasons ?? [:]).sorted(by: { $0.key < $1.key }) {
          report(.noted(job.id, "the backend had to convert the clip again: \(key) is \(value)"))
        }
      }
      return try await store(job, at: .registered(highlight, clip))
    } catch let error as HighlightsError where error.asksForNewUpload {
      _ = try await storeForNewUpload(job, clip)
      throw error
    }
  }

  // MARK: Between the arrows

  /// The draft that the backend keeps until the asset is ready.
  private func draft(_ job: ShareJob, _ clip: ProcessedClip) -> HighlightDraft {
    let caption = job.request.caption.flatMap { $0.isEmpty ? nil : $0 }
    return HighlightDraft(
      highlightID: job.highlightID, caption: caption, tags: caption.map(CaptionTags.tags(in:)) ?? [],
      privacy: job.request.privacy, hideLikes: job.request.hideLikes, localVideoID: job.rally?.videoID,
      localRallyIndex: job.rally?.index,
      duration: clip.probe.shownSeconds ?? 0,
      confidence: job.rally?.confidence, quality: job.rally?.quality, detectionCount: job.rally?.detectionCount)
  }

  /// The job as it can go on: a changed source is refused, a processed clip that is gone or changed is made again.
  private func checked(_ job: ShareJob) async throws -> ShareJob {
    guard !job.stage.isFinal else { return job }
    if job.stage.needsSource {
      guard try await FileDigest.sha256(path: job.source.path) == job.source.sha256 else {
        throw ShareEngineError(
          what: "cannot go on with \(job.source.name)", why: "the file changed since the job was made",
          next: "put the old file back, or share the new one with \"bsc share\"", category: .rejected)
      }
    }
    guard let clip = job.stage.clipToSend else { return job }
    if (try? await FileDigest.sha256(path: clip.path)) == clip.sha256 { return job }
    try Task.checkCancellation()
    report(.noted(job.id, "the processed clip is gone or changed; making it again"))
    guard try await FileDigest.sha256(path: job.source.path) == job.source.sha256 else {
      throw ShareEngineError(
        what: "cannot go on with \(job.source.name)",
        why: "its processed clip is gone, and the file itself changed since the job was made",
        next: "put the old file back, or share the new one with \"bsc share\"", category: .rejected)
    }
    var job = job
    // The bytes may come out differently, and must not be mixed with those that the old upload holds.
    if case .uploading = job.stage { job.attempt += 1 }
    return try await store(job, at: .queued)
  }

  /// The upload is lost: the next one has a key of its own, and the backend forgets the old one.
  private func storeForNewUpload(_ job: ShareJob, _ clip: ProcessedClip) async throws -> ShareJob {
    var job = job
    job.attempt += 1
    return try await store(job, at: .processed(clip))
  }

  private func store(_ job: ShareJob, at stage: ShareStage) async throws -> ShareJob {
    var job = job
    job.stage = stage
    job.updatedAt = Int64(Date().timeIntervalSince1970)
    try await journal.save(job)
    return job
  }

  /// The output is never bigger than the source by much; a full disk is told before an hour of work.
  private func requireRoom(for plan: ProcessingPlan, of source: SourceFile, in folder: String) throws {
    let free = try FreeSpace.bytes(at: folder)
    // Of a cut only the part counts; its size is an estimate.
    let cut = plan.trim == nil ? nil : plan.estimatedByteCount.map { $0 * 3 / 2 }
    let needed = min(cut ?? source.byteCount, source.byteCount) + (64 << 20)
    guard free < needed else { return }
    throw ShareEngineError(
      what: "cannot process the clip",
      why: "the disk of \(folder) is full: \(ByteCount.text(free)) are free, \(ByteCount.text(needed)) are needed",
      next: "make room, then run \"bsc resume\"", category: .inputOutput)
  }

  /// A finished job whose result was told needs neither its files nor its secret. What cannot be removed is told; the
  /// job is done all the same.
  public func tidy(_ job: ShareJob) {
    guard job.stage.isFinal else { return }
    do {
      try secrets.delete(.uploadURL(job: job.id))
      // A process that was killed while it wrote one has left it under another name.
      try secrets.removeAbandoned()
      try Folder.remove(places.jobFolder(job.id))
    } catch {
      report(.noted(job.id, "\(error)"))
    }
  }
}

extension ShareEvent {
  /// How far an upload is, as people are told.
  public static func upload(_ job: UUID, _ progress: UploadProgress) -> ShareEvent {
    let total = progress.totalByteCount ?? 0
    let done = progress.confirmedByteCount + progress.sentByteCount
    // What was sent is not there yet: 100 % is said by the receipt alone.
    let fraction = total > 0 ? min(Double(done) / Double(total), 0.99) : 0
    if let pause = progress.pause {
      return .progressed(
        job, .upload, fraction: fraction,
        detail: "\(pause.reason); trying again in \(pause.duration.components.seconds + 1) s")
    }
    return .progressed(
      job, .upload, fraction: progress.confirmedByteCount == total && total > 0 ? 1 : fraction,
      detail: "\(ByteCount.text(progress.confirmedByteCount)) of \(ByteCount.text(total)) confirmed")
  }
}

extension ExplainedError {
  /// The clip itself is the reason: whoever tries again gets the same answer. A missing encoder or a full disk is none.
  var judgesClip: Bool {
    if let error = self as? ClipMediaError { return error.isFinal }
    if case .clipRejected = self as? HighlightsError { return true }
    return false
  }
}

extension ShareStage {
  /// The arrow that leads on from here.
  public var nextArrow: ShareArrow {
    switch self {
    case .queued: .probe
    case .probed: .plan
    case .planned: .process
    case .processed, .uploading: .upload
    case .uploaded, .registered, .rejected, .cancelled: .register
    }
  }

  /// The source's bytes will be read again.
  var needsSource: Bool {
    switch self {
    case .queued, .probed, .planned: true
    case .processed, .uploading, .uploaded, .registered, .rejected, .cancelled: false
    }
  }

  /// The processed clip whose bytes will be read again.
  var clipToSend: ProcessedClip? {
    switch self {
    case .processed(let clip), .uploading(let clip, _): clip
    case .queued, .probed, .planned, .uploaded, .registered, .rejected, .cancelled: nil
    }
  }
}

extension UploadError {
  /// A new upload from the backend helps.
  var asksForNewUpload: Bool {
    switch self {
    case .urlExpired, .cancelledRemotely, .refused, .protocolViolation: true
    case .outOfReach, .sourceChanged, .sourceUnreadable: false
    }
  }
}

extension HighlightsError {
  /// The upload is lost, the clip is fine: `bsc resume` begins a new one.
  var asksForNewUpload: Bool {
    switch self {
    case .uploadCancelled, .uploadTimedOut: true
    // The backend knows nothing of the upload: its data was lost.
    case .refused(_, let status, _): status == 404
    default: false
    }
  }
}
