import ClipModel
import Foundation

/// Writes TAP 14 with one test point per file, its findings in YAML, and the plan at the end.
struct TAPReport: ValidationReport {
  private let threshold: Finding.Severity
  private var count = 0

  init(_ terms: ReportOptions) { threshold = terms.threshold }

  /// Adds a test point. Test points are never skipped because harnesses count skipped ones as passed.
  mutating func add(_ result: ValidationResult) -> String {
    count += 1
    let verdict = result.verdict(failingOn: threshold)
    let point = "\(verdict == .pass ? "ok" : "not ok") \(count) - \(Self.escapeDescription(result.file))\n"
    return (count == 1 ? Self.opening : "") + point + Self.yamlBlock(result, verdict)
  }

  func finish() -> String { (count == 0 ? Self.opening : "") + "1..\(count)\n" }

  private static let opening = "TAP version 14\n"

  /// Escapes a file name. `#` starts a directive, and older readers don't support escape sequences. The YAML block
  /// contains the exact name.
  private static func escapeDescription(_ file: String) -> String {
    let directive = /#(?=\s*(?:skip|todo))/.ignoresCase().matchingSemantics(.unicodeScalar)
    return file.onOneLine.replacing(directive, with: "\u{FFFD}").escapingScalars {
      ["\\", "#"].contains($0) ? "\\" + String($0) : nil
    }
  }

  private static func yamlBlock(_ result: ValidationResult, _ verdict: Verdict) -> String {
    var lines = yamlPairs([("file", result.file), ("verdict", verdict.rawValue)])
    lines.append("seconds: " + String(format: "%.3f", result.seconds.isFinite ? result.seconds : 0))
    if let failure = result.failure {
      lines.append("error:")
      lines += yamlPairs([
        ("id", failure.id), ("what", failure.what), ("why", failure.why), ("next", failure.next),
        ("category", failure.category.rawValue),
      ]).map { "  " + $0 }
    }
    if !result.findings.isEmpty { lines.append("findings:") }
    lines += result.findingsWorstFirst.flatMap(yamlItem)
    if !result.unknownChecks.isEmpty { lines.append("unknown:") }
    lines += result.unknownChecks.map { "  - " + quoteScalar($0.rule) }
    return (["---"] + lines + ["..."]).map { "  \($0)\n" }.joined()
  }

  private static func yamlItem(_ finding: Finding) -> [String] {
    let lines = yamlPairs([
      ("rule", finding.rule), ("severity", finding.severity.rawValue), ("message", finding.message),
      ("place", finding.place), ("next", finding.next),
    ])
    return lines.enumerated().map { ($0 == 0 ? "  - " : "    ") + $1 }
  }

  private static func yamlPairs(_ values: [(key: String, value: String?)]) -> [String] {
    values.compactMap { key, value in value.map { "\(key): \(quoteScalar($0))" } }
  }

  /// Formats a double-quoted YAML scalar, which all YAML versions interpret the same way. Nonprintable characters are
  /// escaped.
  private static func quoteScalar(_ text: String) -> String {
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
