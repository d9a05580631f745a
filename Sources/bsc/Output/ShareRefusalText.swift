import ClipModel
import ShareEngine

extension ShareRefusal {
  /// Returns the rejection with the clips named as the user entered them, and with the options that change the existing
  /// highlight.
  /// - Parameter subject: a file as the user entered it, or `the clips together`.
  func makeFailure(_ subject: String) -> CommandFailure {
    var explanation = explanation
    explanation.what = "cannot share \(subject)"
    explanation.facts["file"] = subject
    let flags = differences.compactMap(\.flag)
    explanation.facts["flags"] = flags.isEmpty ? nil : flags.joined(separator: " ")
    if differences == [.recipients] { explanation.facts["coaches"] = "other" }
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
  /// The `highlights edit` option that resolves the difference; `nil` if the difference can't be edited.
  fileprivate var flag: String? {
    switch self {
    case .caption(let wanted): wanted == nil ? "--caption \"\"" : "--caption …"
    case .privacy(_, let wanted): "--privacy \(wanted.rawValue)"
    case .hidesLikes(let now): now ? "--show-likes" : "--hide-likes"
    case .order, .settings, .recipients: nil
    }
  }
}
