package import ClipModel

/// The number of inputs that a run processed, and the failures among them.
package struct RunOutcome: Sendable {
  /// The number of inputs, including failed ones.
  package var count = 0
  package var failures: [FailureCategory] = []

  package init(count: Int = 0, failures: [FailureCategory] = []) { (self.count, self.failures) = (count, failures) }

  mutating func add(_ failure: FailureCategory?) {
    count += 1
    if let failure { failures.append(failure) }
  }

  /// The failure category that determines the exit code. If there is only one input, its category is used unchanged.
  package var worst: FailureCategory? { count == 1 ? failures.first : FailureCategory.worstCategory(of: failures) }
}

extension FailureCategory {
  /// Returns the failure category that determines the exit code for several inputs, in the documented order of
  /// precedence.
  /// - Parameter findingsWin: whether findings take precedence over failures and unjudged files, as they do in commands
  ///   that search for problems.
  package static func worstCategory(of categories: [FailureCategory], findingsWin: Bool = false) -> FailureCategory? {
    var order: [FailureCategory] = [.interrupted, .inputOutput, .locked, .notConfigured, .remote]
    if findingsWin { order.append(.rejected) }
    order.append(.unexpected)
    if let worst = order.first(where: categories.contains) { return worst }
    // If there are several inputs, an unreadable file counts as unjudged.
    if categories.contains(.unjudged) || categories.contains(.noInput) { return .unjudged }
    return categories.contains(.usage) ? .usage : categories.first
  }
}
