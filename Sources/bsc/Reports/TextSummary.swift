import ClipModel
import Reports

/// The end of a text report: how many files fit, and which rules most of the others failed.
struct TextSummary {
  private static let shownRuleCount = 5

  private let terms: ReportTerms
  private var counts = VerdictCounts()
  /// Files that each rule refused.
  private var refusals: [String: Int] = [:]

  init(_ terms: ReportTerms) { self.terms = terms }

  mutating func add(_ judgement: Judgement) {
    counts.add(judgement.verdict(failingOn: terms.threshold))
    for rule in Set(judgement.findings.filter { $0.severity >= terms.threshold }.map(\.rule)) {
      refusals[rule, default: 0] += 1
    }
  }

  /// Empty for a single file, which says everything itself.
  var text: String {
    guard counts.files > 1, !terms.isQuiet else { return "" }
    let ranked = refusals.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let shown = ranked.prefix(Self.shownRuleCount)
    let rows = shown.map { TextRow(label: $1.counting("file"), rule: $0, text: summary(of: $0)) }
    let labelWidth = rows.map(\.label.count).max() ?? 0
    let ruleWidth = rows.map(\.rule.count).max() ?? 0
    var lines = [StyledText(counts.text, .strong)]
    lines += rows.map { $0.line(labelWidth: labelWidth, ruleWidth: ruleWidth, width: terms.width) }
    if ranked.count > shown.count { lines.append("  and \((ranked.count - shown.count).counting("other rule"))") }
    return lines.lines.rendered(isColored: terms.isColored)
  }

  private func summary(of id: String) -> String { terms.rules.first { $0.id == id }?.summary ?? "not in the catalogue" }
}
