package import ClipModel

/// The result of one check.
package struct DoctorCheck: Encodable {
  package enum Status: String, Encodable {
    case fine
    /// Not there, and nobody needs to have it.
    case absent
    /// Most things go without it.
    case warning
    case problem
  }

  /// What belongs together: `media`, `network`, `disk`…
  package var group: String
  package var name: String
  package var status: Status
  package var detail: String
  /// The command that mends it, or what to do.
  package var next: String?
  /// What failed; its advice is the program's.
  package var failure: Explanation?

  private enum CodingKeys: CodingKey { case group, name, status, detail, next }

  package init(_ group: String, _ name: String, _ status: Status, _ detail: String, next: String? = nil) {
    (self.group, self.name, self.status, self.detail, self.next) = (group, name, status, detail, next)
  }

  /// Of something that failed.
  package init(_ group: String, _ name: String, _ error: any Error) {
    let explanation = (error as? any ExplainedError)?.explanation
    self.init(group, name, .problem, explanation.map { "\($0.what): \($0.why)" } ?? "\(error)")
    failure = explanation
  }

  /// Of something that failed in several ways, each by itself.
  package static func each(_ group: String, _ name: String, _ error: any Error) -> [DoctorCheck] {
    let explanations = (error as? any ExplainedError)?.explanations ?? []
    guard explanations.count > 1 else { return [DoctorCheck(group, name, error)] }
    return explanations.map { explanation in
      var check = DoctorCheck(group, name, .problem, "\(explanation.what): \(explanation.why)")
      check.failure = explanation
      return check
    }
  }
}
