public import ClipModel
import Foundation
import Highlights

/// Shares one to ten clips: all clips are processed before the first upload, and all uploads end before the first
/// registration.
extension SharePipeline {
  /// Shares one file as a highlight, with the parameters, result and errors of ``share(together:request:backendName:)``.
  public func share(
    _ path: String, request: ShareRequest = ShareRequest(), backendName: String
  ) async throws -> ShareJob {
    try await share(together: [path], request: request, backendName: backendName)[0]
  }

  /// Shares files as one highlight, or resumes where an earlier call with the same files and request stopped.
  ///
  /// Finds or creates the jobs, holds their locks, performs all steps, and removes the jobs' files. If the files were
  /// shared before and the highlight still exists, returns those jobs with the current highlight.
  /// - Parameters:
  ///   - paths: the absolute paths of one to `HighlightDraft.maximumPartCount` different video files.
  ///   - request: the options of the share.
  ///   - backendName: the backend's name in the journal (`local`). A job only continues on the same backend.
  /// - Returns: a job for each file, at `.registered`, or at `.uploaded` if ``waitsForHighlight`` is false. If a file is
  ///   rejected, its job is at `.rejected` with the findings, and the others are at `.cancelled`.
  /// - Throws: `ShareRefusal` when a highlight or an unfinished job of the files has different options, another
  ///   `ExplainedError` when a step fails, or `CancellationError`. Calling it again resumes after the last completed
  ///   step.
  public func share(
    together paths: [String], request: ShareRequest = ShareRequest(), backendName: String
  ) async throws -> [ShareJob] {
    try places.createStateFolders()
    let registry = JobRegistry(journal: journal, places: places)
    var clips: [ShareClip] = []
    for path in paths { clips.append(ShareClip(try await registry.source(path), request)) }
    let admission = ShareAdmission(registry: registry, backend: backend, backendName: backendName)
    let (jobs, isContinued): ([ShareJob], Bool)
    switch try await admission.admit(ShareAdmission.Request(clips: clips)) {
    case .work(let found, let continues): (jobs, isContinued) = (found, continues)
    case .shared(let shared), .existing(_, let shared): return shared
    }
    let locks = try [JobLock](jobs, places: places)
    defer { locks.releaseAndRemove() }
    let current = try await journal.current(jobs)
    for job in current { report(.opened(job, isContinued: isContinued)) }
    let finished = try await run(current)
    for job in finished { removeFiles(of: job) }
    return finished
  }

  /// Processes and sends the clips of a share. The caller holds the locks, reports the result and then calls
  /// ``removeFiles(of:)``.
  /// - Returns: the jobs in order; a rejected job contains its findings.
  /// - Throws: the error that stopped the share. The journal contains each job's last stage and the reason.
  package func run(_ jobs: [ShareJob]) async throws -> [ShareJob] {
    let prepared = try await prepare(jobs)
    return prepared.contains(where: \.stage.isRejected) ? prepared : try await send(prepared)
  }

  /// Probes, plans and processes all clips. This uses all cores, so call it for one share at a time.
  /// - Returns: the jobs in order. If one of them is rejected, the others are canceled.
  /// - Throws: the error that stopped the share. If a clip is unusable, the other jobs are canceled.
  package func prepare(_ jobs: [ShareJob]) async throws -> [ShareJob] {
    guard isComplete(jobs) else {
      try await cancelUnfinished(jobs)
      throw ShareEngineError(.postIncomplete)
    }
    var prepared = jobs
    // Validates every clip before processing any of them.
    for steps in [[.probe, .plan], Self.preparationSteps] {
      do {
        for index in prepared.indices { prepared[index] = try await prepareClip(prepared[index], steps: steps) }
      } catch let error as any ExplainedError {
        try await endPost(jobs)
        throw error
      }
      if prepared.contains(where: \.stage.isRejected) { return try await cancelUnfinished(prepared) }
    }
    return prepared
  }

  /// Uploads all clips, then waits for their highlight unless ``waitsForHighlight`` is false. Several shares may be
  /// sent at the same time, while the next one is being processed.
  /// - Throws: the first failure, after all uploads have ended.
  package func send(_ jobs: [ShareJob]) async throws -> [ShareJob] {
    // An upload that has already started counts toward the rate limit.
    if jobs.count > 1, jobs.allSatisfy({ $0.stage.uploadID == nil && !$0.stage.isFinal }) {
      try await afterRateLimit(of: jobs[0], isPost: true) {}
    }
    let results = await withTaskGroup(of: (index: Int, result: Result<ShareJob, any Error>).self) { group in
      for (index, job) in jobs.enumerated() {
        group.addTask {
          do { return (index, .success(try await uploadClip(job))) } catch { return (index, .failure(error)) }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    let sent: [ShareJob]
    do {
      sent = try results.sorted { $0.index < $1.index }.map { try $0.result.get() }
    } catch let error as any ExplainedError {
      try await endPost(jobs)
      throw error
    }
    return waitsForHighlight ? try await register(sent) : sent
  }

  /// Registers the clips one after another, because the backend completes them together.
  private func register(_ jobs: [ShareJob]) async throws -> [ShareJob] {
    var registered: [ShareJob] = []
    var failures: [any ExplainedError] = []
    for job in jobs {
      do {
        registered.append(try await registerClip(job))
      } catch let error as HighlightsError where error.isCausedByClip || error.requiresNewUpload {
        // The whole post has failed, so the error of each job is stored in the journal.
        failures.append(error)
      }
    }
    if let failure = failures.first {
      try await endPost(jobs)
      throw failure
    }
    return registered
  }

  private func isComplete(_ jobs: [ShareJob]) -> Bool {
    if jobs.allSatisfy({ $0.post == nil || $0.stage.isRegistered }) { return true }
    return jobs.count == jobs.first?.post?.count && !jobs.contains { $0.stage.isRejected || $0.stage == .cancelled }
  }

  /// Cancels the other jobs of a post after one of its jobs has ended without a highlight.
  private func endPost(_ jobs: [ShareJob]) async throws {
    let current = try await journal.current(jobs)
    if current.contains(where: { $0.stage.isRejected || $0.stage == .cancelled }) {
      try await cancelUnfinished(current)
    }
  }

  /// Cancels the unfinished jobs, also on the backend, and removes the files of all jobs.
  @discardableResult
  private func cancelUnfinished(_ jobs: [ShareJob]) async throws -> [ShareJob] {
    var ended: [ShareJob] = []
    for var job in jobs {
      if !job.stage.isFinal {
        // If this fails, the upload expires on its own later.
        if let upload = job.stage.uploadID { try? await backend.cancelUpload(upload) }
        job = try await store(job, at: .cancelled)
        report(.note(job.id, "canceled with its post"))
      }
      removeFiles(of: job)
      ended.append(job)
    }
    return ended
  }
}
