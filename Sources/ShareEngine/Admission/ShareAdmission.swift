import ClipModel
import Foundation
import Highlights
import Synchronization

/// Decides how a share proceeds: with new or existing jobs, with an existing highlight, or not at all. The decision is
/// based on the journal and the backend. The command line and the library share this logic.
final class ShareAdmission: Sendable {
  private let registry: JobRegistry
  private let backend: any HighlightBackend
  private let backendName: String
  private let author: @Sendable () async throws -> UUID?
  /// The first backend failure. After a failure, bsc no longer queries the backend about other clips.
  private let outage = Mutex<Explanation?>(nil)

  /// The clips for one highlight, and their options.
  struct AdmissionRequest: Sendable {
    /// One to `HighlightDraft.maximumPartCount` distinct clips, in the order in which the highlight shows them.
    var clips: [ShareClip]
    /// The ID of the highlight that the clips were exported from, or `nil` if they are not exports.
    var exportedID: UUID?
    var explicit = ExplicitOptions()
    /// Whether to create new jobs even if the clips were already shared.
    var ignoresEarlierShares = false

    /// Returns the ID of the row of the exported highlight. Mux stores no database rows, so an exported clip is treated
    /// like any other clip.
    func rowID(in backendName: String) -> UUID? { ShareAdmission.hasRows(backendName) ? exportedID : nil }
  }

  /// Options that the user set explicitly. Options from exported metadata are not included.
  struct ExplicitOptions: Sendable, Equatable {
    var caption: String?
    var privacy: PrivacyLevel?
    /// Whether the user asked to hide the like count.
    var hideLikes = false
    /// The coaches to whom the user wants to send the highlight.
    var recipients: HighlightRecipients?
  }

  /// What the jobs in the journal mean for a share.
  enum Classification: Sendable {
    /// The clips were not shared before. The jobs are new; empty if none were created.
    case new([ShareJob])
    /// Unfinished jobs, which the share continues.
    case unfinished([ShareJob])
    /// Finished jobs whose highlight fits the request. `isSame` is whether the jobs have the same options.
    case finished([ShareJob], isSame: Bool)
    /// The highlight of finished jobs has different options. The share is rejected if the highlight still exists.
    case different(ShareRefusal)
    /// An unfinished job prevents the share.
    case conflict(ShareRefusal)
  }

  enum AdmissionDecision: Sendable {
    /// The jobs to process. The caller must lock them.
    case work([ShareJob], isContinued: Bool)
    /// The jobs of an earlier share with the same options. Each job contains the current highlight.
    case shared([ShareJob])
    /// An existing highlight that was exported or was shared with different options, and this machine's jobs for it, if
    /// any.
    case existing(Highlight, [ShareJob])
  }

  /// - Parameters:
  ///   - registry: finds and creates jobs.
  ///   - backend: checks whether highlights still exist.
  ///   - backendName: the backend's name in the journal. A job can resume only on the backend on which it started.
  ///   - author: returns the ID of the user whose highlights are considered, or `nil` to consider the highlights of all
  ///     users.
  init(
    registry: JobRegistry, backend: any HighlightBackend, backendName: String,
    author: @escaping @Sendable () async throws -> UUID? = { nil }
  ) {
    (self.registry, self.backend, self.backendName, self.author) = (registry, backend, backendName, author)
  }

  /// Checks that a backend supports a request. Callers do so before they read the clips.
  /// - Parameters:
  ///   - isPost: whether several clips become one highlight.
  ///   - backendName: the backend's name in the journal.
  /// - Throws: `ShareEngineError` in the category `usage`.
  static func requireSupport(
    of request: ShareRequest, isPost: Bool, by backendName: String
  ) throws(ShareEngineError) {
    if request.metadata.isOptional, backendName != BackendKind.local.rawValue {
      throw ShareEngineError(.metadataRequired)
    }
    if isPost, backendName == BackendKind.mux.rawValue { throw ShareEngineError(.noPostsAtMux) }
  }

  /// - Throws: `ShareRefusal` if the share is rejected, `ShareEngineError` if the journal fails, or a backend error.
  func admit(_ request: AdmissionRequest) async throws -> AdmissionDecision {
    let rowID = request.rowID(in: backendName)
    if let rowID, !request.ignoresEarlierShares,
      try await registry.find(request.clips, backend: backendName, highlightID: rowID) == nil,
      let highlight = try await fetchExportedHighlight(rowID, request.explicit)
    {
      if let refusal = Self.findRefusal(request.explicit, from: highlight) { throw refusal }
      return .existing(highlight, [])
    }
    var deleted: Set<UUID> = []
    while true {
      let match = try await registry.open(
        request.clips, backend: backendName, ignoresEarlierShares: request.ignoresEarlierShares,
        highlightID: request.exportedID, deleted: deleted)
      var highlight: Highlight?
      if let finished = match.finishedJob {
        highlight = try await fetchCurrentHighlight(of: finished)
        if highlight == nil {
          deleted.insert(finished.highlightID)
          continue
        }
      }
      switch Self.classify(match, request, rowID: rowID, highlight: highlight) {
      case .new(let jobs): return .work(jobs, isContinued: false)
      case .unfinished(let jobs): return .work(jobs, isContinued: true)
      case .different(let refusal), .conflict(let refusal): throw refusal
      case .finished(var jobs, let isSame):
        guard let highlight else { return .shared(jobs) }
        guard isSame else { return .existing(highlight, jobs) }
        for index in jobs.indices {
          if case .registered(_, let clip) = jobs[index].stage { jobs[index].stage = .registered(highlight, clip) }
        }
        return .shared(jobs)
      }
    }
  }

  /// Classifies a share without querying the backend.
  /// - Parameters:
  ///   - match: the jobs that the registry found or created, or `nil` if it found none.
  ///   - rowID: the ID of the row of the highlight that the clips were exported from, or `nil` if there is none.
  ///   - highlight: the current highlight of finished jobs, or `nil` to compare only with the journal.
  static func classify(
    _ match: JobRegistry.ShareMatch?, _ request: AdmissionRequest, rowID: UUID?, highlight: Highlight? = nil
  ) -> Classification {
    let (jobs, isSame): ([ShareJob], Bool)
    switch match {
    case nil: return .new([])
    case .new(let created): return .new(created)
    case .continued(let unfinished): return .unfinished(unfinished)
    case .conflict(let job): return .conflict(.conflict(job))
    case .shared(let finished): (jobs, isSame) = (finished, true)
    case .sharedDifferently(let finished): (jobs, isSame) = (finished, false)
    }
    if rowID == nil {
      let differences = ShareDifference.findDifferences(between: jobs, highlight, from: request.clips)
      guard differences.isEmpty else { return .different(.differs(jobs[0], differences, clipCount: jobs.count)) }
    } else if let highlight {
      var explicit = request.explicit
      // The earlier share has the same recipients.
      if isSame { explicit.recipients = nil }
      if let refusal = findRefusal(explicit, from: highlight) { return .different(refusal) }
    }
    return .finished(jobs, isSame: isSame)
  }

  /// Whether the backend stores highlights as rows of a database.
  private static func hasRows(_ backendName: String) -> Bool { backendName != BackendKind.mux.rawValue }

  /// Returns the current state of the registered highlight, or `nil` if it was deleted or belongs to another user.
  private func fetchCurrentHighlight(of job: ShareJob) async throws -> Highlight? {
    guard case .registered(let stored, _) = job.stage else { return nil }
    return try await requireBackendResponse {
      // If the backend stores no database rows, the highlight is known only from the journal.
      Self.hasRows(self.backendName)
        ? try await self.fetchOwnHighlight(stored.id) : try await self.backend.highlightExists(stored) ? stored : nil
    }
  }

  private func fetchOwnHighlight(_ id: UUID) async throws -> Highlight? {
    let highlight = try await backend.highlight(id)
    guard let highlight, let author = try await author() else { return highlight }
    return highlight.authorID.lowercased() == author.uuidString.lowercased() ? highlight : nil
  }

  /// Returns the highlight that the clips were exported from, or `nil` if it was deleted. If the backend is
  /// unreachable, uploading the clips is safe because the backend keeps the existing row; only explicit options would
  /// be lost.
  private func fetchExportedHighlight(_ id: UUID, _ explicit: ExplicitOptions) async throws -> Highlight? {
    do {
      return try await requireBackendResponse { try await self.fetchOwnHighlight(id) }
    } catch ShareRefusal.unreachable where explicit == ExplicitOptions() {
      return nil
    }
  }

  /// Runs a backend request about an earlier share. If the backend doesn't respond, rejects the new share, because it
  /// could create a duplicate highlight.
  private func requireBackendResponse(_ request: () async throws -> Highlight?) async throws -> Highlight? {
    if let outage = outage.withLock(\.self) { throw ShareRefusal.unreachable(outage) }
    do {
      return try await request()
    } catch let error as any ExplainedError where error.explanation.category == .remote {
      outage.withLock { $0 = error.explanation }
      throw ShareRefusal.unreachable(error.explanation)
    }
  }

  /// Returns why a highlight doesn't fit the explicit options, or `nil` if it does.
  private static func findRefusal(_ explicit: ExplicitOptions, from highlight: Highlight) -> ShareRefusal? {
    var differences: [ShareDifference] = []
    if let caption = explicit.caption, caption != highlight.caption ?? "" { differences.append(.caption(caption)) }
    if let privacy = explicit.privacy, privacy != highlight.privacy {
      differences.append(.privacy(now: highlight.privacy, wanted: privacy))
    }
    if explicit.hideLikes, !highlight.hideLikes { differences.append(.hidesLikes(now: false)) }
    if explicit.recipients != nil { differences.append(.recipients) }
    return differences.isEmpty ? nil : .exportDiffers(highlight.id, differences)
  }
}

extension JobRegistry.ShareMatch {
  /// The first job of a finished share, or `nil` if the share isn't finished.
  fileprivate var finishedJob: ShareJob? {
    switch self {
    case .shared(let jobs), .sharedDifferently(let jobs): jobs.first
    case .new, .continued, .conflict: nil
    }
  }
}
