package import ClipModel

/// The verdict for a validated file.
package enum Verdict: String, Codable, Sendable {
  case pass, fail, unjudged
}

extension ValidationResult {
  /// Returns the file's verdict. Files that could not be checked never pass.
  package func verdict(failingOn threshold: Finding.Severity) -> Verdict {
    failure != nil ? .unjudged : fails(on: threshold) ? .fail : .pass
  }

  package var unknownChecks: [RuleCheck] { checks.filter { $0.outcome == .unknown } }

  /// The findings from most to least severe. Findings with the same severity keep their order.
  package var findingsWorstFirst: [Finding] {
    Finding.Severity.allCases.sorted(by: >).flatMap { severity in findings.filter { $0.severity == severity } }
  }
}

/// The number of files for each verdict.
package struct VerdictCounts: Encodable, Equatable, Sendable {
  package private(set) var files = 0
  package private(set) var passed = 0
  package private(set) var failed = 0
  package private(set) var unjudged = 0

  package init() {}

  package mutating func add(_ verdict: Verdict) {
    files += 1
    switch verdict {
    case .pass: passed += 1
    case .fail: failed += 1
    case .unjudged: unjudged += 1
    }
  }

  /// A summary such as `120 files: 100 passed, 18 failed, 2 could not be checked`.
  package var text: String {
    files.withNoun("file") + ": \(passed) passed, \(failed) failed"
      + (unjudged > 0 ? ", \(unjudged) could not be checked" : "")
  }
}
