import Reports

/// A line below a file's name: label, rule, text and what helps, in columns.
struct TextRow {
  /// `error`, `warning`, `info`, `unknown`, or `…` for what is left out.
  var label: String
  var rule = ""
  var text: String
  /// What helps.
  var next: String?
  /// Of the label.
  var tone: StyledText.Tone?

  /// Long texts go on below their column, or, where that would leave them too little room, below the label's end.
  /// - Parameters:
  ///   - labelWidth: of the longest label.
  ///   - ruleWidth: of the longest rule beside this one.
  ///   - width: columns; `nil` breaks no lines.
  func line(labelWidth: Int = 7, ruleWidth: Int, width: Int?) -> StyledText {
    let label = 2 + labelWidth + 2
    let prefix = rule.isEmpty ? label : label + ruleWidth + 2
    let gap = String(repeating: " ", count: max(labelWidth - self.label.count, 0) + 2)
    let text = ((rule.isEmpty ? "" : rule.padded(ruleWidth + 2)) + text + (next.map { " → \($0)" } ?? "")).onOneLine
    let line: StyledText = "  \(self.label, tone)\(gap)\(text)"
    guard let width else { return line }
    return line.wrapped(columns: width, indent: width - prefix >= 24 ? prefix : label)
  }
}
