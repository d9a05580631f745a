public import ClipModel
public import Foundation
public import Highlights
import Synchronization

/// Decides what a share comes to, with the journal and the backend: work to do, a highlight that is there already, or a
/// refusal. The command line and the library share through it.
public final class ShareAdmission: Sendable {
  private let registry: JobRegistry
  private let backend: any HighlightBackend
  private let backendName: String
  private let author: @Sendable () async throws -> UUID?
  /// The backend is not asked once more about each clip.
  private let outage = Mutex<Explanation?>(nil)

  /// What is asked for: the clips of one highlight.
  public struct Order: Sendable {
    /// In the order of the highlight, each another file.
    public var clips: [ShareClip]
    /// The highlight that the clips were exported from; `nil` for clips of their own.
    public var exportedID: UUID?
    /// What was asked for besides what an export says of itself.
    public var explicit = ExplicitOptions()
    /// Finished shares and other requests are ignored.
    public var isNewAnyway = false

    /// - Parameter clips: one to `HighlightDraft.mostParts`, in the order of the highlight.
    public init(_ clips: [ShareClip]) { self.clips = clips }
  }

  /// Options that the user gave, and no exported metadata.
  public struct ExplicitOptions: Sendable, Equatable {
    /// `nil` when none was given.
    public var caption: String?
    /// `nil` when none was given.
    public var privacy: PrivacyLevel?
    /// Only `true` is explicit.
    public var hideLikes = false

    /// Nothing was given.
    public init() {}
  }

  /// What a share comes to.
  public enum Answer: Sendable {
    /// Jobs to work on, with the locks still to be taken.
    case work([ShareJob], isContinued: Bool)
    /// Finished before with the same request: the jobs, with the highlight as it is now.
    case shared([ShareJob])
    /// It was exported, or shared in another way, and is there; with the jobs of this machine, if there are any.
    case existing(Highlight, [ShareJob])
  }

  /// - Parameters:
  ///   - registry: where jobs are found and made.
  ///   - backend: asked whether highlights still exist.
  ///   - backendName: the backend's name in the journal: jobs are never finished on another one.
  ///   - author: who is signed in: highlights of others don't count. `nil` counts all.
  public init(
    registry: JobRegistry, backend: any HighlightBackend, backendName: String,
    author: @escaping @Sendable () async throws -> UUID? = { nil }
  ) {
    self.registry = registry
    self.backend = backend
    self.backendName = backendName
    self.author = author
  }

  /// Finds or makes the jobs.
  /// - Throws: `ShareRefusal`, `ShareEngineError` from the journal, what the backend throws.
  public func admit(_ order: Order) async throws -> Answer {
    // Without rows a clip of an export is a clip like others.
    let rowID = keepsRows ? order.exportedID : nil
    if let rowID, !order.isNewAnyway,
      try await registry.find(order.clips, backend: backendName, highlightID: rowID) == nil,
      let highlight = try await exported(rowID, order.explicit)
    {
      try requireExport(highlight, order.explicit)
      return .existing(highlight, [])
    }
    var gone: Set<UUID> = []
    while true {
      let opening = try await registry.open(
        order.clips, backend: backendName, isNewAnyway: order.isNewAnyway, highlightID: order.exportedID, gone: gone)
      switch opening {
      case .new(let jobs): return .work(jobs, isContinued: false)
      case .continued(let jobs): return .work(jobs, isContinued: true)
      case .rival(let job): throw ShareRefusal.rival(job)
      case .shared(var jobs), .other(var jobs):
        guard let highlight = try await standing(jobs[0]) else {
          gone.insert(jobs[0].highlightID)
          continue
        }
        if rowID == nil {
          let differences = ShareDifference.all(of: jobs, highlight, from: order.clips)
          guard differences.isEmpty else { throw ShareRefusal.differs(jobs[0], differences, clipCount: jobs.count) }
        } else {
          try requireExport(highlight, order.explicit)
        }
        guard case .shared = opening else { return .existing(highlight, jobs) }
        for index in jobs.indices { jobs[index].replace(highlight) }
        return .shared(jobs)
      }
    }
  }

  private var keepsRows: Bool { backendName != BackendKind.mux.rawValue }

  /// What was registered, as it is now; `nil` when it was deleted, and where it is somebody else's.
  private func standing(_ job: ShareJob) async throws -> Highlight? {
    guard case .registered(let stored, _) = job.stage else { return nil }
    return try await asking {
      // Without rows the stored highlight is all there is.
      keepsRows ? try await self.own(stored.id) : try await self.backend.exists(stored) ? stored : nil
    }
  }

  private func own(_ id: UUID) async throws -> Highlight? {
    let highlight = try await backend.highlight(id)
    guard let highlight, let author = try await author() else { return highlight }
    return highlight.authorID.lowercased() == author.uuidString.lowercased() ? highlight : nil
  }

  /// An export that was never deleted. When the backend can't be asked, sending it does no harm: the backend keeps the row
  /// that it has; explicit options would be lost.
  private func exported(_ id: UUID, _ explicit: ExplicitOptions) async throws -> Highlight? {
    do {
      return try await asking { try await self.own(id) }
    } catch let refusal as ShareRefusal where explicit == ExplicitOptions() {
      guard case .unreachable = refusal else { throw refusal }
      return nil
    }
  }

  /// Asks the backend about what was shared before. Making a job without an answer could post it twice.
  private func asking(_ body: () async throws -> Highlight?) async throws -> Highlight? {
    if let outage = outage.withLock({ $0 }) { throw ShareRefusal.unreachable(outage) }
    do {
      return try await body()
    } catch let error as any ExplainedError where error.explanation.category == .remote {
      outage.withLock { $0 = error.explanation }
      throw ShareRefusal.unreachable(error.explanation)
    }
  }

  /// Explicit options are never dropped silently.
  private func requireExport(_ highlight: Highlight, _ explicit: ExplicitOptions) throws {
    var differences: [ShareDifference] = []
    if let caption = explicit.caption, caption != highlight.caption ?? "" { differences.append(.caption(caption)) }
    if let privacy = explicit.privacy, privacy != highlight.privacy {
      differences.append(.privacy(now: highlight.privacy, wanted: privacy))
    }
    if explicit.hideLikes, !highlight.hideLikes { differences.append(.hidesLikes(now: false)) }
    guard differences.isEmpty else { throw ShareRefusal.exportDiffers(highlight.id, differences) }
  }
}

extension ShareJob {
  fileprivate mutating func replace(_ highlight: Highlight) {
    if case .registered(_, let clip) = stage { stage = .registered(highlight, clip) }
  }
}
