package import ClipModel

/// The outcome of work on several inputs.
package struct RunOutcome: Sendable {
  /// The number of inputs, including failed ones.
  package var count = 0
  package var failures: [FailureCategory] = []

  package init(count: Int = 0, failures: [FailureCategory] = []) { (self.count, self.failures) = (count, failures) }

  mutating func add(_ failure: FailureCategory?) {
    count += 1
    if let failure { failures.append(failure) }
  }

  /// The failure that decides the exit code. A single input keeps its own category.
  package var worst: FailureCategory? { count == 1 ? failures.first : FailureCategory.worst(of: failures) }
}

extension FailureCategory {
  /// The category that decides the exit code of several inputs, in the documented order.
  /// - Parameter findingsWin: whether findings rank above failed and unjudged files, as in commands that search for
  ///   something.
  package static func worst(of categories: [FailureCategory], findingsWin: Bool = false) -> FailureCategory? {
    var order: [FailureCategory] = [.interrupted, .inputOutput, .locked, .notConfigured, .remote]
    if findingsWin { order.append(.rejected) }
    order.append(.unexpected)
    if let worst = order.first(where: categories.contains) { return worst }
    // With several inputs, an unreadable file counts as unjudged.
    if categories.contains(.unjudged) || categories.contains(.noInput) { return .unjudged }
    return categories.contains(.usage) ? .usage : categories.first
  }
}
