public import ClipModel
import Foundation
import Highlights

extension SharePipeline {
  /// Shares one file from beginning to end, or continues where an earlier run with the same file and request has stopped.
  ///
  /// Makes the job or finds it, holds its lock, goes all five arrows and removes what the job needed. A clip that was
  /// shared before is not shared again while its highlight exists: its job comes back, with the highlight as it is now.
  /// - Parameters:
  ///   - path: absolute, of a video file.
  ///   - request: what is asked for; the same again is the same share.
  ///   - backendName: what the backend is called in the journal (`local`): jobs are never finished on another one.
  /// - Returns: the job at `.registered`, at `.rejected` with the findings, or at `.uploaded` when
  ///   ``waitsForHighlight`` is false.
  /// - Throws: `ShareRefusal` when the clip is a highlight or an unfinished job with other options, an `ExplainedError` that says what stopped it, or `CancellationError`. The job is stored as far as it
  ///   got: calling it again continues there.
  public func share(
    _ path: String, request: ShareRequest = ShareRequest(), backendName: String
  ) async throws -> ShareJob {
    try places.createStateFolders()
    let registry = JobRegistry(journal: journal, places: places)
    let source = try await registry.source(path)
    let admission = ShareAdmission(registry: registry, backend: backend, backendName: backendName)
    let (jobs, isContinued): ([ShareJob], Bool)
    switch try await admission.admit(ShareAdmission.Order([ShareClip(source, request)])) {
    case .work(let found, let continues): (jobs, isContinued) = (found, continues)
    case .shared(let shared), .existing(_, let shared): return shared[0]
    }
    let locks = try ShareLocks(jobs, places: places)
    let current = try await journal.current(jobs)
    for job in current { report(.opened(job, isContinued: isContinued)) }
    let finished = try await run(current)
    for job in finished { tidy(job) }
    locks.release()
    return finished[0]
  }
}
