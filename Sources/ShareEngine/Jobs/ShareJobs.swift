package import ClipModel
import DurableFiles
package import Foundation

/// One clip of a share and its options.
package struct ShareClip: Sendable, Equatable {
  package var source: SourceFile
  package var request: ShareRequest

  package init(_ source: SourceFile, _ request: ShareRequest) {
    (self.source, self.request) = (source, request)
  }
}

/// Chooses the jobs of a share. Each of its one to `HighlightDraft.maximumPartCount` clips has a job, and all jobs have
/// the same highlight ID.
extension JobRegistry {
  /// The jobs that match a share.
  package enum Match: Sendable, Equatable {
    /// All jobs are new, in the order of the clips.
    case new([ShareJob])
    /// Unfinished jobs, or finished ones whose result was never reported.
    case continued([ShareJob])
    /// Finished jobs with the same options. Sharing again would create a duplicate highlight.
    case shared([ShareJob])
    /// The newest finished jobs for the same parts of the same files, with different options or in a different order.
    case sharedDifferently([ShareJob])
    /// An unfinished job for one of the clips, with different options or in a different share. Both would create a
    /// highlight.
    case conflict(ShareJob)
  }

  /// Finds the jobs of a share or creates them. Sharing again after an interruption continues the same jobs, so it cannot
  /// create a second highlight. One process at a time creates jobs, and all jobs of a share are stored in one
  /// transaction.
  /// - Parameters:
  ///   - clips: distinct files, in the order of the highlight.
  ///   - backend: the backend's name in the journal.
  ///   - ignoresEarlierShares: ignores finished shares and unfinished jobs with different options.
  ///   - highlightID: the highlight from which the clips were exported; a new highlight gets the same ID.
  ///   - deleted: the IDs of highlights that no longer exist. For `.shared` and `.sharedDifferently`, query the
  ///     backend, and call this again with the ID if the highlight was deleted.
  /// - Throws: `ShareEngineError` from the journal.
  package func open(
    _ clips: [ShareClip], backend: String, ignoresEarlierShares: Bool = false, highlightID: UUID? = nil,
    deleted: Set<UUID> = []
  ) async throws -> Match {
    try Folder.create(places.stateFolder)
    let lockPath = places.stateFolder + "/registry.lock"
    guard let lock = try await FileLock.wait(path: lockPath, patience: .seconds(10)) else {
      throw ShareEngineError(.registryLocked)
    }
    var match = try await find(
      clips, backend: backend, ignoresEarlierShares: ignoresEarlierShares, highlightID: highlightID, deleted: deleted)
    if match == nil {
      let jobs = newJobs(clips, backend: backend, highlightID: ignoresEarlierShares ? nil : highlightID)
      try await journal.save(jobs)
      match = .new(jobs)
    }
    lock.releaseAndRemove()
    return match ?? .new([])
  }

  /// Like `open`, but creates no jobs. Returns `nil` for a new share.
  package func find(
    _ clips: [ShareClip], backend: String, ignoresEarlierShares: Bool = false, highlightID: UUID? = nil,
    deleted: Set<UUID> = []
  ) async throws -> Match? {
    func isCandidate(_ job: ShareJob) -> Bool {
      job.backend == backend && (highlightID == nil || job.highlightID == highlightID)
    }
    var (shared, different): ([ShareJob]?, [ShareJob]?)
    for jobs in try await shares(of: clips, backend) {
      let isSame = zip(jobs, clips).allSatisfy { $0.source.sha256 == $1.source.sha256 && $0.request == $1.request }
      if isSame, jobs.contains(where: isUnfinished), clips.count > 1 || jobs.allSatisfy(isCandidate) {
        return .continued(
          zip(jobs, clips).map { job, clip in
            var job = job
            job.source = clip.source
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
      let conflict = try await journal.jobs(ofSource: clip.source.sha256).last {
        isCandidate($0) && !$0.stage.isFinal && $0.request.hasSamePart(as: clip.request)
      }
      if let conflict { return .conflict(conflict) }
    }
    return shared.map { .shared($0) } ?? different.map { .sharedDifferently($0) }
  }

  private func newJobs(_ clips: [ShareClip], backend: String, highlightID: UUID?) -> [ShareJob] {
    let now = SharePipeline.now()
    let id = highlightID ?? UUID()
    return clips.enumerated().map { part, clip in
      ShareJob(
        id: UUID(), source: clip.source, request: clip.request, highlightID: id,
        post: clips.count > 1 ? PostPart(part: part, count: clips.count) : nil, backend: backend, createdAt: now)
    }
  }

  /// The shares of the same parts of the same files in any order, newest first. A clip that was shared alone does not
  /// match a post that contains it.
  private func shares(of clips: [ShareClip], _ backend: String) async throws -> [[ShareJob]] {
    let firstPart = clips.count > 1 ? PostPart(part: 0, count: clips.count) : nil
    var leads: [ShareJob] = []
    for digest in Set(clips.map(\.source.sha256)) {
      leads += try await journal.jobs(ofSource: digest).filter { $0.backend == backend && $0.post == firstPart }
    }
    var shares: [[ShareJob]] = []
    for lead in leads.sorted(by: { ($0.createdAt, $0.id.uuidString) > ($1.createdAt, $1.id.uuidString) }) {
      let jobs = try await journal.post(of: lead)
      var unmatched = clips
      for job in jobs {
        let match = unmatched.firstIndex {
          $0.source.sha256 == job.source.sha256 && $0.request.hasSamePart(as: job.request)
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
  func hasSamePart(as other: ShareRequest) -> Bool {
    metadata.rallyIndex == other.metadata.rallyIndex && cut == other.cut
  }
}
