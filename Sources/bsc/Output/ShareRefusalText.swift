import ClipModel
import Foundation
import ShareEngine

extension ShareRefusal {
  /// As the command line explains it, with the flags that help.
  /// - Parameter subject: a file as it was named, or `the clips together`.
  func failure(_ subject: String) -> UsageFailure {
    switch self {
    case .rival(let job):
      let id = job.id.uuidString.lowercased().prefix(8)
      return UsageFailure(
        what: "cannot share \(subject)",
        why: job.post == nil
          ? "an unfinished job of this rally (\(id)) has another caption or other settings, and both would be posted"
          : "it is part of an unfinished post of several clips (\(id)), and both would be posted",
        next: "finish it (bsc resume \(id)), take it back (bsc jobs cancel \(id)), or share both with --force",
        category: .rejected)
    case .differs(let job, let differences, let clipCount):
      let isRow = job.backend != BackendKind.mux.rawValue
      let id = job.highlightID.uuidString.lowercased().prefix(8)
      let (they, it) = clipCount > 1 ? ("they are", "them") : ("it is", "it")
      let flags = differences.compactMap(\.flag).joined(separator: " ")
      let edit = isRow && !flags.isEmpty ? "correct that one (bsc highlights edit \(id) \(flags)), or " : ""
      return UsageFailure(
        what: "cannot share \(subject)",
        why: "\(they) \(isRow ? "highlight \(id)" : "a video at Mux") already, with "
          + differences.map(\.text).joined(separator: ", "),
        next: "\(edit)share \(it) once more with --force", category: .rejected)
    case .exportDiffers(let highlight, let differences):
      let id = highlight.uuidString.lowercased().prefix(8)
      let flags = differences.compactMap(\.flag).joined(separator: " ")
      return UsageFailure(
        what: "cannot share \(subject)", why: "it is highlight \(id), which exists and has other options",
        next: "correct that (bsc highlights edit \(id) \(flags)), or share it once more with --force",
        category: .rejected)
    case .unreachable(let outage):
      return UsageFailure(
        what: "cannot share \(subject)",
        why: "it was shared before, and whether that is still there cannot be asked (\(outage.why))",
        next: "run the same command again when the backend can be reached", category: .remote)
    }
  }
}

extension ShareDifference {
  /// What the highlight has.
  fileprivate var text: String {
    switch self {
    case .caption: "another caption"
    case .privacy(let now, _): "privacy \(now.rawValue)"
    case .hidesLikes(let now): now ? "hidden likes" : "likes that are shown"
    case .order: "another order"
    case .settings: "other settings"
    }
  }

  /// Of `highlights edit`; `nil` for what can't be changed.
  fileprivate var flag: String? {
    switch self {
    case .caption(let wanted): wanted == nil ? "--caption \"\"" : "--caption …"
    case .privacy(_, let wanted): "--privacy \(wanted.rawValue)"
    case .hidesLikes(let now): now ? "--show-likes" : "--hide-likes"
    case .order, .settings: nil
    }
  }
}
