import ClipModel
import ShareEngine

extension ShareRefusal {
  /// The refusal with the user's name for the clips, and the options that change the existing highlight.
  /// - Parameter subject: a file as the user wrote it, or `the clips together`.
  func failure(_ subject: String) -> CommandFailure {
    var explanation = explanation
    explanation.what = "cannot share \(subject)"
    explanation.facts["file"] = subject
    let flags = differences.compactMap(\.flag)
    explanation.facts["flags"] = flags.isEmpty ? nil : flags.joined(separator: " ")
    return CommandFailure(explanation)
  }

  private var differences: [ShareDifference] {
    switch self {
    case .differs(_, let differences, _), .exportDiffers(_, let differences): differences
    case .conflict, .unreachable: []
    }
  }
}

extension ShareDifference {
  /// The option of `highlights edit`; `nil` for what can't be changed.
  fileprivate var flag: String? {
    switch self {
    case .caption(let wanted): wanted == nil ? "--caption \"\"" : "--caption …"
    case .privacy(_, let wanted): "--privacy \(wanted.rawValue)"
    case .hidesLikes(let now): now ? "--show-likes" : "--hide-likes"
    case .order, .settings: nil
    }
  }
}
