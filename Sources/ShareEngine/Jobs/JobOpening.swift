public import ClipModel
import DurableFiles
public import Foundation

/// One clip of a share: the file, and what is asked for.
public struct ShareClip: Sendable, Equatable {
  /// The file, with its digest.
  public var source: SourceFile
  /// What is asked for.
  public var request: ShareRequest

  /// - Parameters:
  ///   - source: the file.
  ///   - request: what is asked for.
  public init(_ source: SourceFile, _ request: ShareRequest) {
    (self.source, self.request) = (source, request)
  }
}

/// Which jobs a share gets. A share has one to `HighlightDraft.mostParts` clips and one highlight; each clip has a job.
extension JobRegistry {
  /// What the journal knows of a share.
  public enum Opening: Sendable, Equatable {
    /// New jobs, in the order of the clips.
    case new([ShareJob])
    /// Unfinished, or the result was never reported.
    case continued([ShareJob])
    /// Finished and reported: once more would post it twice.
    case shared([ShareJob])
    /// Finished and reported: the same parts of the same files, with another request or in another order; the newest.
    case other([ShareJob])
    /// An unfinished job of one of the clips, with another request or in another share: both would be posted.
    case rival(ShareJob)

    /// The jobs of any case.
    public var jobs: [ShareJob] {
      switch self {
      case .new(let jobs), .continued(let jobs), .shared(let jobs), .other(let jobs): jobs
      case .rival(let job): [job]
      }
    }

    /// The jobs of a finished share.
    public var finished: [ShareJob]? {
      switch self {
      case .shared(let jobs), .other(let jobs): jobs
      case .new, .continued, .rival: nil
      }
    }
  }

  /// Finds the jobs of a share or makes them. Sharing again after an interruption continues, and makes no second
  /// highlight. One process at a time opens jobs; all jobs of a share are stored at once.
  /// - Parameters:
  ///   - clips: in the order of the highlight, each another file.
  ///   - backend: the backend's name in the journal.
  ///   - isNewAnyway: finished shares and other requests are ignored.
  ///   - highlightID: of the highlight that exported clips were; the new one gets the same.
  ///   - gone: ids of highlights that were deleted since. Ask the backend about `.shared` and `.other`, and open again
  ///     with the id where it is gone.
  /// - Throws: `ShareEngineError` from the journal.
  public func open(
    _ clips: [ShareClip], backend: String, isNewAnyway: Bool = false, highlightID: UUID? = nil, gone: Set<UUID> = []
  ) async throws -> Opening {
    let turn = try await turn()
    var opening = try await find(
      clips, backend: backend, isNewAnyway: isNewAnyway, highlightID: highlightID, gone: gone)
    if opening == nil {
      let jobs = newJobs(clips, backend: backend, highlightID: isNewAnyway ? nil : highlightID)
      try await journal.save(jobs)
      opening = .new(jobs)
    }
    turn.releaseAndRemove()
    return opening ?? .new([])
  }

  /// As `open`, for a preview: nothing is made, and no backend is asked. `nil` for a new share.
  public func find(
    _ clips: [ShareClip], backend: String, isNewAnyway: Bool = false, highlightID: UUID? = nil, gone: Set<UUID> = []
  ) async throws -> Opening? {
    func isMeant(_ job: ShareJob) -> Bool {
      job.backend == backend && (highlightID == nil || job.highlightID == highlightID)
    }
    var (shared, other): ([ShareJob]?, [ShareJob]?)
    for jobs in try await shares(of: clips, backend) {
      let isSame = zip(jobs, clips).allSatisfy { $0.source.sha256 == $1.source.sha256 && $0.request == $1.request }
      if isSame, jobs.contains(where: isWaiting), clips.count > 1 || jobs.allSatisfy(isMeant) {
        return .continued(
          zip(jobs, clips).map { job, clip in
            var job = job
            job.source = clip.source
            return job
          })
      }
      guard jobs.allSatisfy(\.stage.isRegistered), jobs.allSatisfy({ isMeant($0) && !gone.contains($0.highlightID) })
      else { continue }
      if isSame { shared = shared ?? jobs } else { other = other ?? jobs }
    }
    if isNewAnyway { return nil }
    for clip in clips {
      let rival = try await journal.jobs(ofSource: clip.source.sha256).last {
        isMeant($0) && !$0.stage.isFinal && $0.request.isOfSamePart(as: clip.request)
      }
      if let rival { return .rival(rival) }
    }
    return shared.map { .shared($0) } ?? other.map { .other($0) }
  }

  private func newJobs(_ clips: [ShareClip], backend: String, highlightID: UUID?) -> [ShareJob] {
    let now = Int64(Date().timeIntervalSince1970)
    let id = highlightID ?? UUID()
    return clips.enumerated().map { part, clip in
      ShareJob(
        id: UUID(), source: clip.source, request: clip.request, highlightID: id,
        post: clips.count > 1 ? PostPlace(part: part, count: clips.count) : nil, backend: backend, createdAt: now,
        updatedAt: now)
    }
  }

  /// Shares of the same parts of the same files, in any order, newest first. A clip by itself is another highlight than
  /// one that it is a part of.
  private func shares(of clips: [ShareClip], _ backend: String) async throws -> [[ShareJob]] {
    let place = clips.count > 1 ? PostPlace(part: 0, count: clips.count) : nil
    var leads: [ShareJob] = []
    for digest in Set(clips.map(\.source.sha256)) {
      leads += try await journal.jobs(ofSource: digest).filter { $0.backend == backend && $0.post == place }
    }
    var shares: [[ShareJob]] = []
    for lead in leads.sorted(by: { ($0.createdAt, $0.id.uuidString) > ($1.createdAt, $1.id.uuidString) }) {
      let jobs = try await journal.post(of: lead)
      var left = clips
      for job in jobs {
        let place = left.firstIndex {
          $0.source.sha256 == job.source.sha256 && $0.request.isOfSamePart(as: job.request)
        }
        if let place { left.remove(at: place) }
      }
      if left.isEmpty { shares.append(jobs) }
    }
    return shares
  }
}

extension ShareRequest {
  /// Both would show the same.
  func isOfSamePart(as other: ShareRequest) -> Bool {
    metadata.rallyIndex == other.metadata.rallyIndex && cut == other.cut
  }
}
