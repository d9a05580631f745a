public import ClipModel
import Foundation
import Highlights

extension SharePipeline {
  /// Shares one file from beginning to end, or goes on where an earlier run with the same file and wish has stopped.
  ///
  /// Makes the job or finds it, holds its lock, goes all five arrows and removes what the job needed. A clip that was
  /// shared before is not shared again: its job comes back as it is. One that is a highlight with another wish is refused,
  /// as long as that highlight is there.
  /// - Parameters:
  ///   - path: absolute, of a video file.
  ///   - request: what is asked for; the same again is the same share.
  ///   - backendName: what the backend is called in the journal (`local`): jobs are never finished on another one.
  /// - Returns: the job at `.registered`, at `.rejected` with the findings, or at `.uploaded` when
  ///   ``waitsForHighlight`` is false.
  /// - Throws: an `ExplainedError` that says what stopped it, or `CancellationError`. The job is stored as far as it
  ///   got: calling it again continues there.
  public func share(
    _ path: String, request: ShareRequest = ShareRequest(), backendName: String
  ) async throws -> ShareJob {
    try places.createStateFolders()
    let desk = JobDesk(journal: journal, places: places)
    let source = try await desk.source(path)
    var opening = try await desk.open(source, request: request, backend: backendName)
    var gone: Set<UUID> = []
    while case .other(let other) = opening, case .registered(let highlight, _) = other.stage {
      guard try await !backend.exists(highlight) else {
        throw ShareEngineError(
          what: "cannot share \(source.name)", why: "it is a highlight already, with another wish",
          next: "take that highlight back first, or change what it says", category: .rejected)
      }
      gone.insert(other.id)
      opening = try await desk.open(source, request: request, backend: backendName, gone: gone)
    }
    let (job, isContinued): (ShareJob, Bool)
    switch opening {
    case .new(let new): (job, isContinued) = (new, false)
    case .continued(let waiting): (job, isContinued) = (waiting, true)
    case .shared(let shared), .other(let shared): return shared
    case .rival(let rival):
      throw ShareEngineError(
        what: "cannot share \(rival.source.name)", why: "another job shares the same part of it with another wish",
        next: "finish that one (bsc resume), or take it back (bsc jobs cancel)", category: .locked)
    }
    let lock = try JobLock(job: job.id, places: places)
    // Between the look into the journal and the lock, another process may have gone on with it.
    var current = try await journal.load(job.id) ?? job
    if !current.stage.isFinal { current.source = job.source }
    report(.opened(current, isContinued: isContinued))
    let finished = try await run(current)
    tidy(finished)
    lock.releaseAndRemove()
    return finished
  }
}
