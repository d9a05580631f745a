package import ClipModel
import DurableFiles
import Foundation
package import Highlights
import LibCurl
import Upload

/// What sharing works with: journal, backend and pipeline, opened once for a run.
package struct ShareSession: Sendable {
  package let environment: EngineEnvironment
  package let journal: Journal
  package let link: BackendConnection
  package let api: any HighlightBackend
  private let report: @Sendable (ShareActivity) -> Void
  private var pipeline: SharePipeline

  /// - Parameters:
  ///   - environment: folders and settings.
  ///   - waits: for the highlights, and not only for the clips' bytes.
  ///   - signIn: signs a user in when nobody is; without it that is an error.
  ///   - report: receives what happens, on any thread.
  package init(
    _ environment: EngineEnvironment, waits: Bool = true, signIn: LazySignIn? = nil,
    report: @escaping @Sendable (ShareActivity) -> Void
  ) async throws {
    self.environment = environment
    self.report = report
    let configuration = environment.configuration
    try environment.places.createStateFolders()
    journal = try await Journal.open(environment.places)
    let transport = try environment.transport()
    let link = try BackendConnection(environment, transport: transport, signIn: signIn) { report(.note($0)) }
    self.link = link
    api = link.backend
    pipeline = SharePipeline(
      journal: journal, places: environment.places, backend: api,
      uploader: DirectUpload(
        transport: transport, policy: RetryPolicy(budget: .seconds(configuration.uploadRetrySeconds.value)),
        layout: configuration.chunkLayout, deadline: configuration.uploadDeadline.value),
      rules: configuration.rules, resolveURL: { try await link.resolve($0) }, report: { report(.job($0)) })
    pipeline.waitsForHighlight = waits
    pipeline.sending = AsyncSemaphore(configuration.uploadJobs.value)
  }

  /// Shares no faster than the backend accepts.
  /// - Parameter isPaced: `nil` where others share on the same backend.
  package mutating func pace(_ isPaced: Bool?) {
    if isPaced ?? (environment.configuration.backend.value == .supabase) { pipeline.pace = SharePace(backend: api) }
  }

  private var registry: JobRegistry { JobRegistry(journal: journal, places: environment.places) }

  private var backendName: String { environment.configuration.backend.value.rawValue }

  // MARK: Share

  /// Shares the clips of an order: one highlight after the other is made, while others are sent.
  /// - Parameter refused: why clips of the same run were refused before.
  package func share(_ order: ShareOrder, refused: [FailureCategory] = []) async throws -> RunOutcome {
    let groups = order.groups(backend: environment.configuration.backend.value)
    // At the same time: without a network the clips are made all the same.
    let asking = Task { await notePace(count: order.isTogether ? 1 : order.files.count) }
    defer { asking.cancel() }
    let admission = ShareAdmission(
      registry: registry, backend: api, backendName: backendName, author: { [link] in try await link.author })
    var outcome = RunOutcome(count: refused.count, failures: refused)
    var shares: [AdmittedShare] = []
    // Which file of this run brought the bytes.
    var known: [String: String] = [:]
    // All jobs exist before work begins: whatever stops this run, `resume` knows what is left.
    for group in groups {
      do {
        if let share = try await admit(group, of: order, admission, &known) {
          shares.append(share)
        } else {
          outcome.add(nil)
        }
      } catch let refusal as ShareRefusal {
        outcome.add(refusal.explanation.category)
      } catch let error as any ExplainedError {
        report(.failed(error, subject: AdmittedShare.name(of: group, in: error.explanation)))
        outcome.add(error.explanation.category)
      }
    }
    return try await run(shares, outcome)
  }

  /// The jobs of one highlight; `nil` when there is nothing to do.
  /// - Throws: `ShareRefusal`, which was reported, or what stopped it.
  private func admit(
    _ names: [String], of order: ShareOrder, _ admission: ShareAdmission, _ known: inout [String: String]
  ) async throws -> AdmittedShare? {
    // Before there is a job: one with a mistyped path could never be finished.
    if let metadata = order.request.metadata.path { _ = try FileIdentity.of(metadata) }
    let question = try await order.admission(of: names) { try await registry.source($0) }
    if names.count == 1 {
      // Two highlights can have been made of the same bytes, and both come back.
      let identity = question.clips[0].source.sha256 + (question.exportedID?.uuidString ?? "")
      if let first = known[identity] {
        report(.repeated(names[0], of: first))
        return nil
      }
      known[identity] = names[0]
    }
    do {
      switch try await admission.admit(question) {
      case .work(let jobs, let isContinued): return AdmittedShare(files: names, jobs: jobs, isContinued: isContinued)
      case .shared(let jobs):
        report(.sharedBefore(names))
        return AdmittedShare(files: names, jobs: jobs, isContinued: false)
      case .existing(let highlight, _):
        report(.existing(names, highlight, try await link.links(to: highlight)))
        return nil
      }
    } catch let refusal as ShareRefusal {
      var clips = names
      if case .rival(let job) = refusal {
        clips = [zip(names, question.clips).first { $0.1.source.sha256 == job.source.sha256 }?.0 ?? job.source.path]
      }
      report(.refused(refusal, clips: clips, subject: AdmittedShare.name(of: names, in: refusal.explanation)))
      throw refusal
    }
  }

  private func notePace(count: Int) async {
    guard pipeline.pace != nil, count > 1, let allowance = try? await api.shareAllowance(),
      allowance.remaining < count
    else { return }
    report(.paced(allowance, count: count))
  }

  // MARK: Resume

  /// Between two looks for the network.
  private static let (shortestPause, longestPause) = (Duration.seconds(5), Duration.seconds(60))

  /// Finishes unfinished jobs.
  /// - Parameters:
  ///   - prefixes: beginnings of job ids; all unfinished jobs when there are none.
  ///   - watches: waits for the network, and continues until nothing is left.
  /// - Returns: `nil` when there was nothing to do.
  package func resume(_ prefixes: [String], watches: Bool) async throws -> RunOutcome? {
    let damage = try await journal.entries().damage
    for error in damage { report(.failed(error, subject: "")) }
    var outcome = RunOutcome(count: damage.count, failures: damage.map(\.explanation.category))
    var waiting = try await registry.unfinished(named: prefixes)
    if prefixes.isEmpty {
      for group in OtherBackendJobs.groups(of: waiting, settings: environment.configuration) {
        report(.failed(group, subject: ""))
        outcome.add(group.explanation.category)
      }
      waiting.removeAll { $0.backend != backendName }
    }
    if waiting.isEmpty, outcome.count == damage.count { return damage.isEmpty ? nil : outcome }
    let wanted = Set(waiting.map(\.id))
    var pause = Self.shortestPause
    while true {
      let ended = try await run(AdmittedShare.all(of: waiting, in: journal), outcome)
      // A job that another process holds may be left unfinished by it.
      let worst = FailureCategory.worst(of: Array(ended.failures.dropFirst(outcome.failures.count)))
      guard watches, worst == .remote || worst == .locked else { return ended }
      let left = try await registry.unfinished(named: []).filter { wanted.contains($0.id) }
      // After progress, the next pause is short.
      pause = left.count < waiting.count ? Self.shortestPause : min(pause * 2, Self.longestPause)
      waiting = left
      report(.waiting(seconds: Int(pause.components.seconds)))
      try await registry.expectRetry(of: left, at: Int64(Date().timeIntervalSince1970) + pause.components.seconds)
      try await Task.sleep(for: pause)
    }
  }

  // MARK: Work

  /// Makes one share after the other; sends as many as are sent at once, and as many that wait for their turn or the
  /// backend.
  private func run(_ shares: [AdmittedShare], _ earlier: RunOutcome) async throws -> RunOutcome {
    let width = 2 * environment.configuration.uploadJobs.value
    return try await withThrowingTaskGroup(of: FailureCategory?.self) { group in
      var outcome = earlier
      for (place, share) in shares.enumerated() {
        if place - (outcome.count - earlier.count) >= width, let ended = try await group.next() { outcome.add(ended) }
        do {
          let held = try await begin(share)
          group.addTask {
            do {
              return try await finish(held, inputs: share.files)
            } catch let error as any ExplainedError {
              return failed(error, share)
            }
          }
        } catch let error as any ExplainedError {
          outcome.add(failed(error, share))
        }
      }
      while let ended = try await group.next() { outcome.add(ended) }
      return outcome
    }
  }

  private func failed(_ error: any ExplainedError, _ share: AdmittedShare) -> FailureCategory {
    report(.failed(error, subject: AdmittedShare.name(of: share.files, in: error.explanation)))
    return error.explanation.category
  }

  /// Takes the locks of a share's jobs and makes all its clips; nothing of it is sent before.
  /// - Throws: `PostError` after the refused clips of several were reported, or what stopped the work.
  private func begin(_ share: AdmittedShare) async throws -> LockedShare {
    for job in share.jobs { try requireBackend(of: job, to: "resume") }
    let locks = try ShareLocks(share.jobs, places: environment.places)
    let jobs = try await journal.current(share.jobs)
    for job in jobs { report(.job(.opened(job, isContinued: share.isContinued))) }
    do {
      let made = try await pipeline.make(jobs)
      let refused = zip(share.files, made).filter(\.1.stage.isRejected)
      // A single clip that is refused is the result.
      guard refused.isEmpty || made.count == 1 else {
        for (file, job) in refused {
          report(.result(ShareResult(jobs: [job], inputs: [file], isReachable: false)))
        }
        throw PostError.refused(count: refused.count, of: made.count)
      }
      return LockedShare(jobs: made, locks: locks)
    } catch {
      for job in jobs { report(.closed(job.id)) }
      await release(locks, ifOver: jobs)
      throw await goneMeanwhile(error, jobs) ?? error
    }
  }

  /// A clip that was removed during the work, or metadata that was named, leaves a job that waits for it.
  private func goneMeanwhile(_ error: any Error, _ jobs: [ShareJob]) async -> ShareEngineError? {
    guard let explanation = (error as? any ExplainedError)?.explanation, explanation.category == .noInput else {
      return nil
    }
    for job in jobs {
      let missing = [job.source.path, job.request.metadata.path].compactMap(\.self).first {
        !FileManager.default.isReadableFile(atPath: $0)
      }
      guard let missing, let known = try? await journal.load(job.id), !known.stage.isFinal else { continue }
      let id = job.id.uuidString.lowercased().prefix(8)
      return ShareEngineError(
        .jobSourceGone,
        [
          "file": job.source.name, "job": String(id),
          "reason": missing == job.source.path ? explanation.why : "\(explanation.why): \(missing)",
        ])
    }
    return nil
  }

  /// Where a share has come to nothing, no lock stays of it.
  private func release(_ locks: ShareLocks, ifOver jobs: [ShareJob]) async {
    guard let known = try? await journal.current(jobs), known.allSatisfy(\.stage.isFinal) else { return }
    locks.release()
  }

  /// Sends what `begin` has made, and reports the results; returns why the share was refused, if it was.
  ///
  /// The jobs' files are removed after the result is reported: until then a killed process leaves jobs that can report it
  /// again.
  private func finish(_ held: LockedShare, inputs: [String]) async throws -> FailureCategory? {
    defer { for job in held.jobs { report(.closed(job.id)) } }
    let finished: [ShareJob]
    do {
      finished = try await pipeline.send(held.jobs)
    } catch {
      await release(held.locks, ifOver: held.jobs)
      throw error
    }
    for job in finished { report(.closed(job.id)) }
    let results = try await ShareResult.all(of: finished, inputs: inputs, link: link)
    for result in results { report(.result(result)) }
    for job in finished { pipeline.tidy(job) }
    held.locks.release()
    let refusal = results.compactMap(\.refusal).first
    report(.finished(refusal))
    return refusal
  }

  package func requireBackend(of job: ShareJob, to verb: String) throws {
    let backend = backendName
    guard job.backend != backend else { return }
    throw ShareEngineError(
      .jobOfOtherBackend,
      ["verb": verb, "file": job.source.name, "backend": job.backend, "current": backend])
  }

  /// Runs `body`, then ends the server that this process may have started.
  package func use<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
      let value = try await body()
      await link.close()
      return value
    } catch {
      await link.close()
      throw error
    }
  }
}

/// The jobs of a share that this process works on, in order, with the locks that keep others away.
private struct LockedShare: Sendable {
  var jobs: [ShareJob]
  var locks: ShareLocks
}
