public import ClipModel
public import Foundation

/// How a request differs from a highlight that exists.
public enum ShareDifference: Sendable, Equatable {
  /// Another caption; the wanted one.
  case caption(String?)
  /// Another privacy level.
  case privacy(now: PrivacyLevel, wanted: PrivacyLevel)
  /// The number of likes is hidden now and shall be shown, or the other way round.
  case hidesLikes(now: Bool)
  /// The same clips in another order.
  case order
  /// The clip was made with other settings.
  case settings

  /// - Parameters:
  ///   - jobs: of the earlier share, at least one.
  ///   - highlight: as it is now; `nil` where only the journal was asked.
  ///   - clips: what is asked for now.
  public static func all(of jobs: [ShareJob], _ highlight: Highlight?, from clips: [ShareClip]) -> [ShareDifference] {
    guard let lead = jobs.first, let wanted = clips.first?.request else { return [] }
    // A video of Mux has a title, and no row that has a level or could be changed.
    let isRow = lead.backend != BackendKind.mux.rawValue
    let known = isRow ? highlight : nil
    var differences: [ShareDifference] = []
    if (known.map(\.caption) ?? lead.request.caption) ?? "" != wanted.caption ?? "" {
      differences.append(.caption(wanted.caption))
    }
    if isRow {
      let privacy = known?.privacy ?? lead.request.privacy
      if privacy != wanted.privacy { differences.append(.privacy(now: privacy, wanted: wanted.privacy)) }
      let hidesLikes = known?.hideLikes ?? lead.request.hideLikes
      if hidesLikes != wanted.hideLikes { differences.append(.hidesLikes(now: hidesLikes)) }
    }
    if jobs.map(\.source.sha256) != clips.map(\.source.sha256) { differences.append(.order) }
    if clips.contains(where: { !isMade($0, by: jobs) }) { differences.append(.settings) }
    return differences
  }

  /// What the existing highlight has.
  var text: String {
    switch self {
    case .caption: "another caption"
    case .privacy(let now, _): "privacy \(now.rawValue)"
    case .hidesLikes(let now): now ? "hidden likes" : "visible likes"
    case .order: "another order"
    case .settings: "other settings"
    }
  }

  /// What the highlight itself does not record: how the clip was made.
  private static func isMade(_ clip: ShareClip, by jobs: [ShareJob]) -> Bool {
    guard var made = jobs.first(where: { $0.source.sha256 == clip.source.sha256 })?.request else { return false }
    made.caption = clip.request.caption
    made.privacy = clip.request.privacy
    made.hideLikes = clip.request.hideLikes
    return made == clip.request
  }
}

/// Why a share is refused before it starts.
public enum ShareRefusal: ExplainedError, Sendable {
  /// An unfinished job of the same part of a file has another request or is a part of another share: both would be posted.
  case rival(ShareJob)
  /// The clips are a highlight already, with other options.
  case differs(ShareJob, [ShareDifference], clipCount: Int)
  /// The highlight that was exported is there, with other options.
  case exportDiffers(UUID, [ShareDifference])
  /// It was shared before, and the backend can't be asked whether that is still there.
  case unreachable(Explanation)

  public var explanation: Explanation {
    switch self {
    case .rival(let job):
      Explanation(
        id: job.post == nil ? "share.rival-job" : "share.rival-post", what: "cannot share \(job.source.name)",
        why: job.post == nil
          ? "an unfinished job of this rally (\(Self.short(job.id))) has other options, and both would be posted"
          : "it is part of an unfinished post of several clips (\(Self.short(job.id))), and both would be posted",
        facts: ["file": job.source.name, "job": Self.short(job.id)], category: .rejected)
    case .differs(let job, let differences, let clipCount):
      different(
        job.backend == BackendKind.mux.rawValue ? "share.exists-at-mux" : "share.exists", job.source.name,
        (clipCount > 1 ? "they are " : "it is ")
          + (job.backend == BackendKind.mux.rawValue
            ? "already a video at Mux" : "already highlight \(Self.short(job.highlightID))"),
        job.highlightID, differences)
    case .exportDiffers(let id, let differences):
      different(
        "share.export-exists", "highlight \(Self.short(id))", "it is already highlight \(Self.short(id))", id,
        differences)
    case .unreachable(let outage):
      Explanation(
        id: "share.backend-unreachable", what: "cannot share it again",
        why: "it was shared before, and bsc couldn't check whether that highlight still exists (\(outage.why))",
        category: .remote)
    }
  }

  private func different(
    _ id: String, _ subject: String, _ why: String, _ highlight: UUID, _ differences: [ShareDifference]
  ) -> Explanation {
    Explanation(
      id: id, what: "cannot share \(subject)", why: "\(why), with \(differences.map(\.text).joined(separator: ", "))",
      facts: ["file": subject, "highlight": Self.short(highlight)], category: .rejected)
  }

  private static func short(_ id: UUID) -> String { String(id.uuidString.lowercased().prefix(8)) }
}
