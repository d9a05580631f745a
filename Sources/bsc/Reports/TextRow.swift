import Reports

/// A line about a file: label, rule, text and advice, in columns.
struct TextRow {
  /// The label: `error`, `warning`, `info` or `unknown`, or `…` for omitted rows.
  var label: String
  var rule = ""
  var text: String
  var next: String?
  /// The tone of the label.
  var tone: StyledText.Tone?

  /// Formats the row. Long text continues below its column, or below the rule if the column is too narrow.
  /// - Parameters:
  ///   - labelWidth: the width of the longest label in columns.
  ///   - ruleWidth: the width of the longest rule in columns.
  ///   - width: the terminal's width in columns; `nil` if lines must not be broken.
  func formatLine(labelWidth: Int = 7, ruleWidth: Int, width: Int?) -> StyledText {
    let label = 2 + labelWidth + 2
    let prefix = rule.isEmpty ? label : label + ruleWidth + 2
    let text = ((rule.isEmpty ? "" : rule.padded(ruleWidth + 2)) + text + (next.map { " → \($0)" } ?? "")).onOneLine
    let gap = String(repeating: " ", count: max(labelWidth - self.label.count, 0) + 2)
    let line: StyledText = "  \(self.label, tone)\(gap)\(text)"
    return width.map { line.wrapped(columns: $0, indent: $0 - prefix >= 24 ? prefix : label) } ?? line
  }
}
