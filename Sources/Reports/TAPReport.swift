import ClipModel
import Foundation

/// TAP 14: a test point per file, with its findings in YAML, and the plan at the end.
struct TAPReport: ValidationReport {
  private let threshold: Finding.Severity
  private var count = 0

  init(_ terms: ReportTerms) { threshold = terms.threshold }

  /// No test point is skipped, because harnesses count skipped ones as passed.
  mutating func add(_ result: ValidationResult) -> String {
    count += 1
    let verdict = result.verdict(failingOn: threshold)
    let point = "\(verdict == .pass ? "ok" : "not ok") \(count) - \(Self.description(result.file))\n"
    return (count == 1 ? Self.opening : "") + point + Self.block(result, verdict)
  }

  func end() -> String { (count == 0 ? Self.opening : "") + "1..\(count)\n" }

  private static let opening = "TAP version 14\n"

  /// `#` starts a directive, and older readers don't support escapes. The exact name is in the YAML block.
  private static func description(_ file: String) -> String {
    let directive = /#(?=\s*(?:skip|todo))/.ignoresCase().matchingSemantics(.unicodeScalar)
    return file.onOneLine.replacing(directive, with: "\u{FFFD}").escapingScalars {
      ["\\", "#"].contains($0) ? "\\" + String($0) : nil
    }
  }

  private static func block(_ result: ValidationResult, _ verdict: Verdict) -> String {
    var lines = pairs([("file", result.file), ("verdict", verdict.rawValue)])
    lines.append("seconds: " + String(format: "%.3f", result.seconds.isFinite ? result.seconds : 0))
    if let failure = result.failure {
      lines.append("error:")
      lines += pairs([
        ("id", failure.id), ("what", failure.what), ("why", failure.why), ("next", failure.next),
        ("category", failure.category.rawValue),
      ]).map { "  " + $0 }
    }
    if !result.findings.isEmpty { lines.append("findings:") }
    lines += result.findingsWorstFirst.flatMap(item)
    if !result.unknownChecks.isEmpty { lines.append("unknown:") }
    lines += result.unknownChecks.map { "  - " + quoted($0.rule) }
    return (["---"] + lines + ["..."]).map { "  \($0)\n" }.joined()
  }

  private static func item(_ finding: Finding) -> [String] {
    let lines = pairs([
      ("rule", finding.rule), ("severity", finding.severity.rawValue), ("message", finding.message),
      ("place", finding.place), ("next", finding.next),
    ])
    return lines.enumerated().map { ($0 == 0 ? "  - " : "    ") + $1 }
  }

  private static func pairs(_ values: [(key: String, value: String?)]) -> [String] {
    values.compactMap { key, value in value.map { "\(key): \(quoted($0))" } }
  }

  /// A double-quoted scalar, which all versions of YAML interpret in the same way. Non-printable characters are
  /// escaped.
  private static func quoted(_ text: String) -> String {
    let escaped = text.escapingScalars { scalar in
      switch scalar {
      case "\"", "\\": "\\" + String(scalar)
      case "\n": "\\n"
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{FFFE}", "\u{FFFF}":
        String(format: "\\u%04x", scalar.value)
      default: nil
      }
    }
    return "\"\(escaped)\""
  }
}
