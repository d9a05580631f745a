import ClipModel

/// A rule and a file, as a test case. It has one result at most: some readers take only the first.
struct JUnitCase {
  struct Result {
    /// A severity or a category.
    var type: String?
    var message: String
    var text: String
  }

  var name: String
  /// What it found at or above the threshold.
  var failure: Result?
  /// Why the file could not be judged.
  var error: Result?
  /// That nobody knows.
  var skipped: Result?
  /// What it found below the threshold.
  var output: String?

  /// Every rule that was asked or found something; and one more where the file could not be judged.
  static func all(of judgement: ValidationResult, threshold: Finding.Severity) -> [JUnitCase] {
    let findings = Dictionary(grouping: judgement.findingsWorstFirst, by: \.rule)
    let asked = Set(judgement.checks.map(\.rule))
    let others = findings.keys.filter { !asked.contains($0) }.sorted()
    var cases = judgement.checks.map { check in
      JUnitCase(check.rule, findings[check.rule] ?? [], threshold: threshold, unknown: check.unknownReason)
    }
    cases += others.map { JUnitCase($0, findings[$0] ?? [], threshold: threshold) }
    if let failure = judgement.failure { cases.insert(JUnitCase(failure), at: 0) }
    return cases
  }

  private init(_ failure: Explanation) {
    name = "can be judged"
    let message = "\(failure.what): \(failure.why)"
    error = Result(
      type: failure.category.rawValue, message: message,
      text: message + (failure.next.map { "\nnext: \($0)" } ?? ""))
  }

  private init(
    _ rule: String, _ findings: [Finding], threshold: Finding.Severity, unknown: String? = nil
  ) {
    name = rule
    let failing = findings.filter { $0.severity >= threshold }
    let others = findings.filter { $0.severity < threshold }
    if let worst = failing.first {
      failure = Result(
        type: worst.severity.rawValue,
        message: worst.message + (failing.count > 1 ? " (and \(failing.count - 1) more)" : ""),
        text: failing.map(Self.text).joined(separator: "\n"))
    } else if let unknown {
      let message = "unknown: \(unknown)"
      skipped = Result(message: message, text: message)
    }
    if !others.isEmpty { output = others.map(Self.text).joined(separator: "\n") }
  }

  func element(of file: String, time: String) -> XMLTag {
    var children: [XMLTag] = []
    for (kind, result) in [("failure", failure), ("error", error), ("skipped", skipped)] {
      guard let result else { continue }
      let type = result.type.map { [("type", $0)] } ?? []
      children.append(XMLTag(kind, type + [("message", result.message)], content: result.text))
    }
    if let output { children.append(XMLTag("system-out", content: output)) }
    return XMLTag("testcase", [("classname", file), ("name", name), ("time", time)], children)
  }

  /// `warning: the clip lasts 1.1 s (video track) → bsc share --trim`
  private static func text(_ finding: Finding) -> String {
    "\(finding.severity.rawValue): \(finding.message)" + (finding.place.map { " (\($0))" } ?? "")
      + (finding.next.map { " → \($0)" } ?? "")
  }
}

extension RuleCheck {
  /// Why nobody knows; `nil` where somebody does.
  var unknownReason: String? {
    guard outcome == .unknown else { return nil }
    return reason ?? lookedAt
  }

  private var lookedAt: String {
    switch depth {
    case .headers: "only headers were looked at"
    case .samples: "only headers and tables of samples were looked at"
    case .frames: "only some frames were decoded"
    case .everything: "the file does not tell"
    }
  }
}
