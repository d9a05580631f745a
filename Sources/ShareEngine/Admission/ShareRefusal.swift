public import ClipModel
public import Foundation

/// A difference between a request and an existing highlight.
public enum ShareDifference: Sendable, Equatable {
  /// The requested caption.
  case caption(String?)
  /// The current privacy level differs from the requested privacy level.
  case privacy(now: PrivacyLevel, wanted: PrivacyLevel)
  /// The like count is currently hidden but should be visible, or the reverse.
  case hidesLikes(now: Bool)
  /// The clips are the same, but in a different order.
  case order
  /// Different processing settings.
  case settings
  /// The highlight should be sent to coaches to whom the earlier share didn't send it.
  case recipients

  /// - Parameters:
  ///   - jobs: the jobs of the earlier share. There must be at least one job.
  ///   - highlight: the current highlight, or `nil` to compare only with the journal.
  ///   - clips: the requested clips.
  static func findDifferences(between jobs: [ShareJob], _ highlight: Highlight?, from clips: [ShareClip])
    -> [ShareDifference]
  {
    guard let lead = jobs.first, let request = clips.first?.request else { return [] }
    // A video in Mux has a title, but no database row with a privacy level.
    let isRow = lead.backend != BackendKind.mux.rawValue
    let row = isRow ? highlight : nil
    var differences: [ShareDifference] = []
    if (row.map(\.caption) ?? lead.request.caption) ?? "" != request.caption ?? "" {
      differences.append(.caption(request.caption))
    }
    if isRow {
      let privacy = row?.privacy ?? lead.privacy
      // Without a level in both requests, the account's setting decided about the earlier share.
      let isDecided = request.usesAccountPrivacy == true && lead.request.usesAccountPrivacy == true
      if privacy != (isDecided ? lead.privacy : request.privacy) {
        differences.append(.privacy(now: privacy, wanted: request.privacy))
      }
      let hidesLikes = row?.hideLikes ?? lead.request.hideLikes
      if hidesLikes != request.hideLikes { differences.append(.hidesLikes(now: hidesLikes)) }
    }
    if jobs.map(\.source.sha256) != clips.map(\.source.sha256) { differences.append(.order) }
    if clips.contains(where: { !hasMatchingSettings(of: $0, in: jobs) }) { differences.append(.settings) }
    if let recipients = request.recipients, recipients != lead.request.recipients { differences.append(.recipients) }
    return differences
  }

  /// A description of the existing highlight's value.
  var text: String {
    switch self {
    case .caption: "a different caption"
    case .privacy(let now, _): "privacy \(now.rawValue)"
    case .hidesLikes(let now): now ? "hidden likes" : "visible likes"
    case .order: "a different order"
    case .settings: "different settings"
    case .recipients: "other coaches"
    }
  }

  /// Compares only the options that are not stored in the highlight and that affect the clip.
  private static func hasMatchingSettings(of clip: ShareClip, in jobs: [ShareJob]) -> Bool {
    guard var request = jobs.first(where: { $0.source.sha256 == clip.source.sha256 })?.request else { return false }
    request.caption = clip.request.caption
    (request.privacy, request.usesAccountPrivacy) = (clip.request.privacy, clip.request.usesAccountPrivacy)
    request.hideLikes = clip.request.hideLikes
    request.recipients = clip.request.recipients
    return request == clip.request
  }
}

/// The reason that a share is rejected before it starts.
public enum ShareRefusal: ExplainedError, Sendable {
  /// An unfinished job for the same part of the file has different options or belongs to a different share. Together,
  /// the two jobs would create two highlights.
  case conflict(ShareJob)
  /// The clips were already shared as a highlight with different options.
  case differs(ShareJob, [ShareDifference], clipCount: Int)
  /// The highlight that the clips were exported from still exists and has different options.
  case exportDiffers(UUID, [ShareDifference])
  /// The clips were already shared, and it is unknown whether their highlight still exists.
  case unreachable(Explanation)

  public var explanation: Explanation {
    switch self {
    case .conflict(let job):
      return Explanation(
        id: job.post == nil ? "share.rival-job" : "share.rival-post", what: "cannot share \(job.source.name)",
        why: (job.post == nil
          ? "an unfinished job for this rally (\(job.id.shortText)) has different options"
          : "this clip is part of an unfinished post with several clips (\(job.id.shortText))")
          + ", and both jobs would create a highlight",
        facts: ["file": job.source.name, "job": job.id.shortText], category: .rejected)
    case .differs(let job, let differences, let clipCount):
      let isVideo = job.backend == BackendKind.mux.rawValue
      return explainExistingHighlight(
        isVideo ? "share.exists-at-mux" : "share.exists", job.source.name,
        isVideo ? "a video in Mux" : "highlight \(job.highlightID.shortText)", job.highlightID, differences, clipCount)
    case .exportDiffers(let id, let differences):
      let name = "highlight \(id.shortText)"
      return explainExistingHighlight("share.export-exists", name, name, id, differences)
    case .unreachable(let outage):
      return Explanation(
        id: "share.backend-unreachable", what: "cannot share the clip again",
        why: "the clip was already shared, and bsc couldn't check whether its highlight still exists (\(outage.why))",
        category: .remote)
    }
  }

  private func explainExistingHighlight(
    _ id: String, _ subject: String, _ existing: String, _ highlight: UUID, _ differences: [ShareDifference],
    _ clipCount: Int = 1
  ) -> Explanation {
    let values = differences.map(\.text).joined(separator: " and ")
    return Explanation(
      id: id, what: "cannot share \(subject)",
      why: "the \(clipCount > 1 ? "clips were" : "clip was") already shared as \(existing), with \(values)",
      facts: ["file": subject, "highlight": highlight.shortText], category: .rejected)
  }
}
