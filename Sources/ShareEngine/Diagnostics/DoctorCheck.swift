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
  /// The advice, which the program selects by the problem or the error.
  package var next: String?
  /// The problem, unless it is an error.
  package var problem: Problem?
  /// The values of the problem, keyed by name.
  package var facts: [String: String] = [:]
  /// The error that the check found.
  package var failure: Explanation?

  /// The problems that are not errors. The raw values are IDs.
  package enum Problem: String, CaseIterable, Sendable {
    case libraryMissing = "library-missing"
    /// The fact `codec` is its name.
    case codecMissing = "codec-missing"
    /// libcurl has no TLS.
    case tlsMissing = "tls-missing"
    case diskAlmostFull = "disk-almost-full"
    case clockWrong = "clock-wrong"
    /// The fact `nearest` is the name of a known variable.
    case variableUnknown = "variable-unknown"
    case signedOut = "signed-out"
    /// The fact `path` is the journal's path.
    case journalDamaged = "journal-damaged"
    case jobsUnfinished = "jobs-unfinished"
    /// Files belong to no job. The fact `paths` contains the first of their paths.
    case filesLeftOver = "files-left-over"
  }

  private enum CodingKeys: CodingKey { case group, name, status, detail, next }

  init(
    _ group: String, _ name: String, _ status: Status, _ detail: String, problem: Problem? = nil,
    facts: [String: String] = [:]
  ) {
    (self.group, self.name, self.status, self.detail) = (group, name, status, detail)
    (self.problem, self.facts) = (problem, facts)
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
}
