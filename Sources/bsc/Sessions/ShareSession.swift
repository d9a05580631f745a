import ClipModel
import Foundation
import Highlights
import LibCurl
import ShareEngine
import Synchronization
import Upload

/// What `share` and `resume` work with: the pipeline and its surroundings, opened once.
struct ShareSession: Sendable {
  var surroundings: Surroundings
  var journal: Journal
  var link: BackendLink
  var api: any HighlightBackend
  var pipeline: SharePipeline

  /// - Parameters:
  ///   - waits: for the highlights, and not only for the clips' bytes.
  ///   - signIn: what to do where nobody is signed in; without it that is told.
  ///   - notice: told once that the backend cannot be asked now, and is asked again.
  init(
    _ surroundings: Surroundings, waits: Bool = true, signIn: LazySignIn? = nil,
    notice: @escaping @Sendable (String) -> Void = { _ in },
    report: @escaping @Sendable (ShareEvent) -> Void
  ) async throws {
    self.surroundings = surroundings
    let configuration = surroundings.configuration
    try surroundings.places.createStateFolders()
    journal = try await Journal.open(surroundings.places)
    let transport = try configuration.transport()
    let link = try BackendLink(surroundings, transport: transport, signIn: signIn, notice: notice)
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
    pipeline.sending = Turns(configuration.uploadJobs.value)
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

  /// Takes the job's lock and makes its clip.
  func begin(_ job: ShareJob, isContinued: Bool, reporter: Reporter) async throws -> HeldJob {
    try requireBackend(of: job, to: "resume")
    let lock = try JobLock(job: job.id, places: surroundings.places)
    // Between the look into the journal and the lock, another process may have gone on with it or forgotten it.
    var current = try await journal.load(job.id) ?? job
    if !current.stage.isFinal { current.source = job.source }
    reporter.take(.opened(current, isContinued: isContinued))
    do {
      return HeldJob(try await pipeline.make(current), lock: lock)
    } catch {
      reporter.end(job.id)
      throw await goneMeanwhile(error, job) ?? error
    }
  }

  /// A clip that went away while it was worked on, or metadata that was named, leaves a job that waits for it.
  private func goneMeanwhile(_ error: any Error, _ job: ShareJob) async -> UsageFailure? {
    guard let explanation = (error as? any ExplainedError)?.explanation, explanation.category == .noInput,
      explanation.what.hasPrefix("cannot read "), let known = try? await journal.load(job.id), !known.stage.isFinal
    else { return nil }
    let id = job.id.uuidString.lowercased().prefix(8)
    let missing = explanation.what.dropFirst("cannot read ".count)
    return UsageFailure(
      what: "cannot go on with \(job.source.name)",
      why: missing == job.source.path ? explanation.why : "\(explanation.why): \(missing)",
      next: "put it back and run \"bsc resume \(id)\", or take the job back: bsc jobs cancel \(id)", category: .noInput)
  }

  /// Sends what `begin` has made, and prints the result; returns why the clip was refused, if it was.
  ///
  /// The job's files go after the result is told: until then a killed process leaves a job that can tell it again.
  func finish(_ held: HeldJob, input: String, reporter: Reporter, asJSON: Bool) async throws -> FailureCategory? {
    defer { reporter.end(held.job.id) }
    let finished = try await pipeline.send(held.job)
    let result = try await ShareResult(finished, input: input, link: link)
    reporter.end(finished.id)
    reporter.interrupting { result.write(asJSON: asJSON) }
    pipeline.tidy(finished)
    held.release()
    reporter.count(result.refusal)
    return result.refusal
  }

  /// Takes the locks of a post's jobs and makes all its clips; nothing of it is sent before.
  /// - Throws: `PostError` after the refused clips were told, or what stopped the work.
  func begin(_ orders: [ShareOrder], isContinued: Bool, reporter: Reporter, asJSON: Bool) async throws -> HeldPost {
    let jobs = orders.map(\.job)
    for job in jobs { try requireBackend(of: job, to: "resume") }
    let locks = try await PostLocks(jobs, places: surroundings.places)
    var current: [ShareJob] = []
    for job in jobs {
      // As in `begin` of a single one.
      var known = try await journal.load(job.id) ?? job
      if !known.stage.isFinal { known.source = job.source }
      current.append(known)
      reporter.take(.opened(known, isContinued: isContinued))
    }
    do {
      let made = try await pipeline.makePost(current)
      let refused = made.filter(\.stage.isRejected)
      guard refused.isEmpty else {
        for (order, job) in zip(orders, made) where job.stage.isRejected {
          let result = try await ShareResult(job, input: order.file, link: link)
          reporter.interrupting { result.write(asJSON: asJSON) }
        }
        throw PostError.refused(count: refused.count, of: made.count)
      }
      return HeldPost(jobs: made, locks: locks)
    } catch {
      for job in jobs { reporter.end(job.id) }
      await release(locks, ifOver: jobs)
      throw error
    }
  }

  /// Where a post has come to nothing, no lock stays of it.
  private func release(_ locks: PostLocks, ifOver jobs: [ShareJob]) async {
    for job in jobs {
      let known: ShareJob?
      do { known = try await journal.load(job.id) } catch { return }
      if let known, !known.stage.isFinal { return }
    }
    locks.release()
  }

  /// Sends what `begin` has made, and prints the one result; returns why it was refused, if it was.
  func finish(_ held: HeldPost, inputs: [String], reporter: Reporter, asJSON: Bool) async throws -> FailureCategory? {
    defer { for job in held.jobs { reporter.end(job.id) } }
    let finished: [ShareJob]
    do {
      finished = try await pipeline.sendPost(held.jobs)
    } catch {
      await release(held.locks, ifOver: held.jobs)
      throw error
    }
    for job in finished { reporter.end(job.id) }
    let results = try await ShareResult.all(ofPost: finished, inputs: inputs, link: link)
    for result in results { reporter.interrupting { result.write(asJSON: asJSON) } }
    for job in finished { pipeline.tidy(job) }
    held.locks.release()
    let refusal = results.compactMap(\.refusal).first
    reporter.count(refusal)
    return refusal
  }

  /// A highlight of somebody else's is not ours to be content with.
  func own(_ highlight: Highlight?) async throws -> Highlight? {
    guard let highlight, let author = try await link.author else { return highlight }
    return highlight.authorID.lowercased() == author.uuidString.lowercased() ? highlight : nil
  }

  func requireBackend(of job: ShareJob, to verb: String) throws {
    let backend = surroundings.configuration.backend.value.rawValue
    guard job.backend != backend else { return }
    throw UsageFailure(
      what: "cannot \(verb) \(job.source.name)", why: "its job belongs to the backend \(job.backend), not \(backend)",
      next: "run it with BSC_BACKEND=\(job.backend)")
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

/// A job that this process works on, with the lock that keeps others away.
final class HeldJob: Sendable {
  let job: ShareJob
  private let lock: Mutex<JobLock?>

  init(_ job: ShareJob, lock: consuming sending JobLock) {
    self.job = job
    self.lock = Mutex(lock)
  }

  /// For one that is finished: nothing of the lock stays.
  func release() {
    lock.withLock { lock in
      if let held = lock.take() { held.releaseAndRemove() }
    }
  }
}
