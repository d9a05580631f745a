import ClipModel
import Foundation
import Highlights
import Synchronization

/// Uses the journal and the backend to decide the outcome of a share: jobs to work on, an existing highlight, or a
/// refusal. The command line and the library use the same decision.
final class ShareAdmission: Sendable {
  private let registry: JobRegistry
  private let backend: any HighlightBackend
  private let backendName: String
  private let author: @Sendable () async throws -> UUID?
  /// After the first failure, bsc no longer queries the backend about further clips.
  private let outage = Mutex<Explanation?>(nil)

  /// The clips of one highlight and their options.
  struct Request: Sendable {
    /// One to `HighlightDraft.maximumPartCount` distinct files, in the order of the highlight.
    var clips: [ShareClip]
    /// The highlight from which the clips were exported; `nil` for other clips.
    var exportedID: UUID?
    var explicit = ExplicitOptions()
    /// Creates new jobs even if the clips were shared before.
    var ignoresEarlierShares = false
  }

  /// Options that the user set, unlike those from an exported file.
  struct ExplicitOptions: Sendable, Equatable {
    var caption: String?
    var privacy: PrivacyLevel?
    /// Whether the like count is hidden; `false` if the user did not set it.
    var hideLikes = false
  }

  enum Decision: Sendable {
    /// Jobs to work on. The caller takes their locks.
    case work([ShareJob], isContinued: Bool)
    /// The jobs of an earlier share with the same options, with the current highlight.
    case shared([ShareJob])
    /// An existing highlight that was exported or shared differently, with the jobs of this machine, if there are any.
    case existing(Highlight, [ShareJob])
  }

  /// - Parameters:
  ///   - registry: finds and creates jobs.
  ///   - backend: checks whether highlights still exist.
  ///   - backendName: the backend's name in the journal. A job only continues on the same backend.
  ///   - author: the signed-in user; highlights of other users are ignored. `nil` includes all users.
  init(
    registry: JobRegistry, backend: any HighlightBackend, backendName: String,
    author: @escaping @Sendable () async throws -> UUID? = { nil }
  ) {
    (self.registry, self.backend, self.backendName, self.author) = (registry, backend, backendName, author)
  }

  /// - Throws: `ShareRefusal`, `ShareEngineError` from the journal, or an error of the backend.
  func admit(_ request: Request) async throws -> Decision {
    // Mux stores no rows, so an exported clip is treated like any other clip.
    let rowID = hasRows ? request.exportedID : nil
    if let rowID, !request.ignoresEarlierShares,
      try await registry.find(request.clips, backend: backendName, highlightID: rowID) == nil,
      let highlight = try await exportedHighlight(rowID, request.explicit)
    {
      try requireNoDifference(request.explicit, from: highlight)
      return .existing(highlight, [])
    }
    var deleted: Set<UUID> = []
    while true {
      let match = try await registry.open(
        request.clips, backend: backendName, ignoresEarlierShares: request.ignoresEarlierShares,
        highlightID: request.exportedID, deleted: deleted)
      switch match {
      case .new(let jobs): return .work(jobs, isContinued: false)
      case .continued(let jobs): return .work(jobs, isContinued: true)
      case .conflict(let job): throw ShareRefusal.conflict(job)
      case .shared(var jobs), .sharedDifferently(var jobs):
        guard let highlight = try await currentHighlight(of: jobs[0]) else {
          deleted.insert(jobs[0].highlightID)
          continue
        }
        if rowID == nil {
          let differences = ShareDifference.all(of: jobs, highlight, from: request.clips)
          guard differences.isEmpty else { throw ShareRefusal.differs(jobs[0], differences, clipCount: jobs.count) }
        } else {
          try requireNoDifference(request.explicit, from: highlight)
        }
        guard case .shared = match else { return .existing(highlight, jobs) }
        for index in jobs.indices {
          if case .registered(_, let clip) = jobs[index].stage { jobs[index].stage = .registered(highlight, clip) }
        }
        return .shared(jobs)
      }
    }
  }

  private var hasRows: Bool { backendName != BackendKind.mux.rawValue }

  /// The registered highlight in its current state; `nil` if it was deleted or belongs to another user.
  private func currentHighlight(of job: ShareJob) async throws -> Highlight? {
    guard case .registered(let stored, _) = job.stage else { return nil }
    return try await requireAnswer {
      // If the backend stores no rows, only the highlight in the journal is known.
      hasRows ? try await self.ownHighlight(stored.id) : try await self.backend.exists(stored) ? stored : nil
    }
  }

  private func ownHighlight(_ id: UUID) async throws -> Highlight? {
    let highlight = try await backend.highlight(id)
    guard let highlight, let author = try await author() else { return highlight }
    return highlight.authorID.lowercased() == author.uuidString.lowercased() ? highlight : nil
  }

  /// The highlight of an export, unless it was deleted. If the backend is unreachable, sending the clip is safe because
  /// the backend keeps the existing row; only explicit options would be lost.
  private func exportedHighlight(_ id: UUID, _ explicit: ExplicitOptions) async throws -> Highlight? {
    do {
      return try await requireAnswer { try await self.ownHighlight(id) }
    } catch ShareRefusal.unreachable where explicit == ExplicitOptions() {
      return nil
    }
  }

  /// Checks an earlier share with the backend. If the backend doesn't respond, continuing could create a duplicate
  /// highlight.
  private func requireAnswer(_ request: () async throws -> Highlight?) async throws -> Highlight? {
    if let outage = outage.withLock(\.self) { throw ShareRefusal.unreachable(outage) }
    do {
      return try await request()
    } catch let error as any ExplainedError where error.explanation.category == .remote {
      outage.withLock { $0 = error.explanation }
      throw ShareRefusal.unreachable(error.explanation)
    }
  }

  private func requireNoDifference(_ explicit: ExplicitOptions, from highlight: Highlight) throws {
    var differences: [ShareDifference] = []
    if let caption = explicit.caption, caption != highlight.caption ?? "" { differences.append(.caption(caption)) }
    if let privacy = explicit.privacy, privacy != highlight.privacy {
      differences.append(.privacy(now: highlight.privacy, wanted: privacy))
    }
    if explicit.hideLikes, !highlight.hideLikes { differences.append(.hidesLikes(now: false)) }
    guard differences.isEmpty else { throw ShareRefusal.exportDiffers(highlight.id, differences) }
  }
}
