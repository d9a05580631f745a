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

  /// What a highlight does not say of itself: how the clip was made.
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
        what: "cannot share \(job.source.name)", why: "an unfinished job shares the same part of it with other options",
        next: "finish that job or cancel it", category: .rejected)
    case .differs(let job, _, _):
      Explanation(
        what: "cannot share \(job.source.name)", why: "it is a highlight already, with other options",
        next: "correct that highlight, or share it once more as a new one", category: .rejected)
    case .exportDiffers(let id, _):
      Explanation(
        what: "cannot share highlight \(id.uuidString.lowercased().prefix(8))",
        why: "it exists already, with other options",
        next: "correct that highlight, or share it once more as a new one",
        category: .rejected)
    case .unreachable(let outage):
      Explanation(
        what: "cannot share it again",
        why: "it was shared before, and whether that is still there cannot be asked (\(outage.why))",
        next: "run the same command again when the backend can be reached", category: .remote)
    }
  }
}
