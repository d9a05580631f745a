package import ClipModel
import DurableFiles
import Foundation
package import Highlights
import LibCurl
import Upload

/// The journal, the connection to the backend and the pipeline of one run.
package struct ShareSession: Sendable {
  package let environment: EngineEnvironment
  package let journal: Journal
  package let connection: BackendConnection
  package let backend: any HighlightBackend
  private let pipeline: SharePipeline
  private let report: @Sendable (ShareActivity) -> Void

  /// - Parameters:
  ///   - environment: folders and settings.
  ///   - waitsForHighlights: if false, a share ends as soon as the backend has the clips.
  ///   - limitsRate: keeps uploads below the backend's rate limit; `nil` does so for shared backends only.
  ///   - signIn: signs the user in when necessary; if it is `nil`, a missing session is an error.
  ///   - report: receives the events, on any thread.
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
    let connection = try BackendConnection(environment, transport: transport, signIn: signIn) { report(.note($0)) }
    self.connection = connection
    backend = connection.backend
    var pipeline = SharePipeline(
      journal: journal, places: environment.places, backend: backend,
      uploader: DirectUpload(transport: transport, configuration: configuration), rules: configuration.rules,
      simultaneousUploads: configuration.uploadJobs.value, resolveURL: { try await connection.resolve($0) },
      report: { report(.job($0)) })
    pipeline.waitsForHighlight = waitsForHighlights
    if limitsRate ?? (configuration.backend.value == .supabase) {
      pipeline.rateLimiter = ShareRateLimiter(backend: backend)
    }
    self.pipeline = pipeline
  }

  private var registry: JobRegistry { JobRegistry(journal: journal, places: environment.places) }

  private var backendName: String { environment.configuration.backend.value.rawValue }

  /// Runs `body`, then stops the server if this process started it.
  package func use<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
      let value = try await body()
      await connection.close()
      return value
    } catch {
      await connection.close()
      throw error
    }
  }

  // MARK: Share

  /// Shares the clips of a request. The clips of the next highlight are processed while earlier clips are uploaded.
  /// - Parameter refused: the categories of clips that the caller rejected; they count as failures of this run.
  package func share(_ request: ShareRunRequest, refused: [FailureCategory] = []) async throws -> RunOutcome {
    // Runs concurrently, because clips are processed even without a network.
    let rateLimit = Task { await reportRateLimit(count: request.isSingleHighlight ? 1 : request.files.count) }
    defer { rateLimit.cancel() }
    let admission = ShareAdmission(
      registry: registry, backend: backend, backendName: backendName,
      author: { [connection] in try await connection.author })
    var outcome = RunOutcome(count: refused.count, failures: refused)
    var shares: [AdmittedShare] = []
    var firstFiles: [String: String] = [:]
    // All jobs are created before work begins, so that `resume` finds them if this run stops.
    for files in request.groups(backend: environment.configuration.backend.value) {
      do {
        if let share = try await admit(files, of: request, admission, &firstFiles) {
          shares.append(share)
        } else {
          outcome.add(nil)
        }
      } catch let refusal as ShareRefusal {
        outcome.add(refusal.explanation.category)
      } catch let error as any ExplainedError {
        report(.failure(error, files: files))
        outcome.add(error.explanation.category)
      }
    }
    return try await work(on: shares, after: outcome)
  }

  /// Finds or creates the jobs of one highlight.
  /// - Parameter firstFiles: the first file of this run for each content.
  /// - Returns: `nil` if there is nothing to do.
  /// - Throws: a `ShareRefusal` that was already reported, or another error.
  private func admit(
    _ files: [String], of request: ShareRunRequest, _ admission: ShareAdmission, _ firstFiles: inout [String: String]
  ) async throws -> AdmittedShare? {
    // If the metadata path contained a typo, the job could never finish.
    if let metadata = request.request.metadata.path { _ = try FileIdentity.of(metadata) }
    let candidate = try await request.admissionRequest(for: files) { try await registry.source($0) }
    if files.count == 1 {
      // Identical clips can be exports of two different highlights.
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
      let subject = ShareActivity.subject(of: refusal.explanation, files: files)
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

  /// The minimum and maximum pause between two attempts to reach the backend.
  private static let (shortestPause, longestPause) = (Duration.seconds(5), Duration.seconds(60))

  /// Finishes unfinished jobs.
  /// - Parameters:
  ///   - prefixes: the first digits of job IDs; none selects all unfinished jobs.
  ///   - watches: waits for the network and continues until all jobs have ended.
  /// - Returns: `nil` if there was nothing to do.
  package func resume(_ prefixes: [String], watches: Bool) async throws -> RunOutcome? {
    let damage = try await journal.entries().damage
    for error in damage { report(.failed(error, subject: "")) }
    var outcome = RunOutcome(count: damage.count, failures: damage.map(\.explanation.category))
    var unfinished = try await registry.unfinished(named: prefixes)
    if prefixes.isEmpty {
      for error in JobRegistry.otherBackendErrors(unfinished, configuration: environment.configuration) {
        report(.failed(error, subject: ""))
        outcome.add(error.explanation.category)
      }
      unfinished.removeAll { $0.backend != backendName }
    }
    if unfinished.isEmpty, outcome.count == damage.count { return damage.isEmpty ? nil : outcome }
    let ids = Set(unfinished.map(\.id))
    var pause = Self.shortestPause
    while true {
      let ended = try await work(on: AdmittedShare.all(of: unfinished, in: journal), after: outcome)
      // Another process may have locked a job and then left it unfinished.
      let worst = FailureCategory.worst(of: Array(ended.failures.dropFirst(outcome.failures.count)))
      guard watches, worst == .remote || worst == .locked else { return ended }
      let left = try await registry.unfinished(named: []).filter { ids.contains($0.id) }
      // If there was progress, the next pause is short again.
      pause = left.count < unfinished.count ? Self.shortestPause : min(pause * 2, Self.longestPause)
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

  /// Prepares the shares one after another and sends each prepared share in a separate task. The number of tasks is at
  /// most twice the number of simultaneous uploads.
  private func work(on shares: [AdmittedShare], after earlier: RunOutcome) async throws -> RunOutcome {
    let taskLimit = 2 * environment.configuration.uploadJobs.value
    return try await withThrowingTaskGroup(of: FailureCategory?.self) { group in
      var outcome = earlier
      for (index, share) in shares.enumerated() {
        if index - (outcome.count - earlier.count) >= taskLimit, let ended = try await group.next() {
          outcome.add(ended)
        }
        do {
          let prepared = try await prepare(share)
          group.addTask {
            do {
              return try await send(prepared)
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
    report(.failure(error, files: share.files))
    return error.explanation.category
  }

  /// Locks the jobs of a share and processes its clips. Does not send anything yet.
  /// - Throws: the error that stopped the share, or `share.post-refused` after the rejected clips were reported.
  private func prepare(_ share: AdmittedShare) async throws -> AdmittedShare {
    for job in share.jobs { try requireBackend(of: job, to: "resume") }
    let locks = try [JobLock](share.jobs, places: environment.places)
    let jobs = try await journal.current(share.jobs)
    for job in jobs { report(.job(.opened(job, isContinued: share.isContinued))) }
    do {
      let prepared = try await pipeline.prepare(jobs)
      let refused = zip(share.files, prepared).filter(\.1.stage.isRejected)
      // If there is only one clip, its refusal is the result.
      guard refused.isEmpty || prepared.count == 1 else {
        for (file, job) in refused {
          report(.result(ShareResult(jobs: [job], inputs: [file], isReachable: false)))
        }
        throw ShareEngineError(.postRefused, ["refused": "\(refused.count)", "clips": "\(prepared.count)"])
      }
      return AdmittedShare(files: share.files, jobs: prepared, isContinued: share.isContinued, locks: locks)
    } catch {
      for job in jobs { report(.closed(job.id)) }
      locks.releaseAndRemove()
      throw await missingFileError(error, jobs) ?? error
    }
  }

  /// The error for a clip or metadata file that was removed during processing. The job can continue once the file is
  /// back.
  private func missingFileError(_ error: any Error, _ jobs: [ShareJob]) async -> ShareEngineError? {
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

  /// Sends a prepared share and reports the results.
  ///
  /// The jobs' files are removed last, so that another run can report the result again if the process is killed first.
  /// - Returns: the category of a refusal, if there was one.
  private func send(_ share: AdmittedShare) async throws -> FailureCategory? {
    defer { share.locks.releaseAndRemove() }
    let finished: [ShareJob]
    do {
      defer { for job in share.jobs { report(.closed(job.id)) } }
      finished = try await pipeline.send(share.jobs)
    }
    let results = try await ShareResult.all(of: finished, inputs: share.files, connection: connection)
    for result in results { report(.result(result)) }
    for job in finished { pipeline.removeFiles(of: job) }
    let refusal = results.compactMap(\.refusal).first
    report(.finished(refusal))
    return refusal
  }
}
