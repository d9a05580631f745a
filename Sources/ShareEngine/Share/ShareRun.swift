public import ClipModel
import Foundation
import Highlights

/// Shares one to ten clips. All clips of a post are processed before its first upload starts, and all uploads end before
/// the first clip is registered.
extension SharePipeline {
  /// Shares one file as a highlight. The parameters, result and errors are the same as for
  /// ``share(together:request:backendName:)``.
  public func share(
    _ path: String, request: ShareRequest = ShareRequest(), backendName: String
  ) async throws -> ShareJob {
    try await share(together: [path], request: request, backendName: backendName)[0]
  }

  /// Shares files as one highlight, or resumes an earlier call with the same files and request.
  ///
  /// Finds or creates the jobs, locks them, performs all steps, and removes the jobs' files. If the files were already
  /// shared and the highlight still exists, returns the existing jobs with the current highlight.
  /// - Parameters:
  ///   - paths: the absolute paths of one to `HighlightDraft.maximumPartCount` different video files.
  ///   - request: the options of the share.
  ///   - backendName: the backend's name in the journal (`local`). A job can resume only on the backend on which it
  ///     started.
  /// - Returns: a job for each file, at `.registered`, or at `.uploaded` if ``waitsForHighlight`` is false. If a file
  ///   is rejected, its job is at `.rejected` with the findings, and the other jobs are at `.cancelled`.
  /// - Throws: `ShareEngineError` in the category `usage` if the backend requires metadata or doesn't support several
  ///   clips in one highlight, `ShareRefusal` if the files already have a highlight or an unfinished job with different
  ///   options, another `ExplainedError` if a step fails, or `CancellationError`. After an error, another call resumes
  ///   after the last completed step.
  public func share(
    together paths: [String], request: ShareRequest = ShareRequest(), backendName: String
  ) async throws -> [ShareJob] {
    try ShareAdmission.requireSupport(of: request, isPost: paths.count > 1, by: backendName)
    try places.createStateFolders()
    let registry = registry
    var clips: [ShareClip] = []
    for path in paths { clips.append(ShareClip(try await registry.readSource(path), request)) }
    let admission = ShareAdmission(registry: registry, backend: backend, backendName: backendName)
    switch try await admission.admit(ShareAdmission.AdmissionRequest(clips: clips)) {
    case .shared(let shared), .existing(_, let shared): return shared
    case .work(let jobs, let isContinued):
      let share = try await openShare(AdmittedShare(files: paths, jobs: jobs, isContinued: isContinued))
      defer { share.locks.releaseAndRemove() }
      let finished = try await run(share.jobs)
      for job in finished { removeFiles(of: job) }
      return finished
    }
  }

  /// Finds and creates jobs.
  var registry: JobRegistry {
    var registry = JobRegistry(journal: journal, places: places)
    registry.streaming = streaming
    return registry
  }

  /// Locks the jobs of a share, loads their current state, and reports them.
  /// - Throws: `ShareEngineError` if another process works on a job.
  func openShare(_ share: AdmittedShare) async throws -> AdmittedShare {
    var opened = share
    opened.locks = try [JobLock](share.jobs, places: places)
    opened.jobs = try await journal.reloadJobs(share.jobs)
    for job in opened.jobs { report(.opened(job, isContinued: share.isContinued)) }
    return opened
  }

  /// Processes and uploads the clips of a share. The caller holds the locks, reports the result and then calls
  /// ``removeFiles(of:)``.
  /// - Returns: the jobs in order; a rejected job contains its findings.
  /// - Throws: the error that stopped the share. The journal contains each job's last stage and the reason for the
  ///   failure.
  package func run(_ jobs: [ShareJob]) async throws -> [ShareJob] {
    let prepared = try await prepareJobs(jobs)
    return prepared.contains(where: \.stage.isRejected) ? prepared : try await uploadJobs(prepared)
  }

  /// Probes, plans and processes all clips. Processing uses all CPU cores, so prepare only one share at a time.
  /// - Returns: the jobs, in order. If one job is rejected, the other jobs are canceled.
  /// - Throws: the error that stopped the share. If a clip is unusable, the other jobs are canceled.
  package func prepareJobs(_ jobs: [ShareJob]) async throws -> [ShareJob] {
    guard isComplete(jobs) else {
      try await cancelUnfinished(jobs)
      throw ShareEngineError(.postIncomplete)
    }
    var prepared = jobs
    defer { for job in jobs { sources.close(job) } }
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

  /// Uploads all clips, then waits for their highlight unless ``waitsForHighlight`` is false. Several shares can be
  /// uploaded at the same time while the next share is being processed.
  /// - Throws: the first failure, after all uploads have ended.
  package func uploadJobs(_ jobs: [ShareJob]) async throws -> [ShareJob] {
    // Uploads that have already started were counted toward the rate limit.
    if jobs.count > 1, jobs.allSatisfy({ $0.stage.uploadID == nil && !$0.stage.isFinal }) {
      try await waitForRateLimit(of: jobs[0], isPost: true) {}
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
    return waitsForHighlight ? try await registerJobs(sent) : sent
  }

  /// Registers the clips one by one, because the backend completes them all at the same time.
  private func registerJobs(_ jobs: [ShareJob]) async throws -> [ShareJob] {
    var registered: [ShareJob] = []
    var failures: [any ExplainedError] = []
    for job in jobs {
      do {
        registered.append(try await registerClip(job))
      } catch let error as HighlightsError where error.isCausedByClip || error.requiresNewUpload {
        // The entire post has failed. Continue anyway, so that the journal stores an error for each job.
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

  /// Cancels the other jobs of a post after one job has ended without a highlight.
  private func endPost(_ jobs: [ShareJob]) async throws {
    let current = try await journal.reloadJobs(jobs)
    if current.contains(where: { $0.stage.isRejected || $0.stage == .cancelled }) {
      try await cancelUnfinished(current)
    }
  }

  /// Cancels the unfinished jobs locally and on the backend, and removes the files of all jobs.
  @discardableResult
  private func cancelUnfinished(_ jobs: [ShareJob]) async throws -> [ShareJob] {
    var ended: [ShareJob] = []
    for var job in jobs {
      if !job.stage.isFinal {
        // If the request fails, the backend's upload expires later.
        if let upload = job.uploadID { try? await backend.cancelUpload(upload) }
        job = try await storeJob(job, at: .cancelled)
        report(.note(job.id, "canceled together with its post"))
      }
      removeFiles(of: job)
      ended.append(job)
    }
    return ended
  }
}
