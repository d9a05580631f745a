package import ClipModel
import DurableFiles
package import Foundation

/// A clip to share, and its options.
package struct ShareClip: Sendable, Equatable {
  package var source: SourceFile
  package var request: ShareRequest

  package init(_ source: SourceFile, _ request: ShareRequest) {
    (self.source, self.request) = (source, request)
  }
}

/// Finds or creates the jobs of a share. A share has one to `HighlightDraft.maximumPartCount` clips. Each clip has a
/// job, and all jobs have the same highlight ID.
extension JobRegistry {
  /// The jobs that were found or created for a share.
  package enum ShareMatch: Sendable, Equatable {
    /// New jobs, in the order of the clips.
    case new([ShareJob])
    /// Unfinished jobs, or finished jobs whose result was never reported.
    case continued([ShareJob])
    /// Finished jobs with the same options. Sharing again would create a duplicate highlight.
    case shared([ShareJob])
    /// The most recent finished jobs for the same parts of the same files, with different options or in a different
    /// order.
    case sharedDifferently([ShareJob])
    /// An unfinished job for one of the clips, with different options or in a different share. A new job would create a
    /// second highlight.
    case conflict(ShareJob)
  }

  /// Finds or creates the jobs of a share. A share that is repeated after an interruption continues with the same jobs,
  /// so it cannot create a second highlight. Only one process at a time creates jobs. All jobs of a share are stored in
  /// a single transaction.
  /// - Parameters:
  ///   - clips: distinct clips, in the order in which the highlight shows them.
  ///   - backend: the backend's name in the journal.
  ///   - ignoresEarlierShares: whether to ignore finished shares, and unfinished jobs with different options.
  ///   - highlightID: the ID of the highlight that the clips were exported from. A new highlight gets the same ID.
  ///   - deleted: the IDs of highlights that no longer exist. For `.shared` and `.sharedDifferently`, query the
  ///     backend. If the highlight was deleted, call this function again with its ID.
  /// - Throws: `ShareEngineError` if the journal cannot be used.
  package func open(
    _ clips: [ShareClip], backend: String, ignoresEarlierShares: Bool = false, highlightID: UUID? = nil,
    deleted: Set<UUID> = []
  ) async throws -> ShareMatch {
    try Folder.create(places.stateFolder)
    let lockPath = places.stateFolder + "/registry.lock"
    guard let lock = try await FileLock.wait(path: lockPath, timeout: .seconds(10)) else {
      throw ShareEngineError(.registryLocked)
    }
    var match = try await find(
      clips, backend: backend, ignoresEarlierShares: ignoresEarlierShares, highlightID: highlightID, deleted: deleted)
    if match == nil {
      let jobs = makeJobs(clips, backend: backend, highlightID: ignoresEarlierShares ? nil : highlightID)
      try await journal.save(jobs)
      match = .new(jobs)
    }
    lock.releaseAndRemove()
    return match ?? .new([])
  }

  /// Finds the jobs of a share without creating any. Returns `nil` for a new share.
  package func find(
    _ clips: [ShareClip], backend: String, ignoresEarlierShares: Bool = false, highlightID: UUID? = nil,
    deleted: Set<UUID> = []
  ) async throws -> ShareMatch? {
    func isCandidate(_ job: ShareJob) -> Bool {
      job.backend == backend && (highlightID == nil || job.highlightID == highlightID)
    }
    var (shared, different): ([ShareJob]?, [ShareJob]?)
    for jobs in try await findShares(of: clips, backend) {
      let isSame = zip(jobs, clips).allSatisfy { $0.source.sha256 == $1.source.sha256 && $0.request == $1.request }
      if isSame, jobs.contains(where: isUnfinished), clips.count > 1 || jobs.allSatisfy(isCandidate) {
        return .continued(
          zip(jobs, clips).map { job, clip in
            var job = job
            job.source = clip.source
            job.streaming = streaming ?? job.streaming
            return job
          })
      }
      let isShared = jobs.allSatisfy {
        $0.stage.isRegistered && isCandidate($0) && !deleted.contains($0.highlightID)
      }
      guard isShared else { continue }
      if isSame { shared = shared ?? jobs } else { different = different ?? jobs }
    }
    if ignoresEarlierShares { return nil }
    for clip in clips {
      let conflict = try await journal.findJobs(ofSource: clip.source.sha256).last {
        isCandidate($0) && !$0.stage.isFinal && $0.request.selectsSamePart(as: clip.request)
      }
      if let conflict { return .conflict(conflict) }
    }
    return shared.map { .shared($0) } ?? different.map { .sharedDifferently($0) }
  }

  private func makeJobs(_ clips: [ShareClip], backend: String, highlightID: UUID?) -> [ShareJob] {
    let now = SharePipeline.currentTimestamp()
    let id = highlightID ?? UUID()
    return clips.enumerated().map { part, clip in
      var job = ShareJob(
        id: UUID(), source: clip.source, request: clip.request, highlightID: id,
        post: clips.count > 1 ? PostPart(part: part, count: clips.count) : nil, backend: backend, createdAt: now)
      job.streaming = streaming
      return job
    }
  }

  /// Finds earlier shares of the same parts of the same files, in any order, most recent first. A clip that was shared
  /// alone does not match a post that contains the clip.
  private func findShares(of clips: [ShareClip], _ backend: String) async throws -> [[ShareJob]] {
    let firstPart = clips.count > 1 ? PostPart(part: 0, count: clips.count) : nil
    var leads: [ShareJob] = []
    for digest in Set(clips.map(\.source.sha256)) {
      leads += try await journal.findJobs(ofSource: digest).filter { $0.backend == backend && $0.post == firstPart }
    }
    var shares: [[ShareJob]] = []
    for lead in leads.sorted(by: { ($0.createdAt, $0.id.uuidString) > ($1.createdAt, $1.id.uuidString) }) {
      let jobs = try await journal.loadPost(of: lead)
      var unmatched = clips
      for job in jobs {
        let match = unmatched.firstIndex {
          $0.source.sha256 == job.source.sha256 && $0.request.selectsSamePart(as: job.request)
        }
        if let match { unmatched.remove(at: match) }
      }
      if unmatched.isEmpty { shares.append(jobs) }
    }
    return shares
  }
}

extension ShareRequest {
  /// Whether both requests select the same part of a file.
  func selectsSamePart(as other: ShareRequest) -> Bool {
    metadata.rallyIndex == other.metadata.rallyIndex && cut == other.cut
  }
}
