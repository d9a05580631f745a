import ClipModel
import Reports

/// For people: a mark and a line per file, its findings below, and at the end what failed most.
struct TextReport: ValidationReport {
  private let terms: ReportTerms
  private var summary: TextSummary

  init(_ terms: ReportTerms) {
    self.terms = terms
    summary = TextSummary(terms)
  }

  mutating func add(_ judgement: Judgement) -> String {
    summary.add(judgement)
    let verdict = judgement.verdict(failingOn: terms.threshold)
    guard !terms.isQuiet || verdict != .pass else { return "" }
    let rows = rows(of: judgement)
    let ruleWidth = rows.map(\.rule.count).max() ?? 0
    let lines = rows.map { $0.line(ruleWidth: ruleWidth, width: terms.width) }
    let heading: StyledText = "\(verdict.mark, verdict.tone) \(judgement.file.onOneLine, .strong)"
    return ([heading] + lines).lines.rendered(isColored: terms.isColored)
  }

  /// One file needs no summary.
  func end() -> String { summary.text }

  /// Rows of one rule and file: who wants all of them reads another format.
  private static let rowLimit = 8

  private func rows(of judgement: Judgement) -> [TextRow] {
    var rows: [TextRow] = []
    if let failure = judgement.failure {
      rows.append(TextRow(label: "error", text: "\(failure.what): \(failure.why)", next: failure.next, tone: .bad))
    }
    var counts: [String: Int] = [:]
    for finding in FindingGroup.grouped(judgement.findingsWorstFirst) where !terms.isQuiet || fails(finding) {
      counts[finding.rule, default: 0] += 1
      guard counts[finding.rule, default: 0] <= Self.rowLimit else { continue }
      rows.append(
        TextRow(
          label: finding.severity.rawValue, rule: finding.rule, text: finding.text, next: finding.next,
          tone: finding.severity.tone))
    }
    for (rule, count) in counts.sorted(by: { $0.key < $1.key }) where count > Self.rowLimit {
      rows.append(
        TextRow(
          label: "…", rule: rule, text: "and \(count - Self.rowLimit) more of this kind",
          next: "--format json lists all of them"))
    }
    if !terms.isQuiet { rows += unknownRows(of: judgement) }
    return rows
  }

  private func fails(_ finding: FindingGroup) -> Bool { finding.severity >= terms.threshold }

  /// What nobody could find out: a row for each reason.
  private func unknownRows(of judgement: Judgement) -> [TextRow] {
    var reasons: [String?] = []
    for check in judgement.unknownChecks where !reasons.contains(check.reason) { reasons.append(check.reason) }
    return reasons.map { reason in
      let rules = judgement.unknownChecks.filter { $0.reason == reason }.map(\.rule).joined(separator: ", ")
      return TextRow(label: "unknown", text: rules + (reason.map { ": \($0)" } ?? ""))
    }
  }
}

/// Findings that differ only in their places.
private struct FindingGroup {
  private let first: Finding
  private var places: [String]

  var severity: Finding.Severity { first.severity }
  var rule: String { first.rule }
  var next: String? { first.next }

  /// The message, with up to three places.
  var text: String {
    guard !places.isEmpty else { return first.message }
    let more = places.count > 3 ? " and \(places.count - 3) more" : ""
    return first.message + " (\(places.prefix(3).joined(separator: ", "))\(more))"
  }

  static func grouped(_ findings: [Finding]) -> [FindingGroup] {
    var groups: [FindingGroup] = []
    var places: [Finding: Int] = [:]
    for finding in findings {
      var kind = finding
      kind.place = nil
      let place = finding.place.map { [$0] } ?? []
      if let index = places[kind] {
        groups[index].places += place
      } else {
        places[kind] = groups.count
        groups.append(FindingGroup(first: finding, places: place))
      }
    }
    return groups
  }
}

extension Verdict {
  fileprivate var tone: StyledText.Tone {
    switch self {
    case .pass: .good
    case .fail: .bad
    case .unjudged: .doubtful
    }
  }

  /// In front of the file's name, for people.
  fileprivate var mark: String {
    switch self {
    case .pass: "✓"
    case .fail: "✗"
    case .unjudged: "?"
    }
  }
}
