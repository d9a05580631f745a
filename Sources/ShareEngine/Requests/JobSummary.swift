import ClipMedia
package import ClipModel
import Foundation
import Highlights

/// A summary of a job for display and for JSON output (`bsc.job/1`).
package struct JobSummary: Encodable, Sendable {
  package private(set) var schema = "bsc.job/1"
  package var id: String
  package var state: String
  package var backend: String
  /// The clip's path.
  package var source: String
  /// The time at which the job was created, as Unix time in seconds.
  package var createdAt: Int64
  package var updatedAt: Int64
  package var highlightID: String
  /// The clip's position in a highlight with several clips.
  package var post: PostPart?
  package var caption: String?
  /// The total size of the processed clip and its pictures on the disk, in bytes.
  package var diskByteCount: Int64
  /// How far the clip's interrupted or running encode is, or `nil` if nothing of it is stored.
  package var encoding: EncodingProgress?
  /// The size of the upload in bytes, or `nil` if the upload has not started.
  package var byteCount: Int64?
  package var confirmedByteCount: Int64?
  /// The time after which the upload must start over, as Unix time in seconds.
  package var expiresAt: Int64?
  /// The number of earlier uploads of this clip that were lost.
  package var attempt: Int
  /// The reason that the job stopped, and the time of the next retry.
  package var setback: JobFailure?
  /// The ID of the process that is currently working on the job.
  package var process: Int32?
  /// The findings for which the clip was rejected.
  package var findings: [Finding]?
  /// The number of coaches to whom a registered highlight was not sent yet, or `nil` if there are none.
  package var unsentLinkCount: Int?
  /// Whether the job is complete. A registered job is incomplete until its links were sent and its result was reported,
  /// because `resume` still has to do so.
  package let isDone: Bool
  /// The highlight of a registered job.
  package private(set) var highlight: Highlight?

  private enum CodingKeys: CodingKey {
    case schema, id, state, backend, source, createdAt, updatedAt, highlightID, post, caption, diskByteCount, encoding,
      byteCount, confirmedByteCount, expiresAt, attempt, setback, process, findings, unsentLinkCount
  }

  /// Creates a summary. Reads the job's lock and the sizes of its files.
  init(_ job: ShareJob, registry: JobRegistry) {
    isDone = job.stage.isFinal && !registry.isUnfinished(job)
    id = job.id.uuidString.lowercased()
    (state, backend, source) = (job.stage.name, job.backend, job.source.path)
    (createdAt, updatedAt) = (job.createdAt, job.updatedAt)
    highlightID = job.highlightID.uuidString.lowercased()
    (post, caption, attempt, setback) = (job.post, job.request.caption, job.attempt, job.setback)
    process = registry.holder(of: job.id)
    diskByteCount = registry.diskByteCount(of: job.id)
    unsentLinkCount = job.awaitsLinks ? job.request.recipients?.coachIDs.count : nil
    switch job.stage {
    case .uploading(_, let session):
      (byteCount, confirmedByteCount, expiresAt) = (session.byteCount, session.confirmedOffset, session.expiresAt)
    case .uploaded(_, let receipt): (byteCount, confirmedByteCount) = (receipt.byteCount, receipt.byteCount)
    case .processed(let clip): byteCount = clip.byteCount
    case .rejected(let findings): self.findings = findings
    case .registered(let highlight, _): self.highlight = highlight
    case .planned: encoding = StoredEncode(of: registry.places.jobClip(job.id)).readProgress()
    case .queued, .probed, .cancelled: break
    }
  }

  /// The number of seconds until the job is retried, or `nil` if no retry is scheduled.
  package var secondsToRetry: Int64? {
    setback?.retryAt.map { $0 - Int64(Date().timeIntervalSince1970) }.flatMap { $0 > 0 ? $0 : nil }
  }
}

extension ShareSession {
  /// Cancels a job together with all other jobs of its highlight.
  /// - Parameter prefix: the first digits of the job's ID.
  package func cancel(_ prefix: String) async throws -> [JobSummary] {
    let registry = JobRegistry(journal: journal, places: environment.places)
    let jobs = try await registry.cancel(prefix) { job, upload in
      try requireBackend(of: job, to: "cancel")
      try await backend.cancelUpload(upload)
    }
    return jobs.map { JobSummary($0, registry: registry) }
  }
}
