import ClipModel

/// What a file's judgement comes to.
enum Verdict: String, Codable, Sendable {
  case pass, fail, unjudged

  var tone: StyledText.Tone {
    switch self {
    case .pass: .good
    case .fail: .bad
    case .unjudged: .doubtful
    }
  }

  /// In front of the file's name, for people.
  var mark: String {
    switch self {
    case .pass: "✓"
    case .fail: "✗"
    case .unjudged: "?"
    }
  }
}

extension Judgement {
  /// What could not be judged is never a pass.
  func verdict(failingOn threshold: Finding.Severity) -> Verdict {
    failure != nil ? .unjudged : fails(on: threshold) ? .fail : .pass
  }

  var unknownChecks: [RuleCheck] { checks.filter { $0.outcome == .unknown } }

  /// Worst first, otherwise in their order.
  var findingsWorstFirst: [Finding] {
    Finding.Severity.allCases.sorted(by: >).flatMap { severity in findings.filter { $0.severity == severity } }
  }
}

/// How many files came to what.
struct VerdictCounts: Encodable, Equatable, Sendable {
  var passed = 0
  var failed = 0
  var unjudged = 0

  var files: Int { passed + failed + unjudged }

  mutating func add(_ verdict: Verdict) {
    switch verdict {
    case .pass: passed += 1
    case .fail: failed += 1
    case .unjudged: unjudged += 1
    }
  }

  /// `120 files: 100 fit, 18 refused, 2 could not be judged`
  var text: String {
    files.counting("file") + ": \(passed) fit, \(failed) refused"
      + (unjudged > 0 ? ", \(unjudged) could not be judged" : "")
  }

  private enum Key: CodingKey { case files, passed, failed, unjudged }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(files, forKey: .files)
    try container.encode(passed, forKey: .passed)
    try container.encode(failed, forKey: .failed)
    try container.encode(unjudged, forKey: .unjudged)
  }
}
