package import ClipModel

/// The result of one check.
package struct DoctorCheck: Encodable {
  package enum Status: String, Encodable {
    case fine
    /// An optional component is missing.
    case absent
    /// There is a problem, but most features work.
    case warning
    case problem
  }

  /// The heading of the check's group: `media`, `network`, `disk`…
  package var group: String
  package var name: String
  package var status: Status
  package var detail: String
  /// The command or action that fixes the problem.
  package var next: String?
  /// The error, for which the program chooses the advice.
  package var failure: Explanation?

  private enum CodingKeys: CodingKey { case group, name, status, detail, next }

  init(_ group: String, _ name: String, _ status: Status, _ detail: String, next: String? = nil) {
    (self.group, self.name, self.status, self.detail, self.next) = (group, name, status, detail, next)
  }

  init(_ group: String, _ name: String, _ detail: String) { self.init(group, name, .fine, detail) }

  init(_ group: String, _ name: String, _ failure: Explanation) {
    self.init(group, name, .problem, "\(failure.what): \(failure.why)")
    self.failure = failure
  }

  /// Runs `checks`. An error results in one check for each of its explanations.
  static func catching(
    _ group: String, _ name: String, _ checks: () async throws -> [DoctorCheck]
  ) async -> [DoctorCheck] {
    do {
      return try await checks()
    } catch {
      let failures = (error as? any ExplainedError)?.explanations
      return failures?.map { DoctorCheck(group, name, $0) } ?? [DoctorCheck(group, name, .problem, "\(error)")]
    }
  }

  static let setClock = "set the clock: timedatectl set-ntp true"
}
