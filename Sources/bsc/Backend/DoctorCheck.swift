import ClipModel

/// The result of one check.
struct DoctorCheck: Encodable {
  enum Status: String, Encodable {
    case fine
    /// Not there, and nobody needs to have it.
    case absent
    /// Most things go without it.
    case warning
    case problem
  }

  /// What belongs together: `media`, `network`, `disk`…
  var group: String
  var name: String
  var status: Status
  var detail: String
  /// The command that mends it, or what to do.
  var next: String?

  init(_ group: String, _ name: String, _ status: Status, _ detail: String, next: String? = nil) {
    (self.group, self.name, self.status, self.detail, self.next) = (group, name, status, detail, next)
  }

  /// Of something that failed.
  init(_ group: String, _ name: String, _ error: any Error) {
    let explanation = (error as? any ExplainedError)?.explanation
    self.init(
      group, name, .problem, explanation.map { "\($0.what): \($0.why)" } ?? "\(error)", next: explanation?.next)
  }

  /// Of something that failed in several ways, each by itself.
  static func each(_ group: String, _ name: String, _ error: any Error) -> [DoctorCheck] {
    let explanations = (error as? any ExplainedError)?.explanations ?? []
    guard explanations.count > 1 else { return [DoctorCheck(group, name, error)] }
    return explanations.map { DoctorCheck(group, name, .problem, "\($0.what): \($0.why)", next: $0.next) }
  }

  var mark: StyledText {
    switch status {
    case .fine: "\("✓", .good)"
    case .absent: "-"
    case .warning: "\("!", .doubtful)"
    case .problem: "\("✗", .bad)"
    }
  }
}
