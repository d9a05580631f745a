package import ClipModel

/// How work on several inputs ended.
package struct RunOutcome: Sendable {
  /// All inputs, whatever became of them.
  package var count: Int
  package var failures: [FailureCategory]

  package init(count: Int = 0, failures: [FailureCategory] = []) {
    (self.count, self.failures) = (count, failures)
  }

  mutating func add(_ failure: FailureCategory?) {
    count += 1
    if let failure { failures.append(failure) }
  }

  /// The failure that decides the exit code: a single input has its own reason.
  package var worst: FailureCategory? { count == 1 ? failures.first : FailureCategory.worst(of: failures) }
}

extension FailureCategory {
  /// Of several inputs the worst failure decides, in the documented order.
  /// - Parameter findingsWin: a finding stands above files that failed or could not be judged, for commands that answer
  ///   "is there any".
  package static func worst(of categories: [FailureCategory], findingsWin: Bool = false) -> FailureCategory? {
    var order: [FailureCategory] = [.interrupted, .inputOutput, .locked, .notConfigured, .remote]
    if findingsWin { order.append(.rejected) }
    order.append(.unexpected)
    if let worst = order.first(where: categories.contains) { return worst }
    // A single input that cannot be read has its own reason; of several, some failed.
    if categories.contains(.unjudged) || categories.contains(.noInput) { return .unjudged }
    // Refused inputs beside some whose output exists: the same, whatever came first.
    return categories.contains(.usage) ? .usage : categories.first
  }
}
