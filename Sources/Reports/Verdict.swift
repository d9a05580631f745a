package import ClipModel

/// What a file's judgement comes to.
package enum Verdict: String, Codable, Sendable {
  case pass, fail, unjudged
}

extension Judgement {
  /// What could not be judged is never a pass.
  package func verdict(failingOn threshold: Finding.Severity) -> Verdict {
    failure != nil ? .unjudged : fails(on: threshold) ? .fail : .pass
  }

  package var unknownChecks: [RuleCheck] { checks.filter { $0.outcome == .unknown } }

  /// Worst first, otherwise in their order.
  package var findingsWorstFirst: [Finding] {
    Finding.Severity.allCases.sorted(by: >).flatMap { severity in findings.filter { $0.severity == severity } }
  }
}

/// How many files came to what.
package struct VerdictCounts: Encodable, Equatable, Sendable {
  package var passed = 0
  package var failed = 0
  package var unjudged = 0

  package init(passed: Int = 0, failed: Int = 0, unjudged: Int = 0) {
    (self.passed, self.failed, self.unjudged) = (passed, failed, unjudged)
  }

  package var files: Int { passed + failed + unjudged }

  package mutating func add(_ verdict: Verdict) {
    switch verdict {
    case .pass: passed += 1
    case .fail: failed += 1
    case .unjudged: unjudged += 1
    }
  }

  /// `120 files: 100 fit, 18 refused, 2 could not be judged`
  package var text: String {
    files.counting("file") + ": \(passed) fit, \(failed) refused"
      + (unjudged > 0 ? ", \(unjudged) could not be judged" : "")
  }

  private enum Key: CodingKey { case files, passed, failed, unjudged }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(files, forKey: .files)
    try container.encode(passed, forKey: .passed)
    try container.encode(failed, forKey: .failed)
    try container.encode(unjudged, forKey: .unjudged)
  }
}
