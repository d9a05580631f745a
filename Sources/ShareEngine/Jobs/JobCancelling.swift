public import ClipModel
import DurableFiles
import Foundation
import Highlights

extension JobRegistry {
  /// Cancels an unfinished job and the other jobs of its share: the backend forgets its uploads, and nothing is
  /// registered.
  /// - Parameters:
  ///   - prefix: the beginning of the job's id.
  ///   - cancelUpload: cancels at the backend; what it throws is thrown, and the jobs stay as they were.
  /// - Returns: all jobs that are cancelled.
  /// - Throws: `ShareEngineError` when none or several jobs are meant, when the share is finished, when all bytes of a
  ///   single clip are at the backend, or when a process works on it.
  public func cancel(
    _ prefix: String, cancelUpload: (ShareJob, _ uploadID: String) async throws -> Void
  ) async throws -> [ShareJob] {
    let id = try await identifier(prefix, to: "cancel")
    guard let named = try await journal.load(id) else { throw forgotten(prefix) }
    let locks = try ShareLocks(try await journal.post(of: named), places: places)
    guard let job = try await journal.load(id) else { throw forgotten(prefix) }
    let jobs = try await journal.post(of: job)
    do {
      try requireCancellable(jobs, name: String(id.uuidString.lowercased().prefix(8)))
    } catch {
      locks.release()
      throw error
    }
    try await cancelUploads(of: jobs, cancelUpload)
    var cancelled: [ShareJob] = []
    for var job in jobs where !job.stage.isFinal {
      job.stage = .cancelled
      job.updatedAt = Int64(Date().timeIntervalSince1970)
      cancelled.append(job)
    }
    try await journal.save(cancelled)
    for job in cancelled {
      try SecretStore(places: places).delete(.uploadURL(job: job.id))
      try Folder.remove(places.jobFolder(job.id))
    }
    locks.release()
    return cancelled
  }

  private func requireCancellable(_ jobs: [ShareJob], name: String) throws(ShareEngineError) {
    if let over = jobs.first(where: \.stage.isFinal), jobs.allSatisfy(\.stage.isFinal) || over.stage.isRegistered {
      throw ShareEngineError(
        over.stage.isRegistered && jobs.count > 1 ? .postRegistered : .jobFinished,
        [
          "job": name, "subject": jobs.count > 1 ? "its post" : "it", "state": over.stage.name,
          "highlight": String(over.highlightID.uuidString.lowercased().prefix(8)),
        ])
    }
    // Of a post the backend cancels all uploads together; a single complete upload becomes a highlight by itself.
    guard jobs.count == 1, case .uploaded = jobs[0].stage else { return }
    throw ShareEngineError(.jobUploaded, ["job": name, "backend": jobs[0].backend])
  }

  private func forgotten(_ prefix: String) -> ShareEngineError {
    ShareEngineError(.jobForgotten, ["job": prefix])
  }

  /// The backend ends a share with any of its clips: one upload that it still knows is enough.
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
