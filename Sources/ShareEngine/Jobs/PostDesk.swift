package import ClipModel
import DurableFiles
package import Foundation
import Highlights

/// Posts of several clips: a job each, made and taken back together.
extension JobDesk {
  /// What there is of several files that become one highlight.
  package enum PostOpening: Sendable {
    case new([ShareJob])
    /// Unfinished, or nobody has seen its result.
    case continued([ShareJob])
    /// Shared and told before.
    case shared([ShareJob])
    /// Shared and told before: the same parts, with another wish or in another order.
    case other([ShareJob])
    /// An unfinished job of one of the clips, which would be posted beside it.
    case rival(ShareJob)
  }

  /// The jobs of a post; as `open` for one clip. They are stored all at once, so a post is never half there.
  /// - Parameters:
  ///   - clips: in the order of the post, 2 to `HighlightDraft.mostParts`, each another file.
  ///   - highlightID: of the highlight that exported clips were.
  ///   - gone: highlights that were taken back since.
  package func openPost(
    _ clips: [(source: SourceFile, request: ShareRequest)], backend: String, isNewAnyway: Bool = false,
    highlightID: UUID? = nil, gone: Set<UUID> = []
  ) async throws -> PostOpening {
    let turn = try await turn()
    var opening = try await found(clips, backend: backend, isNewAnyway: isNewAnyway, highlightID, gone: gone)
    if opening == nil {
      let now = Int64(Date().timeIntervalSince1970)
      let id = isNewAnyway ? UUID() : highlightID ?? UUID()
      let jobs = clips.enumerated().map { part, clip in
        ShareJob(
          id: UUID(), source: clip.source, request: clip.request, highlightID: id,
          post: PostPlace(part: part, count: clips.count), backend: backend, createdAt: now, updatedAt: now)
      }
      try await journal.save(jobs)
      opening = .new(jobs)
    }
    turn.releaseAndRemove()
    return opening ?? .new([])
  }

  /// What sharing these clips together would come to, for somebody who only looks; `nil` for a new highlight.
  package func lookAtPost(
    _ clips: [(source: SourceFile, request: ShareRequest)], backend: String, highlightID: UUID? = nil
  ) async throws -> PostOpening? {
    try await found(clips, backend: backend, isNewAnyway: false, highlightID, gone: [])
  }

  private func found(
    _ clips: [(source: SourceFile, request: ShareRequest)], backend: String, isNewAnyway: Bool, _ highlightID: UUID?,
    gone: Set<UUID>
  ) async throws -> PostOpening? {
    var (shared, other): ([ShareJob]?, [ShareJob]?)
    for jobs in try await posts(of: clips, backend) {
      let isSame =
        jobs.map(\.source.sha256) == clips.map(\.source.sha256) && jobs.map(\.request) == clips.map(\.request)
      if isSame, jobs.contains(where: isWaiting) {
        return .continued(
          zip(jobs, clips).map { job, clip in
            var job = job
            job.source = clip.source
            return job
          })
      }
      guard jobs.allSatisfy(\.stage.isRegistered), let id = jobs.first?.highlightID, !gone.contains(id),
        highlightID == nil || highlightID == id
      else { continue }
      if isSame { shared = shared ?? jobs } else { other = other ?? jobs }
    }
    if isNewAnyway { return nil }
    for clip in clips {
      let rival = try await journal.jobs(ofSource: clip.source.sha256).last {
        $0.backend == backend && !$0.stage.isFinal && $0.request.isOfSamePart(as: clip.request)
          && (highlightID == nil || $0.highlightID == highlightID)
      }
      if let rival { return .rival(rival) }
    }
    return shared.map { .shared($0) } ?? other.map { .other($0) }
  }

  /// Posts of the same parts of the same files, in whatever order, newest first.
  private func posts(
    of clips: [(source: SourceFile, request: ShareRequest)], _ backend: String
  ) async throws -> [[ShareJob]] {
    var leads: [ShareJob] = []
    for digest in Set(clips.map(\.source.sha256)) {
      leads += try await journal.jobs(ofSource: digest).filter {
        $0.backend == backend && $0.post == PostPlace(part: 0, count: clips.count)
      }
    }
    var posts: [[ShareJob]] = []
    for lead in leads.sorted(by: { ($0.createdAt, $0.id.uuidString) > ($1.createdAt, $1.id.uuidString) }) {
      let jobs = try await journal.post(of: lead)
      var left = clips
      for job in jobs {
        let place = left.firstIndex {
          $0.source.sha256 == job.source.sha256 && $0.request.isOfSamePart(as: job.request)
        }
        if let place { left.remove(at: place) }
      }
      if left.isEmpty { posts.append(jobs) }
    }
    return posts
  }

  /// Takes back all clips of a post whose highlight is not there.
  func cancelPost(
    of job: ShareJob, cancelUpload: (ShareJob, _ uploadID: String) async throws -> Void
  ) async throws -> [ShareJob] {
    let locks = try await PostLocks(try await journal.post(of: job), places: places)
    let jobs = try await journal.post(of: job)
    let name = job.id.uuidString.lowercased().prefix(8)
    if let over = jobs.first(where: \.stage.isFinal), jobs.allSatisfy(\.stage.isFinal) || over.stage.isRegistered {
      locks.release()
      throw ShareEngineError(
        what: "cannot cancel \(name)", why: "its post is \(over.stage.name)",
        next: over.stage.isRegistered
          ? "take the highlight back: bsc highlights delete \(job.highlightID.uuidString.lowercased().prefix(8))"
          : "forget it: bsc jobs forget \(name)", category: .usage)
    }
    try await tell(jobs, cancelUpload)
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

  /// The backend ends a post with any of its clips: one that it still knows is enough.
  private func tell(_ jobs: [ShareJob], _ cancelUpload: (ShareJob, String) async throws -> Void) async throws {
    var refusal: HighlightsError?
    for job in jobs {
      guard let upload = job.stage.uploadID else { continue }
      do {
        return try await cancelUpload(job, upload)
      } catch let error as HighlightsError {
        guard case .refused(_, 409, _) = error else { throw error }
        refusal = error
      }
    }
    if let refusal { throw refusal }
  }
}

extension ShareStage {
  /// The highlight is there.
  package var isRegistered: Bool { if case .registered = self { true } else { false } }

  /// The backend's id of the upload that holds the clip, or will.
  var uploadID: String? {
    switch self {
    case .uploading(_, let session): session.uploadID
    case .uploaded(_, let receipt): receipt.uploadID
    case .queued, .probed, .planned, .processed, .registered, .rejected, .cancelled: nil
    }
  }
}

extension ShareRequest {
  /// Both would show the same.
  func isOfSamePart(as other: ShareRequest) -> Bool {
    metadata.rallyIndex == other.metadata.rallyIndex && cut == other.cut
  }
}
