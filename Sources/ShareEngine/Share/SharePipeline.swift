import ClipMedia
public import ClipModel
import DurableFiles
import Foundation
public import Highlights
import LibCurl
import Synchronization
public import Upload

/// Takes the jobs of a share through the five arrows, from where they are to where they end, and stores them after each.
///
/// Read `advance`, and you have read the program.
public struct SharePipeline: Sendable {
  /// Where each arrow's result is stored.
  public var journal: Journal
  /// Where the files of jobs are made.
  public var places: Places
  /// Where upload URLs lie while a job needs them.
  public var secrets: SecretStore
  /// Who gives upload URLs and writes highlights.
  public var backend: any HighlightBackend
  /// Who sends the bytes.
  public var uploader: DirectUpload
  /// How the user and the project want rules to be graded and bounded.
  public var rules: RuleSettings
  /// Makes an upload URL absolute: the local backend's port may have changed since it was handed out.
  public var resolveURL: @Sendable (_ reference: String) async throws -> String
  /// Told what happens, on any thread.
  public var report: @Sendable (ShareEvent) -> Void
  /// False leaves the highlight to the backend, once all of the clip is there.
  public var waitsForHighlight = true
  /// Keeps below the backend's limit; `nil` lets it count.
  public var pace: SharePace?
  /// The clips that this run has opened.
  let sources = OpenedSources()
  /// Who sends a clip: so many at a time, in the order they were made.
  public var sending = AsyncSemaphore(2)

  /// Seconds that an upload URL shall live: a slow link needs more than Mux's default of one hour.
  static let uploadLifeSeconds = 86_400
  /// Expired uploads are begun anew; more often than this in one run something else is wrong.
  static let uploadsPerRun = 3

  /// - Parameters:
  ///   - journal: where each arrow's result is stored.
  ///   - places: where the files of jobs are made; the journal's own.
  ///   - secrets: where upload URLs lie while a job needs them; `nil` for the folder of `places`.
  ///   - backend: who gives upload URLs and writes highlights.
  ///   - uploader: who sends the bytes.
  ///   - rules: how findings are graded; only stricter than usual counts.
  ///   - resolveURL: see the property; without it URLs have to be absolute.
  ///   - report: told what happens, on any thread.
  public init(
    journal: Journal, places: Places, secrets: SecretStore? = nil, backend: any HighlightBackend,
    uploader: DirectUpload, rules: RuleSettings = RuleSettings(),
    resolveURL: @escaping @Sendable (_ reference: String) async throws -> String = { $0 },
    report: @escaping @Sendable (ShareEvent) -> Void = { _ in }
  ) {
    self.journal = journal
    self.places = places
    self.secrets = secrets ?? SecretStore(places: places)
    self.backend = backend
    self.uploader = uploader
    self.rules = rules
    self.resolveURL = resolveURL
    self.report = report
  }

  /// The beginning of `makeClip`: probe and plan, so that several clips are judged before work is spent on one of them.
  func judgeClip(_ job: ShareJob) async throws -> ShareJob {
    try await noting(job.id) {
      let job = try await checked(job)
      return job.stage.part == .making
        ? try await go(on: job, within: .making, before: .process, lostUploads: 0).0 : job
    }
  }

  /// The first half of one clip: probe, plan, process.
  func makeClip(_ job: ShareJob) async throws -> ShareJob {
    try await noting(job.id) {
      let job = try await checked(job)
      return job.stage.part == .making ? try await go(on: job, within: .making, lostUploads: 0).0 : job
    }
  }

  /// The second half of one clip: upload and register, or upload only.
  func sendClip(_ job: ShareJob, registers: Bool) async throws -> ShareJob {
    try await noting(job.id) {
      var (job, lostUploads) = (job, 0)
      while let part = job.stage.part, registers || part != .registering {
        let work = { @Sendable [job, lostUploads] in
          try await go(on: job, within: part, lostUploads: lostUploads)
        }
        // Waiting for the backend keeps no link busy: as many as there are may do it.
        (job, lostUploads) = part == .sending ? try await sending.use(work) : try await work()
      }
      return job
    }
  }

  /// What stops the work goes into the journal.
  private func noting(_ job: UUID, _ work: () async throws -> ShareJob) async throws -> ShareJob {
    do {
      return try await work()
    } catch let error as any ExplainedError {
      await note(error, on: job)
      throw error
    }
  }

  /// From arrow to arrow, as long as they belong to the same part of the work.
  /// - Parameters:
  ///   - stop: an arrow that is not gone.
  ///   - lostUploads: how many uploads were lost in this run so far.
  private func go(
    on job: ShareJob, within part: ShareStage.Part, before stop: ShareStep? = nil, lostUploads: Int
  ) async throws -> (ShareJob, Int) {
    var (job, lostUploads) = (job, lostUploads)
    while job.stage.part == part, job.stage.nextArrow != stop {
      try Task.checkCancellation()
      let arrow = job.stage.nextArrow
      report(.began(job.id, arrow))
      do {
        job = try await advance(job)
      } catch let error as any ExplainedError where error.judgesClip {
        // Trying again would end the same way: the job is over, and its error is told once.
        let finding = Finding(
          rule: "clip.unusable", severity: .error, message: error.explanation.why,
          next: "copy it again from the camera, or choose another clip")
        tidy(try await store(job, at: .rejected([finding])))
        throw error
      } catch let error as UploadError {
        guard case .uploading(let clip, let session) = job.stage else { throw error }
        switch error.remedy {
        case .later, .newClip: throw error
        case .none:
          // Somebody took it back, and meant it.
          tidy(try await store(job, at: .cancelled))
          throw error
        case .newUpload, .newUploadLater:
          if let receipt = await finished(session) {
            job = try await store(job, at: .uploaded(clip, receipt))
            break
          }
          // Only the URL is lost: the same job, the same highlight, a new upload from the first byte.
          lostUploads += 1
          job = try await storeForNewUpload(job, clip)
          guard error.remedy == .newUpload, lostUploads < Self.uploadsPerRun else { throw error }
          report(.noted(job.id, "\(error.explanation.why); asking for a new upload"))
          continue
        }
      }
      report(.ended(job, arrow))
    }
    return (job, lostUploads)
  }

  /// One arrow: from the last finished value to the next.
  func advance(_ job: ShareJob) async throws -> ShareJob {
    switch job.stage {
    case .queued: try await store(job, at: .probed(try await sources.open(job).probe))
    case .probed(let probe): try await plan(job, probe)
    case .planned(let plan, let probe): try await process(job, plan, probe)
    case .processed(let clip): try await openUpload(job, clip)
    case .uploading(let clip, let session): try await upload(job, clip, session)
    case .uploaded(let clip, let receipt): try await register(job, clip, receipt)
    case .registered, .rejected, .cancelled: job
    }
  }

  // MARK: The arrows

  private func plan(_ job: ShareJob, _ probe: ClipProbe) async throws -> ShareJob {
    let outcome = try await SharePlan.make(
      path: job.source.path, probe: probe, request: job.request, settings: rules)
    noteWarnings(outcome.findings, of: job)
    guard let plan = outcome.plan else { return try await store(job, at: .rejected(outcome.findings)) }
    var job = job
    job.rally = outcome.rally
    return try await store(job, at: .planned(plan, probe))
  }

  private func noteWarnings(_ findings: [Finding], of job: ShareJob) {
    for finding in findings where finding.severity != .error { report(.noted(job.id, finding.message)) }
  }

  private func process(_ job: ShareJob, _ plan: ProcessingPlan, _ probe: ClipProbe?) async throws -> ShareJob {
    let folder = places.jobFolder(job.id)
    try Folder.create(places.jobsFolder)
    try Folder.create(folder)
    try StagedFile.removeAbandoned(in: folder)
    try requireRoom(for: plan, of: job.source, in: folder)
    let source = try await sources.open(job, known: probe)
    defer { sources.close(job) }
    var options = ClipProcessor.Options()
    options.policy = .replace
    options.pictures = plan.pictures.map { PictureRequest($0, base: job.request.pictureBase ?? "\(folder)/clip") }
    let clip: ProcessedClip
    do {
      clip = try await ClipProcessor.process(
        source, plan: plan, to: "\(folder)/clip.mp4", options: options,
        judge: { decoding in
          let findings = SharePlan.verdict(on: decoding, request: job.request, settings: rules)
          if findings.contains(where: { $0.severity == .error }) {
            throw ClipMediaError.refused(name: job.source.name, findings)
          }
          noteWarnings(findings, of: job)
        },
        progress: { fraction in
          let length = plan.durationSeconds
          report(
            .progressed(job.id, .process, fraction: fraction, detail: .clip(seconds: fraction * length, of: length)))
        })
    } catch ClipMediaError.refused(_, let findings) {
      noteWarnings(findings, of: job)
      return try await store(job, at: .rejected(findings))
    } catch ClipMediaError.damaged(_, let seconds, let why) where !job.request.settings.salvages {
      let damage = try await DecodingCheck.damage(at: seconds, why: why, in: source.path)
      let findings = SharePlan.verdict(on: damage, request: job.request, settings: rules)
      return try await store(job, at: .rejected(findings))
    }
    do {
      try source.requireUnchanged()
    } catch is ClipMediaError {
      throw ShareEngineError(.sourceChanging, ["file": job.source.name])
    }
    for note in clip.notes { report(.noted(job.id, note)) }
    return try await store(job, at: .processed(clip))
  }

  /// Hands the draft to the backend; the URL goes to the secrets before the job says that it is uploading.
  private func openUpload(_ job: ShareJob, _ clip: ProcessedClip) async throws -> ShareJob {
    // The key stays until an upload is lost, so that an answer that never arrived is given again.
    let ticket: UploadTicket
    do {
      ticket = try await paced(job) { [draft = draft(job, clip)] in
        try await backend.createUpload(
          draft, idempotencyKey: job.idempotencyKey, timeoutSeconds: Self.uploadLifeSeconds)
      }
    } catch HighlightsError.alreadyRegistered {
      // An earlier run finished the upload without hearing of it. The backend says so only of our own.
      guard let highlight = try await backend.highlight(job.highlightID) else { throw HighlightsError.highlightTaken }
      return try await store(job, at: .registered(highlight, clip))
    } catch HighlightsError.alreadyUploaded(let uploadID) {
      return try await store(job, at: .uploaded(clip, Self.receipt(uploadID, clip.byteCount)))
    }
    try secrets.write(Secret(ticket.url), as: .uploadURL(job: job.id))
    let session = UploadSession(
      uploadID: ticket.id, byteCount: clip.byteCount, confirmedOffset: 0, expiresAt: ticket.expiresAt)
    return try await store(job, at: .uploading(clip, session))
  }

  /// Waits for the backend's limit. The clips of a post count as one, which waits before the first of them is sent
  /// (`send`): each alone would wait for the others.
  func paced<Value: Sendable>(
    _ job: ShareJob, isPost: Bool = false, _ open: @Sendable @escaping () async throws -> Value
  ) async throws -> Value {
    guard let pace, isPost || job.post == nil, job.attempt == 0 else { return try await open() }
    return try await pace.use(
      waiting: { allowance, moment in
        let time = timeOfDay(moment)
        report(
          .noted(
            job.id,
            "the backend takes \(allowance.maxCount) highlights in \(allowance.windowSeconds) s: goes on at \(time)"
          ))
        report(.progressed(job.id, .upload, fraction: nil, detail: .text("waiting until \(time)")))
      }, open)
  }

  private func upload(_ job: ShareJob, _ clip: ProcessedClip, _ session: UploadSession) async throws -> ShareJob {
    guard let reference = try secrets.read(.uploadURL(job: job.id)) else {
      throw UploadError.urlExpired(status: 404)
    }
    let source = try FileSource(path: clip.path)
    let receipt = try await uploader.upload(
      source, session: session, start: .resumed, resolveURL: { try await resolveURL(reference.revealed) },
      save: { session in _ = try await store(job, at: .uploading(clip, session)) },
      waiting: { session, pause in
        let now = Self.now()
        let setback = Setback(reason: pause.reason, at: now, retryAt: now + pause.duration.components.seconds + 1)
        // Only told: an upload that cannot say why it waits goes on all the same.
        _ = try? await store(job, at: .uploading(clip, session), setback: setback)
      },
      progress: { progress in
        if let note = progress.note { report(.noted(job.id, note)) }
        report(.upload(job.id, progress))
      })
    return try await store(job, at: .uploaded(clip, receipt))
  }

  private func register(_ job: ShareJob, _ clip: ProcessedClip, _ receipt: UploadReceipt) async throws -> ShareJob {
    let told = Mutex<Set<String>>([])
    let warnings = Mutex<[String]>([])
    do {
      let highlight = try await HighlightRegistry(backend: backend).register(
        uploadID: receipt.uploadID, highlightID: job.highlightID
      ) { state in
        if let error = state.error, state.status == .assetCreated, told.withLock({ $0.insert(error).inserted }) {
          report(.noted(job.id, "the backend has the clip and tries again: \(error)"))
        }
        let reasons = state.nonStandardInputReasons ?? [:]
        if let warning = NonStandardInput.warning(reasons, settings: job.request.settings),
          told.withLock({ $0.insert(warning).inserted })
        {
          report(.warned(job.id, warning))
          // Of several the last has all reasons.
          warnings.withLock { $0 = [warning] }
        }
        report(.progressed(job.id, .register, fraction: nil, detail: state.status.awaited.map(ProgressDetail.text)))
      }
      var clip = clip
      clip.notes += warnings.withLock { $0 }
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
      highlightID: job.highlightID, part: job.post?.part ?? 0, partCount: job.post?.count ?? 1, caption: caption,
      tags: caption.map(CaptionTags.tags(in:)) ?? [],
      privacy: job.request.privacy, hideLikes: job.request.hideLikes, localVideoID: job.rally?.videoID,
      localRallyIndex: job.rally?.index,
      duration: clip.probe.shownSeconds ?? 0,
      confidence: job.rally?.confidence, quality: job.rally?.quality, detectionCount: job.rally?.detectionCount)
  }

  /// Proof that the server has every byte after all: its last answer may have been lost, or meant something else.
  private func finished(_ session: UploadSession) async -> UploadReceipt? {
    guard let state = try? await backend.uploadState(session.uploadID) else { return nil }
    switch state.status {
    case .assetCreated, .ready:
      return Self.receipt(session.uploadID, session.byteCount)
    default: return nil
    }
  }

  /// Of bytes that an earlier run has sent.
  private static func receipt(_ uploadID: String, _ byteCount: Int64) -> UploadReceipt {
    UploadReceipt(uploadID: uploadID, byteCount: byteCount, requestCount: 0, sentByteCount: 0)
  }

  /// The upload is lost: the next one has a key of its own, and the backend forgets the old one.
  private func storeForNewUpload(_ job: ShareJob, _ clip: ProcessedClip) async throws -> ShareJob {
    var job = job
    job.attempt += 1
    return try await store(job, at: .processed(clip))
  }

  func store(
    _ job: ShareJob, at stage: ShareStage, setback: Setback? = nil
  ) async throws -> ShareJob {
    var job = job
    job.stage = stage
    job.setback = setback
    job.updatedAt = Self.now()
    try await journal.save(job)
    return job
  }

  /// The reason goes into the journal, so that a list of jobs can tell it tomorrow.
  private func note(_ error: any ExplainedError, on job: UUID) async {
    // What was thrown may be the journal's own failure: then there is nowhere to write it.
    guard var stored = (try? await journal.load(job)) ?? nil, !stored.stage.isFinal else { return }
    stored.setback = Setback(reason: error.explanation.why, at: Self.now())
    try? await journal.save(stored)
  }

  private static func now() -> Int64 { Int64(Date().timeIntervalSince1970) }

  /// A finished job whose result was told needs neither its files nor its secret; nor does one that is left to the
  /// backend. What cannot be removed is told; the job is done all the same.
  public func tidy(_ job: ShareJob) {
    guard job.stage.isFinal || (!waitsForHighlight && job.stage.part == .registering) else { return }
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
