import ClipModel
import Foundation
import Highlights
import LibCurl
import ShareEngine
import Upload

/// What `share` and `resume` work with: the pipeline and its surroundings, opened once.
struct ShareSession: Sendable {
  var surroundings: CommandEnvironment
  var journal: Journal
  var link: BackendConnection
  var api: any HighlightBackend
  var pipeline: SharePipeline

  /// - Parameters:
  ///   - waits: for the highlights, and not only for the clips' bytes.
  ///   - signIn: what to do where nobody is signed in; without it that is told.
  ///   - notice: told once that the backend cannot be asked now, and is asked again.
  init(
    _ surroundings: CommandEnvironment, waits: Bool = true, signIn: LazySignIn? = nil,
    notice: @escaping @Sendable (String) -> Void = { _ in },
    report: @escaping @Sendable (ShareEvent) -> Void
  ) async throws {
    self.surroundings = surroundings
    let configuration = surroundings.configuration
    try surroundings.places.createStateFolders()
    journal = try await Journal.open(surroundings.places)
    let transport = try configuration.transport()
    let link = try BackendConnection(surroundings, transport: transport, signIn: signIn, notice: notice)
    self.link = link
    api = link.backend
    let budget = Duration.seconds(configuration.uploadRetrySeconds.value)
    pipeline = SharePipeline(
      journal: journal, places: surroundings.places, secrets: SecretStore(places: surroundings.places), backend: api,
      uploader: DirectUpload(
        transport: transport, policy: RetryPolicy(budget: budget),
        layout: configuration.chunkLayout, deadline: configuration.uploadDeadline.value),
      rules: configuration.rules, resolveURL: { try await link.resolve($0) }, report: report)
    pipeline.waitsForHighlight = waits
    pipeline.sending = AsyncSemaphore(configuration.uploadJobs.value)
  }

  /// Keeps below what the backend takes.
  mutating func pace(_ choice: PaceChoice) {
    let isCounted = surroundings.configuration.backend.value == .supabase
    if choice == .on || (choice == .auto && isCounted) { pipeline.pace = SharePace(backend: api) }
  }

  /// How long so many take at the backend's pace; `nil` when they need not wait, or nobody can tell.
  func paceNote(count: Int) async -> String? {
    guard pipeline.pace != nil, count > 1, let allowance = try? await api.shareAllowance(),
      allowance.remaining < count
    else { return nil }
    return "the backend takes \(allowance.maxCount) highlights in \(BatchText.time(Double(allowance.windowSeconds))), "
      + "\(allowance.remaining) now: \(count) take about \(BatchText.time(allowance.secondsToShare(count))) "
      + "(--pace off sends them at once, which the backend notes)"
  }

  /// How many are on their way at once: those that are sent, and as many that wait for their turn or the backend.
  var width: Int { 2 * surroundings.configuration.uploadJobs.value }

  /// Takes the locks of a share's jobs and makes all its clips; nothing of it is sent before.
  /// - Throws: `PostError` after the refused clips of several were reported, or what stopped the work.
  func begin(_ unit: ShareUnit, reporter: Reporter, asJSON: Bool) async throws -> LockedShare {
    for job in unit.jobs { try requireBackend(of: job, to: "resume") }
    let locks = try ShareLocks(unit.jobs, places: surroundings.places)
    let jobs = try await journal.current(unit.jobs)
    for job in jobs { reporter.take(.opened(job, isContinued: unit.isContinued)) }
    do {
      let made = try await pipeline.make(jobs)
      let refused = zip(unit.files, made).filter(\.1.stage.isRejected)
      // A single clip that is refused is the result.
      guard refused.isEmpty || made.count == 1 else {
        for (file, job) in refused {
          let result = try await ShareResult(job, input: file, link: link)
          reporter.interrupting { result.write(asJSON: asJSON) }
        }
        throw PostError.refused(count: refused.count, of: made.count)
      }
      return LockedShare(jobs: made, locks: locks)
    } catch {
      for job in jobs { reporter.end(job.id) }
      await release(locks, ifOver: jobs)
      throw await goneMeanwhile(error, jobs) ?? error
    }
  }

  /// A clip that was removed during the work, or metadata that was named, leaves a job that waits for it.
  private func goneMeanwhile(_ error: any Error, _ jobs: [ShareJob]) async -> CommandFailure? {
    guard let explanation = (error as? any ExplainedError)?.explanation, explanation.category == .noInput else {
      return nil
    }
    for job in jobs {
      let missing = [job.source.path, job.request.metadata.path].compactMap(\.self).first {
        !FileManager.default.isReadableFile(atPath: $0)
      }
      guard let missing, let known = try? await journal.load(job.id), !known.stage.isFinal else { continue }
      let id = job.id.uuidString.lowercased().prefix(8)
      return CommandFailure(
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

  /// Sends what `begin` has made, and prints the one result; returns why it was refused, if it was.
  ///
  /// The jobs' files are removed after the result is printed: until then a killed process leaves jobs that can print it
  /// again.
  func finish(_ held: LockedShare, inputs: [String], reporter: Reporter, asJSON: Bool) async throws -> FailureCategory?
  {
    defer { for job in held.jobs { reporter.end(job.id) } }
    let finished: [ShareJob]
    do {
      finished = try await pipeline.send(held.jobs)
    } catch {
      await release(held.locks, ifOver: held.jobs)
      throw error
    }
    for job in finished { reporter.end(job.id) }
    let results = try await ShareResult.all(of: finished, inputs: inputs, link: link)
    for result in results { reporter.interrupting { result.write(asJSON: asJSON) } }
    for job in finished { pipeline.tidy(job) }
    held.locks.release()
    let refusal = results.compactMap(\.refusal).first
    reporter.count(refusal)
    return refusal
  }

  /// Works on all of them: one after the other is made, while others are sent.
  /// - Parameter settledCount: of others that were done before, and well.
  func run(
    _ units: [ShareUnit], failed: [FailureCategory], settledCount: Int = 0, reporter: Reporter, asJSON: Bool
  ) async throws -> Int32 {
    try await InputRunner.run(
      units, width: width, named: { ShareUnit.name(of: $0.files, in: $1) }, failed: failed, settledCount: settledCount,
      tell: reporter.tell(asJSON: asJSON),
      make: { try await begin($0, reporter: reporter, asJSON: asJSON) },
      finish: { try await finish($1, inputs: $0.files, reporter: reporter, asJSON: asJSON) })
  }

  func requireBackend(of job: ShareJob, to verb: String) throws {
    let backend = surroundings.configuration.backend.value.rawValue
    guard job.backend != backend else { return }
    throw CommandFailure(
      .jobOfOtherBackend, ["verb": verb, "file": job.source.name, "backend": job.backend, "current": backend])
  }

  /// Runs `body`, then ends the server that this process may have started.
  func use<Value>(_ body: () async throws -> Value) async throws -> Value {
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
struct LockedShare: Sendable {
  var jobs: [ShareJob]
  var locks: ShareLocks
}
