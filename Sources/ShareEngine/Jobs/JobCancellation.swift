public import ClipModel
import DurableFiles
import Foundation
import Highlights

extension JobRegistry {
  /// Cancels an unfinished job and the other jobs of its share, locally and on the backend. No highlight is created.
  /// - Parameters:
  ///   - prefix: the first digits of the job's ID.
  ///   - cancelUpload: cancels an upload at the backend. If it throws, the jobs are left unchanged and the error is
  ///     rethrown.
  /// - Returns: the canceled jobs.
  /// - Throws: `ShareEngineError` if the prefix matches no job or several, if the share has ended, if the backend has all
  ///   bytes of a single clip, or if another process uses the job.
  public func cancel(
    _ prefix: String, cancelUpload: (ShareJob, _ uploadID: String) async throws -> Void
  ) async throws -> [ShareJob] {
    let id = try await identifier(prefix, to: "cancel")
    func stored() async throws -> [ShareJob] {
      guard let job = try await journal.load(id) else { throw ShareEngineError(.jobForgotten, ["job": prefix]) }
      return try await journal.post(of: job)
    }
    let locks = try [JobLock](try await stored(), places: places)
    defer { locks.releaseAndRemove() }
    let jobs = try await stored()
    try requireCancellable(jobs, name: id.shortText)
    try await cancelUploads(of: jobs, cancelUpload)
    var cancelled = jobs.filter { !$0.stage.isFinal }
    for index in cancelled.indices {
      cancelled[index].stage = .cancelled
      cancelled[index].updatedAt = SharePipeline.now()
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
          "job": name, "subject": jobs.count > 1 ? "its post" : "it", "state": ended.stage.name,
          "highlight": ended.highlightID.shortText,
        ])
    }
    // The backend cancels all uploads of a post together. A complete upload of a single clip always becomes a
    // highlight.
    guard jobs.count == 1, case .uploaded = jobs[0].stage else { return }
    throw ShareEngineError(.jobUploaded, ["job": name, "backend": jobs[0].backend])
  }

  /// Cancels one upload that the backend still has; the backend then cancels the whole post.
  private func cancelUploads(
    of jobs: [ShareJob], _ cancelUpload: (ShareJob, String) async throws -> Void
  ) async throws {
    var refusal: HighlightsError?
    for job in jobs {
      guard let upload = job.stage.uploadID else { continue }
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
