import ClipModel
import Reports

/// The human-readable report: each file with its findings, and a summary.
struct TextReport: ValidationReport {
  private let terms: ReportOptions
  private var summary: TextSummary

  init(_ terms: ReportOptions) {
    self.terms = terms
    summary = TextSummary(terms)
  }

  mutating func add(_ result: ValidationResult) -> String {
    summary.add(result)
    let verdict = result.verdict(failingOn: terms.threshold)
    guard !terms.isQuiet || verdict != .pass else { return "" }
    let rows = makeRows(of: result)
    let ruleWidth = rows.map(\.rule.count).max() ?? 0
    let heading: StyledText = "\(verdict.mark) \(result.file.onOneLine, .strong)"
    return ([heading] + rows.map { $0.formatLine(ruleWidth: ruleWidth, width: terms.width) }).lines
      .rendered(isColored: terms.isColored)
  }

  func finish() -> String { summary.text }

  /// The maximum number of rows for one rule and file.
  private static let rowLimit = 8

  private func makeRows(of result: ValidationResult) -> [TextRow] {
    var rows: [TextRow] = []
    if let failure = result.failure {
      rows.append(TextRow(label: "error", text: "\(failure.what): \(failure.why)", next: failure.next, tone: .bad))
    }
    var counts: [String: Int] = [:]
    for group in FindingGroup.groupFindings(result.findingsWorstFirst)
    where !terms.isQuiet || group.finding.severity >= terms.threshold {
      let finding = group.finding
      counts[finding.rule, default: 0] += 1
      guard counts[finding.rule, default: 0] <= Self.rowLimit else { continue }
      rows.append(
        TextRow(
          label: finding.severity.rawValue, rule: finding.rule, text: group.text, next: finding.next,
          tone: finding.severity.tone))
    }
    for (rule, count) in counts.sorted(by: { $0.key < $1.key }) where count > Self.rowLimit {
      rows.append(
        TextRow(
          label: "…", rule: rule, text: "and \(count - Self.rowLimit) more", next: "--format json lists all of them"))
    }
    return terms.isQuiet ? rows : rows + makeUnknownRows(of: result)
  }

  /// Returns a row for each reason why rules could not be checked.
  private func makeUnknownRows(of result: ValidationResult) -> [TextRow] {
    var reasons: [String?] = []
    for check in result.unknownChecks where !reasons.contains(check.reason) { reasons.append(check.reason) }
    return reasons.map { reason in
      let rules = result.unknownChecks.filter { $0.reason == reason }.map(\.rule).joined(separator: ", ")
      return TextRow(label: "unknown", text: rules + (reason.map { ": \($0)" } ?? ""))
    }
  }
}

/// Findings that differ only in their locations.
private struct FindingGroup {
  let finding: Finding
  var locations: [String]

  /// The message with up to three locations.
  var text: String {
    guard !locations.isEmpty else { return finding.message }
    let more = locations.count > 3 ? " and \(locations.count - 3) more" : ""
    return finding.message + " (\(locations.prefix(3).joined(separator: ", "))\(more))"
  }

  static func groupFindings(_ findings: [Finding]) -> [FindingGroup] {
    var groups: [FindingGroup] = []
    var indices: [Finding: Int] = [:]
    for finding in findings {
      var key = finding
      key.place = nil
      let index = indices[key] ?? groups.count
      if index == groups.count { groups.append(FindingGroup(finding: key, locations: [])) }
      indices[key] = index
      groups[index].locations += [finding.place].compactMap(\.self)
    }
    return groups
  }
}

extension Verdict {
  fileprivate var mark: StyledText {
    switch self {
    case .pass: "\("✓", .good)"
    case .fail: "\("✗", .bad)"
    case .unjudged: "\("?", .doubtful)"
    }
  }
}
