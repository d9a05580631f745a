import Reports

/// A line about a file: label, rule, text and advice, in columns.
struct TextRow {
  /// One of `error`, `warning`, `info`, `unknown`, and `…` for omitted rows.
  var label: String
  var rule = ""
  var text: String
  var next: String?
  /// The tone of the label.
  var tone: StyledText.Tone?

  /// Long texts continue below their column, or below the rule if the column is too narrow.
  /// - Parameters:
  ///   - labelWidth: columns of the longest label.
  ///   - ruleWidth: columns of the longest rule.
  ///   - width: columns of the terminal; `nil` breaks no lines.
  func line(labelWidth: Int = 7, ruleWidth: Int, width: Int?) -> StyledText {
    let label = 2 + labelWidth + 2
    let prefix = rule.isEmpty ? label : label + ruleWidth + 2
    let text = ((rule.isEmpty ? "" : rule.padded(ruleWidth + 2)) + text + (next.map { " → \($0)" } ?? "")).onOneLine
    let gap = String(repeating: " ", count: max(labelWidth - self.label.count, 0) + 2)
    let line: StyledText = "  \(self.label, tone)\(gap)\(text)"
    return width.map { line.wrapped(columns: $0, indent: $0 - prefix >= 24 ? prefix : label) } ?? line
  }
}
