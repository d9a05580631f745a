public import ClipModel
import DurableFiles
import Foundation
import Highlights

extension JobRegistry {
  /// Cancels an unfinished job and all other jobs of its share, locally and on the backend. The backend creates no
  /// highlight.
  /// - Parameters:
  ///   - prefix: the first digits of the job's ID.
  ///   - cancelUpload: cancels an upload on the backend. If this closure throws, the jobs remain unchanged and the
  ///     error is rethrown.
  /// - Returns: the canceled jobs.
  /// - Throws: `ShareEngineError` if the prefix doesn't match exactly one job, if the share has ended, if the backend
  ///   already has the complete clip of a single-clip share, or if another process is using the job.
  public func cancel(
    _ prefix: String, cancelUpload: (ShareJob, _ uploadID: String) async throws -> Void
  ) async throws -> [ShareJob] {
    let id = try await identifier(prefix, to: "cancel")
    func loadStoredJobs() async throws -> [ShareJob] {
      guard let job = try await journal.load(id) else { throw ShareEngineError(.jobForgotten, ["job": prefix]) }
      return try await journal.loadPost(of: job)
    }
    let locks = try [JobLock](try await loadStoredJobs(), places: places)
    defer { locks.releaseAndRemove() }
    let jobs = try await loadStoredJobs()
    try requireCancellable(jobs, name: id.shortText)
    try await cancelUploads(of: jobs, cancelUpload)
    var cancelled = jobs.filter { !$0.stage.isFinal }
    for index in cancelled.indices {
      cancelled[index].stage = .cancelled
      cancelled[index].startedUpload = nil
      cancelled[index].updatedAt = SharePipeline.currentTimestamp()
    }
    try await journal.save(cancelled)
    for job in cancelled { try removeFiles(of: job.id) }
    return cancelled
  }

  private func requireCancellable(_ jobs: [ShareJob], name: String) throws(ShareEngineError) {
    if let ended = jobs.first(where: \.stage.isFinal), jobs.allSatisfy(\.stage.isFinal) || ended.stage.isRegistered {
      throw ShareEngineError(
        ended.stage.isRegistered && jobs.count > 1 ? .postRegistered : .jobFinished,
        [
          "job": name, "subject": jobs.count > 1 ? "its post" : "the job", "state": ended.stage.name,
          "highlight": ended.highlightID.shortText,
        ])
    }
    // The backend cancels all of a post's uploads together, so a post can be canceled even if some uploads are complete.
    // A complete upload of a single clip always becomes a highlight.
    guard jobs.count == 1, case .uploaded = jobs[0].stage else { return }
    throw ShareEngineError(.jobUploaded, ["job": name, "backend": jobs[0].backend])
  }

  /// Cancels one upload that the backend still has. The backend then cancels the entire post.
  private func cancelUploads(
    of jobs: [ShareJob], _ cancelUpload: (ShareJob, String) async throws -> Void
  ) async throws {
    var refusal: HighlightsError?
    for job in jobs {
      guard let upload = job.uploadID else { continue }
      do {
        return try await cancelUpload(job, upload)
      } catch let error as HighlightsError {
        guard jobs.count > 1, case .refused(_, 409, _) = error else { throw error }
        refusal = error
      }
    }
    if let refusal { throw refusal }
  }
}
