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
    /// An unfinished job of one of the clips, which would be posted beside it.
    case rival(ShareJob)
  }

  /// The jobs of a post; as `open` for one clip. They are stored all at once, so a post is never half there.
  /// - Parameters:
  ///   - clips: in the order of the post, 2 to `HighlightDraft.mostParts`, each another file.
  ///   - highlightID: of the highlight that exported clips were.
  package func openPost(
    _ clips: [(source: SourceFile, request: ShareRequest)], backend: String, isNewAnyway: Bool = false,
    highlightID: UUID? = nil
  ) async throws -> PostOpening {
    let turn = try await turn()
    var opening = try await found(clips, backend: backend, isNewAnyway: isNewAnyway)
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

  private func found(
    _ clips: [(source: SourceFile, request: ShareRequest)], backend: String, isNewAnyway: Bool
  ) async throws -> PostOpening? {
    guard let first = clips.first else { return nil }
    let leads = try await journal.jobs(ofSource: first.source.sha256).filter {
      $0.backend == backend && $0.post == PostPlace(part: 0, count: clips.count) && $0.request == first.request
    }
    var shared: [ShareJob]?
    for lead in leads.reversed() {
      var jobs = try await journal.post(of: lead)
      guard jobs.map(\.source.sha256) == clips.map(\.source.sha256), jobs.map(\.request) == clips.map(\.request) else {
        continue
      }
      if jobs.contains(where: isWaiting) {
        for index in jobs.indices { jobs[index].source = clips[index].source }
        return .continued(jobs)
      }
      if shared == nil, jobs.allSatisfy(\.stage.isRegistered) { shared = jobs }
    }
    if isNewAnyway { return nil }
    for clip in clips {
      let rival = try await journal.jobs(ofSource: clip.source.sha256).last {
        $0.backend == backend && !$0.stage.isFinal && $0.request.isOfSamePart(as: clip.request)
      }
      if let rival { return .rival(rival) }
    }
    return shared.map { .shared($0) }
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
