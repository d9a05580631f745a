import ClipModel
import Foundation
import Highlights
import LibCurl
import ShareEngine
import Upload

/// What `share` and `resume` work with: the pipeline and its surroundings, opened once.
struct ShareSession {
  var surroundings: Surroundings
  var journal: Journal
  var link: BackendLink
  var api: HighlightsAPI
  var pipeline: SharePipeline

  init(_ surroundings: Surroundings, report: @escaping @Sendable (ShareEvent) -> Void) async throws {
    self.surroundings = surroundings
    let configuration = surroundings.configuration
    try surroundings.places.createStateFolders()
    journal = try await Journal.open(surroundings.places)
    let link = try BackendLink(surroundings)
    self.link = link
    let transport = try TransferThread(options: configuration.transferOptions)
    api = HighlightsAPI(transport: transport) { try await link.endpoint() }
    let budget = Duration.seconds(configuration.uploadRetrySeconds.value)
    pipeline = SharePipeline(
      journal: journal, places: surroundings.places, secrets: SecretStore(places: surroundings.places), backend: api,
      uploader: DirectUpload(
        transport: transport, policy: RetryPolicy(budget: budget),
        layout: configuration.chunkLayout, deadline: configuration.uploadDeadline.value),
      rules: configuration.rules, resolveURL: { try await link.endpoint().resolve($0) }, report: report)
  }

  /// Takes the job's lock, works on it to its end and prints the result; returns why the clip was refused, if it was.
  ///
  /// The job's files go after the result is told: until then a killed process leaves a job that can tell it again.
  func finish(
    _ job: ShareJob, isContinued: Bool, input: String, reporter: Reporter, asJSON: Bool
  ) async throws -> FailureCategory? {
    try requireBackend(of: job, to: "resume")
    let lock = try JobLock(job: job.id, places: surroundings.places)
    // Between the look into the journal and the lock, another process may have gone on with it or forgotten it.
    var current = try await journal.load(job.id) ?? job
    if !current.stage.isFinal { current.source = job.source }
    reporter.take(.opened(current, isContinued: isContinued))
    let finished = try await pipeline.run(current)
    reporter.endLine()
    let refusal = try await ShareResult(job: finished, input: input, session: self).report(asJSON: asJSON)
    pipeline.tidy(finished)
    lock.releaseAndRemove()
    return refusal
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
