package import ClipModel
import DurableFiles
import Foundation
package import Highlights
import LibCurl
import Social
import Upload

/// The journal, backend connection and pipeline for one run.
package struct ShareSession: Sendable {
  package let environment: EngineEnvironment
  let journal: Journal
  package let connection: BackendConnection
  package let backend: any HighlightBackend
  let transport: any HTTPTransport
  /// The account's settings, which are part of the social layer.
  let social: SocialAPI
  let pipeline: SharePipeline
  let report: @Sendable (ShareActivity) -> Void

  /// - Parameters:
  ///   - environment: the folders and settings to use.
  ///   - waitsForHighlights: whether a share waits for its highlight. If false, a share ends as soon as the backend has
  ///     the clips.
  ///   - limitsRate: whether to keep uploads below the backend's rate limit; `nil` limits them only for shared
  ///     backends.
  ///   - signIn: signs the user in when necessary. If it is `nil` and there is no session, requests to the backend
  ///     fail.
  ///   - report: receives events on any thread.
  package init(
    _ environment: EngineEnvironment, waitsForHighlights: Bool = true, limitsRate: Bool? = nil,
    signIn: LazySignIn? = nil, report: @escaping @Sendable (ShareActivity) -> Void
  ) async throws {
    self.environment = environment
    self.report = report
    let configuration = environment.configuration
    try environment.places.createStateFolders()
    journal = try await Journal.open(environment.places)
    let transport = try environment.transport()
    self.transport = transport
    let connection = try BackendConnection(environment, transport: transport, signIn: signIn) { report(.note($0)) }
    self.connection = connection
    backend = connection.backend
    let social = SocialAPI(
      transport: BackendRowTransport(connection, transport, policy: .brief, returnsRateLimit: false)
    ) { try await connection.accountID() }
    self.social = social
    var pipeline = SharePipeline(
      journal: journal, places: environment.places, backend: backend,
      uploader: DirectUpload(transport: transport, configuration: configuration), rules: configuration.rules,
      simultaneousUploads: configuration.uploadJobs.value, resolveURL: { try await connection.resolveUploadURL($0) },
      report: { report(.job($0)) })
    pipeline.waitsForHighlight = waitsForHighlights
    pipeline.streaming = configuration.uploadStreaming.value
    pipeline.backendHost = configuration.backendHost
    pipeline.readAccountPrivacy = { try await social.sharePrivacy() }
    if limitsRate ?? (configuration.backend.value == .supabase) {
      pipeline.rateLimiter = ShareRateLimiter(backend: backend)
    }
    self.pipeline = pipeline
  }

  private var registry: JobRegistry { pipeline.registry }

  private var backendName: String { environment.configuration.backend.value.rawValue }

  /// Runs `body`, then stops the backend server if this process started it.
  package func runAndClose<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await connection.runAndClose(body)
  }

  // MARK: Share

  /// Shares the clips of a request. While clips are uploading, the clips of the next highlight are processed.
  /// - Parameter refused: the failure categories of clips that the caller already rejected. They count as failures of
  ///   this run.
  /// - Throws: `ShareEngineError` in the category `usage` if the backend doesn't support the request.
  package func share(_ request: ShareRunRequest, refused: [FailureCategory] = []) async throws -> RunOutcome {
    try request.requireSupport(by: environment.configuration.backend.value)
    // Runs concurrently, because clips can be processed without a network connection.
    let rateLimit = Task { await reportRateLimit(count: request.isSingleHighlight ? 1 : request.files.count) }
    defer { rateLimit.cancel() }
    let admission = ShareAdmission(
      registry: registry, backend: backend, backendName: backendName,
      author: { [connection] in try await connection.author })
    var outcome = RunOutcome(count: refused.count, failures: refused)
    var shares: [AdmittedShare] = []
    var firstFiles: [String: String] = [:]
    // Create all jobs before processing starts, so that `resume` finds them if this run stops.
    for files in request.groupFilesByHighlight(backend: environment.configuration.backend.value) {
      do {
        if let share = try await admitShare(files, of: request, admission, &firstFiles) {
          shares.append(share)
        } else {
          outcome.add(nil)
        }
      } catch let refusal as ShareRefusal {
        outcome.add(refusal.explanation.category)
      } catch let error as any ExplainedError {
        report(.makeFailureEvent(error, files: files))
        outcome.add(error.explanation.category)
      }
    }
    return try await processAndUpload(shares, after: outcome)
  }

  /// Finds or creates the jobs of one highlight.
  /// - Parameter firstFiles: the first file in this run for each content identity. The function adds new identities.
  /// - Returns: the clips and their jobs, or `nil` if there is nothing to do.
  /// - Throws: a `ShareRefusal`, which was already reported, or any other error, which the caller must report.
  private func admitShare(
    _ files: [String], of request: ShareRunRequest, _ admission: ShareAdmission, _ firstFiles: inout [String: String]
  ) async throws -> AdmittedShare? {
    // Check the metadata path first. If it contained a typo, the job could never finish.
    if let metadata = request.clipRequest.metadata.path { _ = try FileIdentity.of(metadata) }
    let candidate = try await request.makeAdmissionRequest(for: files) { try await registry.readSource($0) }
    if files.count == 1 {
      // Identical clips can be exported from two different highlights.
      let identity = candidate.clips[0].source.sha256 + (candidate.exportedID?.uuidString ?? "")
      if let first = firstFiles[identity] {
        report(.duplicate(files[0], of: first))
        return nil
      }
      firstFiles[identity] = files[0]
    }
    do {
      switch try await admission.admit(candidate) {
      case .work(let jobs, let isContinued): return AdmittedShare(files: files, jobs: jobs, isContinued: isContinued)
      case .shared(let jobs):
        report(.alreadyShared(files))
        return AdmittedShare(files: files, jobs: jobs, isContinued: false)
      case .existing(let highlight, _):
        report(.existing(files, highlight, try await connection.links(to: highlight)))
        return nil
      }
    } catch let refusal as ShareRefusal {
      var clips = files
      if case .conflict(let job) = refusal {
        let file = zip(files, candidate.clips).first { $1.source.sha256 == job.source.sha256 }?.0
        clips = [file ?? job.source.path]
      }
      let subject = ShareActivity.failureSubject(of: refusal.explanation, files: files)
      report(.refused(refusal, clips: clips, subject: subject))
      throw refusal
    }
  }

  private func reportRateLimit(count: Int) async {
    guard pipeline.rateLimiter != nil, count > 1, let allowance = try? await backend.shareAllowance(),
      allowance.remaining < count
    else { return }
    report(.rateLimited(allowance, count: count))
  }

  // MARK: Resume

  /// The minimum and maximum delay between attempts to reach the backend.
  private static let (minimumDelay, maximumDelay) = (Duration.seconds(5), Duration.seconds(60))

  /// Resumes and finishes unfinished jobs.
  /// - Parameters:
  ///   - prefixes: the first digits of job IDs. An empty array selects all unfinished jobs.
  ///   - watches: whether to wait for the network and retry until all jobs have ended.
  /// - Returns: the outcome, or `nil` if there was nothing to do.
  package func resume(_ prefixes: [String], watches: Bool) async throws -> RunOutcome? {
    let damage = try await journal.entries().damage
    for error in damage { report(.failed(error, subject: "")) }
    var outcome = RunOutcome(count: damage.count, failures: damage.map(\.explanation.category))
    var unfinished = try await registry.unfinishedJobs(named: prefixes)
    if prefixes.isEmpty {
      for error in JobRegistry.otherBackendErrors(unfinished, configuration: environment.configuration) {
        report(.failed(error, subject: ""))
        outcome.add(error.explanation.category)
      }
      unfinished.removeAll { $0.backend != backendName }
    }
    if unfinished.isEmpty, outcome.count == damage.count { return damage.isEmpty ? nil : outcome }
    let ids = Set(unfinished.map(\.id))
    var pause = Self.minimumDelay
    while true {
      let ended = try await processAndUpload(AdmittedShare.makeShares(from: unfinished, in: journal), after: outcome)
      // A different process may have locked a job and then left the job unfinished.
      let worst = FailureCategory.worstCategory(of: Array(ended.failures.dropFirst(outcome.failures.count)))
      guard watches, worst == .remote || worst == .locked else { return ended }
      let left = try await registry.unfinishedJobs(named: []).filter { ids.contains($0.id) }
      // If there was progress, reset the delay to its minimum.
      pause = left.count < unfinished.count ? Self.minimumDelay : min(pause * 2, Self.maximumDelay)
      unfinished = left
      report(.waitingForNetwork(seconds: Int(pause.components.seconds)))
      try await registry.setRetryTime(of: left, to: Int64(Date().timeIntervalSince1970) + pause.components.seconds)
      try await Task.sleep(for: pause)
    }
  }

  package func requireBackend(of job: ShareJob, to verb: String) throws {
    guard job.backend != backendName else { return }
    throw ShareEngineError(
      .jobOfOtherBackend,
      ["verb": verb, "file": job.source.name, "backend": job.backend, "current": backendName])
  }

  // MARK: Work

  /// Prepares the shares one at a time and uploads each prepared share in a separate task. The number of tasks is
  /// limited to twice the number of simultaneous uploads.
  private func processAndUpload(_ shares: [AdmittedShare], after earlier: RunOutcome) async throws -> RunOutcome {
    let taskLimit = 2 * environment.configuration.uploadJobs.value
    return try await withThrowingTaskGroup(of: FailureCategory?.self) { group in
      var outcome = earlier
      for (index, share) in shares.enumerated() {
        if index - (outcome.count - earlier.count) >= taskLimit, let ended = try await group.next() {
          outcome.add(ended)
        }
        do {
          let prepared = try await prepareShare(share)
          group.addTask {
            do {
              return try await uploadShare(prepared)
            } catch let error as any ExplainedError {
              return reportFailure(error, of: share)
            }
          }
        } catch let error as any ExplainedError {
          outcome.add(reportFailure(error, of: share))
        }
      }
      for try await ended in group { outcome.add(ended) }
      return outcome
    }
  }

  private func reportFailure(_ error: any ExplainedError, of share: AdmittedShare) -> FailureCategory {
    report(.makeFailureEvent(error, files: share.files))
    return error.explanation.category
  }

  /// Locks a share's jobs and processes its clips, without uploading them.
  /// - Throws: the error that stopped the share, or `share.post-refused` if clips were rejected. In that case, the
  ///   rejected clips were already reported.
  private func prepareShare(_ share: AdmittedShare) async throws -> AdmittedShare {
    for job in share.jobs { try requireBackend(of: job, to: "resume") }
    var opened = try await pipeline.openShare(share)
    do {
      let prepared = try await pipeline.prepareJobs(opened.jobs)
      let refused = zip(share.files, prepared).filter(\.1.stage.isRejected)
      // If there is only one clip, its rejection is the result of the share.
      guard refused.isEmpty || prepared.count == 1 else {
        for (file, job) in refused {
          report(.result(ShareResult(jobs: [job], inputs: [file], isReachable: false)))
        }
        throw ShareEngineError(.postRefused, ["refused": "\(refused.count)", "clips": "\(prepared.count)"])
      }
      opened.jobs = prepared
      return opened
    } catch {
      for job in opened.jobs { report(.closed(job.id)) }
      opened.locks.releaseAndRemove()
      throw await makeMissingFileError(error, opened.jobs) ?? error
    }
  }

  /// Returns the error for a clip or metadata file that was removed during processing. Once the file is back, the job
  /// can resume.
  private func makeMissingFileError(_ error: any Error, _ jobs: [ShareJob]) async -> ShareEngineError? {
    guard let explanation = (error as? any ExplainedError)?.explanation, explanation.category == .noInput else {
      return nil
    }
    for job in jobs {
      let missing = [job.source.path, job.request.metadata.path].compactMap(\.self).first {
        !FileManager.default.isReadableFile(atPath: $0)
      }
      guard let missing, let stored = try? await journal.load(job.id), !stored.stage.isFinal else { continue }
      let reason = missing == job.source.path ? explanation.why : "\(explanation.why): \(missing)"
      return ShareEngineError(
        .jobSourceGone, ["file": job.source.name, "job": job.id.shortText, "reason": reason])
    }
    return nil
  }

  /// Uploads a prepared share and reports the results.
  ///
  /// The jobs' files are removed last, so that if this process is killed earlier, the next run can still report the
  /// result.
  /// - Returns: the failure category of the first rejected clip or link, or `nil` if nothing was rejected.
  private func uploadShare(_ share: AdmittedShare) async throws -> FailureCategory? {
    defer { share.locks.releaseAndRemove() }
    let finished: [ShareJob]
    do {
      defer { for job in share.jobs { report(.closed(job.id)) } }
      finished = try await pipeline.uploadJobs(share.jobs)
    }
    let results = try await ShareResult.makeResults(for: finished, inputs: share.files, connection: connection)
    let refusal = results.compactMap(\.refusal).first
    func reportResults(_ links: [CoachLink]) {
      for var result in results {
        result.coachLinks = links
        report(.result(result))
      }
    }
    #if Recruiting
    let linkFailure = try await sendLinks(to: finished, of: share.files, confirmed: reportResults)
    #else
    let linkFailure: FailureCategory? = finished.first?.awaitsLinks == true ? .notConfigured : nil
    if linkFailure != nil { environment.notice("links to coaches are not sent: this bsc was built without recruiting") }
    reportResults([])
    #endif
    for job in finished { pipeline.removeFiles(of: job) }
    report(.finished(refusal))
    return refusal ?? linkFailure
  }
}
