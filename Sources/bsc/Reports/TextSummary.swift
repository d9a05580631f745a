import ClipModel
import Reports

/// The end of a text report: the totals, and the rules that most files failed.
struct TextSummary {
  private static let shownRuleCount = 5

  private let terms: ReportOptions
  private var counts = VerdictCounts()
  /// The number of files that failed each rule.
  private var failures: [String: Int] = [:]

  init(_ terms: ReportOptions) { self.terms = terms }

  mutating func add(_ result: ValidationResult) {
    counts.add(result.verdict(failingOn: terms.threshold))
    for rule in Set(result.findings.filter { $0.severity >= terms.threshold }.map(\.rule)) {
      failures[rule, default: 0] += 1
    }
  }

  /// The text of the summary; empty for a single file.
  var text: String {
    guard counts.files > 1, !terms.isQuiet else { return "" }
    let ranked = failures.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let rows = ranked.prefix(Self.shownRuleCount).map { id, count in
      let summary = terms.rules.first { $0.id == id }?.summary ?? "not in the catalog"
      return TextRow(label: count.withNoun("file"), rule: id, text: summary)
    }
    let (labelWidth, ruleWidth) = (rows.map(\.label.count).max() ?? 0, rows.map(\.rule.count).max() ?? 0)
    var lines = [StyledText(counts.text, .strong)]
    lines += rows.map { $0.formatLine(labelWidth: labelWidth, ruleWidth: ruleWidth, width: terms.width) }
    if ranked.count > rows.count { lines.append("  and \((ranked.count - rows.count).withNoun("other rule"))") }
    return lines.lines.rendered(isColored: terms.isColored)
  }
}
