package import ClipModel

/// The result of a single check by `bsc doctor`.
package struct DoctorCheck: Encodable {
  package enum Status: String, Encodable {
    case fine
    /// An optional component is missing.
    case absent
    /// There is a problem, but most features still work.
    case warning
    case problem
  }

  /// The heading of the check's group, such as `media`, `network` or `disk`.
  package var group: String
  package var name: String
  package var status: Status
  package var detail: String
  /// The action that fixes the problem, unless it is a command of the program.
  package var next: String?
  /// The problem, if a command of the program fixes it.
  package var problem: Problem?

  /// Problems that commands fix. The program selects the command.
  package enum Problem: Sendable { case signedOut, unfinishedJobs }

  /// The error that the check found. The program selects the advice for it.
  package var failure: Explanation?

  private enum CodingKeys: CodingKey { case group, name, status, detail, next }

  init(
    _ group: String, _ name: String, _ status: Status, _ detail: String, next: String? = nil, problem: Problem? = nil
  ) {
    (self.group, self.name, self.status, self.detail) = (group, name, status, detail)
    (self.next, self.problem) = (next, problem)
  }

  init(_ group: String, _ name: String, _ detail: String) { self.init(group, name, .fine, detail) }

  init(_ group: String, _ name: String, _ failure: Explanation) {
    self.init(group, name, .problem, "\(failure.what): \(failure.why)")
    self.failure = failure
  }

  /// Runs `checks`. If it throws an error, returns a failed check for each of the error's explanations.
  static func catchingErrors(
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
