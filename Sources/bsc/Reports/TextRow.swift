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
  func lines(labelWidth: Int = 7, ruleWidth: Int, width: Int?) -> [StyledText] {
    let label = "  " + label.padded(labelWidth + 2)
    let prefix = rule.isEmpty ? label : label + rule.padded(ruleWidth + 2)
    let text = (text + (next.map { " → \($0)" } ?? "")).onOneLine
    guard let width else { return painted([prefix + text]) }
    let indent = width - prefix.count >= 24 ? prefix.count : label.count
    return painted(Self.wrapped(prefix, text, indent: indent, width: width))
  }

  /// The first line begins with the label.
  private func painted(_ lines: [String]) -> [StyledText] {
    guard let tone, let first = lines.first, first.hasPrefix("  " + label) else { return lines.map { StyledText($0) } }
    return ["  \(label, tone)\(first.dropFirst(2 + label.count))"] + lines.dropFirst().map { StyledText($0) }
  }

  /// Breaks at spaces; a word that is too long stays whole, so that it can be copied.
  private static func wrapped(_ prefix: String, _ text: String, indent: Int, width: Int) -> [String] {
    var lines: [String] = []
    var line = prefix
    var isEmpty = true
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if !isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = String(repeating: " ", count: indent)
        isEmpty = true
      }
      line += isEmpty ? String(word) : " " + word
      isEmpty = false
    }
    return lines + [line]
  }
}
