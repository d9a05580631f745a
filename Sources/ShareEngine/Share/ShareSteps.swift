import ClipMedia
import ClipModel
import DurableFiles
import Foundation
import Highlights
import Synchronization
import Upload

/// The five steps of a share. Each step starts from the last stored stage and stores the next stage.
extension SharePipeline {
  /// The lifetime of an upload URL, in seconds. Mux's default of one hour is too short for slow connections.
  private static let uploadLifetimeSeconds = 86_400

  func performProbe(of job: ShareJob) async throws -> ShareJob {
    try await storeJob(job, at: .probed(try await sources.open(job).probe))
  }

  func performPlanning(of job: ShareJob, _ probe: ClipProbe) async throws -> ShareJob {
    let upload = try await unknownSizeRefusals.uploadConditions(job.streaming ?? streaming, isPost: job.post != nil)
    let outcome = try await SharePlan.make(
      for: try await sources.open(job, knownProbe: probe), request: job.request, settings: rules, upload: upload)
    reportWarnings(outcome.findings, of: job)
    guard let plan = outcome.plan else { return try await storeJob(job, at: .rejected(outcome.findings)) }
    var job = job
    job.rally = outcome.rally
    return try await storeJob(job, at: .planned(plan, probe))
  }

  // MARK: Process

  func performProcessing(of job: ShareJob, _ plan: ProcessingPlan, _ probe: ClipProbe?) async throws -> ShareJob {
    let folder = places.jobFolder(job.id)
    try Folder.create(places.jobsFolder)
    try Folder.create(folder)
    try StagedFile.removeAbandoned(in: folder)
    try requireDiskSpace(for: plan, of: job.source, in: folder)
    let source = try await sources.open(job, knownProbe: probe)
    do {
      if plan.placesIndexAtEnd == true {
        return try await uploadDuringProcessing(of: job, plan, source, in: folder)
      }
      let clip = try await createProcessedClip(source, of: job, plan, in: folder)
      for note in clip.notes { report(.note(job.id, note.text)) }
      let processed = try await storeJob(job, at: .processed(clip))
      StoredEncode(of: clip.path).remove()
      return processed
    } catch ClipMediaError.refused(_, let findings) {
      reportWarnings(findings, of: job)
      return try await storeJob(job, at: .rejected(findings))
    } catch ClipMediaError.damaged(_, let seconds, let reason) where !job.request.settings.salvages {
      let damage = try await DecodingCheck.makeDamagedResult(at: seconds, why: reason, in: source)
      let findings = SharePlan.verdict(on: damage, request: job.request, settings: rules)
      return try await storeJob(job, at: .rejected(findings))
    }
  }

  /// Creates the clip, and uploads its finished parts at the same time.
  /// - Returns: the job with the finished clip. If an upload is running, `concurrentUploads` contains it.
  private func uploadDuringProcessing(
    of job: ShareJob, _ plan: ProcessingPlan, _ source: OpenedClip, in folder: String
  ) async throws -> ShareJob {
    let progress = StreamedProgress(job.id, durationSeconds: plan.durationSeconds, report: report)
    let upload = ConcurrentUpload(self, job: job, plan: plan, progress: progress)
    let (events, continuation) = AsyncStream.makeStream(of: StreamedOutputEvent.self)
    async let handled: Void = upload.run(events)
    do {
      let clip = try await createProcessedClip(source, of: job, plan, in: folder, streamed: progress) { event in
        progress.add(event)
        continuation.yield(event)
      }
      continuation.finish()
      await handled
      for note in clip.notes { report(.note(job.id, note.text)) }
      progress.endEncode()
      let finished = try await upload.finish(with: clip)
      StoredEncode(of: clip.path).remove()
      if await upload.isActive { concurrentUploads.add(upload, for: job.id) }
      return finished
    } catch {
      continuation.finish()
      await handled
      // After other errors, the next run continues the encode and the upload.
      if error.preventsContinuation {
        try await upload.cancel()
      } else {
        await upload.stop()
      }
      throw error
    }
  }

  private func createProcessedClip(
    _ source: OpenedClip, of job: ShareJob, _ plan: ProcessingPlan, in folder: String,
    streamed: StreamedProgress? = nil, reportStream: @escaping @Sendable (StreamedOutputEvent) -> Void = { _ in }
  ) async throws -> ProcessedClip {
    var options = ClipProcessor.Options()
    options.reportStream = reportStream
    options.policy = .replace
    // The clip is encoded again unless the journal contains it.
    options.finalDestination = places.jobClip(job.id)
    options.pictures = plan.pictures.map { PictureRequest($0, base: job.request.pictureBase ?? "\(folder)/clip") }
    options.reportContinuation = { [report] in report(.note(job.id, $0.continuationText)) }
    let clip = try await ClipProcessor.process(
      source, plan: plan, to: places.jobClip(job.id), options: options,
      evaluateDecoding: { decoding in
        let findings = SharePlan.verdict(on: decoding, request: job.request, settings: rules)
        if findings.contains(where: { $0.severity == .error }) {
          throw ClipMediaError.refused(name: job.source.name, findings)
        }
        reportWarnings(findings, of: job)
      },
      progress: { fraction in
        let detail = ProgressDetail.clip(
          seconds: fraction * plan.durationSeconds, of: plan.durationSeconds,
          uploaded: streamed?.uploadedFraction)
        report(.progressed(job.id, .process, fraction: fraction, detail: detail))
      })
    do {
      try source.requireUnchanged()
    } catch is ClipMediaError {
      throw ShareEngineError(.sourceChanging, ["file": job.source.name])
    }
    return clip
  }

  private func reportWarnings(_ findings: [Finding], of job: ShareJob) {
    for finding in findings where finding.severity != .error { report(.note(job.id, finding.message)) }
  }

  // MARK: Upload

  /// Sends the highlight draft to the backend and stores the upload URL.
  func openUpload(_ job: ShareJob, _ clip: ProcessedClip) async throws -> ShareJob {
    var job = job
    if job.request.usesAccountPrivacy == true, job.accountPrivacy == nil {
      // The journal contains the draft's level before the backend does.
      job.accountPrivacy = try await readAccountPrivacy()
      job = try await storeJob(job, at: job.stage)
    }
    do {
      // A request that was already sent is repeated with the same draft.
      let seconds = job.startedUpload?.durationSeconds ?? clip.probe.shownSeconds ?? 0
      var session = try await requestUpload(for: job, durationSeconds: seconds)
      session.byteCount = clip.byteCount
      return try await storeJob(job, at: .uploading(clip, session))
    } catch HighlightsError.alreadyRegistered {
      // An earlier run completed the upload, but the server's response was lost.
      guard let highlight = try await backend.highlight(job.highlightID) else { throw HighlightsError.highlightTaken }
      return try await storeJob(job, at: .registered(highlight, clip))
    } catch HighlightsError.alreadyUploaded(let uploadID) {
      return try await storeJob(job, at: .uploaded(clip, Self.makeReceipt(uploadID, clip.byteCount)))
    }
  }

  /// Requests an upload and stores its URL, before the journal records the upload.
  /// - Parameter durationSeconds: the duration of the clip.
  /// - Returns: the session, whose size is 0.
  func requestUpload(for job: ShareJob, durationSeconds: Double) async throws -> UploadSession {
    // The idempotency key changes only if an upload is lost, so a repeated request returns the same upload.
    let draft = HighlightDraft(job, durationSeconds: durationSeconds)
    let ticket = try await waitForRateLimit(of: job) {
      try await backend.createUpload(
        draft, idempotencyKey: job.idempotencyKey, timeoutSeconds: Self.uploadLifetimeSeconds)
    }
    try secrets.write(Secret(ticket.url), as: .uploadURL(job: job.id))
    return UploadSession(uploadID: ticket.id, byteCount: 0, confirmedOffset: 0, expiresAt: ticket.expiresAt)
  }

  /// Runs `body` once the backend's rate limit allows another highlight. The clips of a post count as one highlight, so
  /// `uploadJobs` waits only once per post.
  func waitForRateLimit<Value: Sendable>(
    of job: ShareJob, isPost: Bool = false, _ body: @Sendable @escaping () async throws -> Value
  ) async throws -> Value {
    guard let rateLimiter, isPost || job.post == nil, job.attempt == 0 else { return try await body() }
    return try await rateLimiter.runWithinLimit(
      reportWait: { allowance, date in
        let time = timeOfDay(date)
        report(
          .note(
            job.id,
            "the backend allows \(allowance.maxCount) highlights per \(allowance.windowSeconds) s; resuming at \(time)"
          ))
        // During the encode, its progress is shown.
        guard job.stage.nextStep != .process else { return }
        report(.progressed(job.id, .upload, fraction: nil, detail: .text("waiting until \(time)")))
      }, body)
  }

  func performUpload(of job: ShareJob, _ clip: ProcessedClip, _ session: UploadSession) async throws -> ShareJob {
    let receipt = try await send(
      FileSource(path: clip.path), of: job, session,
      save: { session in _ = try await storeJob(job, at: .uploading(clip, session)) },
      waiting: { session, pause in
        var job = job
        job.stage = .uploading(clip, session)
        await storeSetback(pause, of: job)
      },
      progress: { progress in
        if let note = progress.note { report(.note(job.id, note)) }
        report(.upload(job.id, progress))
      })
    return try await storeJob(job, at: .uploaded(clip, receipt))
  }

  /// Sends the bytes that the server doesn't have yet to the job's upload URL.
  func send(
    _ source: some UploadSource, of job: ShareJob, _ session: UploadSession,
    save: @Sendable (UploadSession) async throws -> Void,
    waiting: @Sendable (UploadSession, UploadProgress.Pause) async -> Void,
    progress: @escaping @Sendable (UploadProgress) -> Void
  ) async throws -> UploadReceipt {
    guard let reference = try secrets.read(.uploadURL(job: job.id)) else { throw UploadError.urlExpired(status: 404) }
    return try await uploader.upload(
      source, session: session, start: .resumed, resolveURL: { try await resolveURL(reference.revealed) }, save: save,
      waiting: waiting, progress: progress)
  }

  /// Stores the reason why an upload pauses. The upload continues even if the journal cannot store it.
  func storeSetback(_ pause: UploadProgress.Pause, of job: ShareJob) async {
    let now = Self.currentTimestamp()
    let setback = JobFailure(reason: pause.reason, at: now, retryAt: now + pause.duration.components.seconds + 1)
    _ = try? await storeJob(job, at: job.stage, setback: setback)
  }

  // MARK: Register

  func performRegistration(of job: ShareJob, _ clip: ProcessedClip, _ receipt: UploadReceipt) async throws -> ShareJob {
    let reported = Mutex<Set<String>>([])
    let warning = Mutex<String?>(nil)
    do {
      let highlight = try await HighlightRegistry(backend: backend).waitForHighlight(
        uploadID: receipt.uploadID, highlightID: job.highlightID
      ) { state in
        func isFirstReport(_ text: String) -> Bool { reported.withLock { $0.insert(text).inserted } }
        if state.status == .assetCreated, let error = state.error, isFirstReport(error) {
          report(.note(job.id, "the backend is trying to process the clip again: \(error)"))
        }
        if let text = NonStandardInput.warningText(
          state.nonStandardInputReasons ?? [:], settings: job.request.settings),
          isFirstReport(text)
        {
          report(.warning(job.id, text))
          // Each warning lists all reasons so far, so only the latest is kept.
          warning.withLock { $0 = text }
        }
        report(
          .progressed(job.id, .register, fraction: nil, detail: state.status.progressText.map(ProgressDetail.text)))
      }
      var clip = clip
      if let warning = warning.withLock(\.self) { clip.notes.append(.nonStandardInput(warning: warning)) }
      return try await storeJob(job, at: .registered(highlight, clip))
    } catch let error as HighlightsError where error.requiresNewUpload {
      _ = try await storeForNewUpload(job, clip)
      throw error
    }
  }
}

extension HighlightDraft {
  fileprivate init(_ job: ShareJob, durationSeconds: Double) {
    let caption = job.request.caption.flatMap { $0.isEmpty ? nil : $0 }
    self.init(
      highlightID: job.highlightID, post: job.post, caption: caption,
      tags: caption.map(CaptionTags.extractHashtags) ?? [],
      duration: durationSeconds)
    (privacy, hideLikes) = (job.privacy, job.request.hideLikes)
    (localVideoID, localRallyIndex) = (job.rally?.videoID, job.rally?.index)
    (confidence, quality, detectionCount) = (job.rally?.confidence, job.rally?.quality, job.rally?.detectionCount)
  }
}
