import ClipModel

/// A test case for one rule and one file. It has at most one result because some report readers use only the first one.
struct JUnitCase {
  struct CaseResult {
    /// The severity of a finding, or the category of an error.
    var type: String?
    var message: String
    var text: String
  }

  var name: String
  /// The findings at or above the severity threshold.
  var failure: CaseResult?
  /// The reason why the file could not be checked.
  var error: CaseResult?
  /// The reason why the rule could not be checked.
  var skipped: CaseResult?
  /// The findings below the severity threshold.
  var output: String?

  /// Creates a test case for each rule that was checked or has findings, and one for a file that could not be checked.
  static func makeCases(for result: ValidationResult, threshold: Finding.Severity) -> [JUnitCase] {
    let findings = Dictionary(grouping: result.findingsWorstFirst, by: \.rule)
    let checked = Set(result.checks.map(\.rule))
    let others = findings.keys.filter { !checked.contains($0) }.sorted()
    var cases = result.checks.map { check in
      JUnitCase(check.rule, findings[check.rule] ?? [], threshold: threshold, unknown: check.unknownReason)
    }
    cases += others.map { JUnitCase($0, findings[$0] ?? [], threshold: threshold) }
    if let failure = result.failure { cases.insert(JUnitCase(failure), at: 0) }
    return cases
  }

  private init(_ failure: Explanation) {
    name = "can be checked"
    let message = "\(failure.what): \(failure.why)"
    error = CaseResult(
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
      failure = CaseResult(
        type: worst.severity.rawValue,
        message: worst.message + (failing.count > 1 ? " (and \(failing.count - 1) more)" : ""),
        text: failing.map(Self.formatFinding).joined(separator: "\n"))
    } else if let unknown {
      let message = "unknown: \(unknown)"
      skipped = CaseResult(message: message, text: message)
    }
    if !others.isEmpty { output = others.map(Self.formatFinding).joined(separator: "\n") }
  }

  func xmlElement(for file: String, time: String) -> XMLTag {
    var children: [XMLTag] = []
    for (kind, result) in [("failure", failure), ("error", error), ("skipped", skipped)] {
      guard let result else { continue }
      let type = result.type.map { [("type", $0)] } ?? []
      children.append(XMLTag(kind, type + [("message", result.message)], content: result.text))
    }
    if let output { children.append(XMLTag("system-out", content: output)) }
    return XMLTag("testcase", [("classname", file), ("name", name), ("time", time)], children)
  }

  /// Formats a finding as `warning: the clip lasts 1.1 s (video track) → bsc share --trim`.
  private static func formatFinding(_ finding: Finding) -> String {
    "\(finding.severity.rawValue): \(finding.message)" + (finding.place.map { " (\($0))" } ?? "")
      + (finding.next.map { " → \($0)" } ?? "")
  }
}

extension RuleCheck {
  /// The reason why the rule could not be checked; `nil` if it was checked.
  var unknownReason: String? {
    guard outcome == .unknown else { return nil }
    return reason ?? depthText
  }

  private var depthText: String {
    switch depth {
    case .headers: "bsc read only the headers"
    case .samples: "bsc read only the headers and sample tables"
    case .frames: "bsc decoded only some frames"
    case .everything: "the file does not contain this information"
    }
  }
}
