import Reports

/// One line about a running task.
struct ProgressLine: Sendable {
  /// The name of the task, if several tasks are running.
  var name: String?
  var stage: String?
  /// The completed fraction, 0 to 1; `nil` while it is unknown.
  var fraction: Double?
  /// The remaining time in seconds.
  var left: Double?
  /// The time in seconds since the stage began.
  var elapsed: Double
  /// The details, as strings of decreasing length; the last one can be truncated.
  var details: [String] = []
  var isPaused = false

  /// Formats the line for a terminal: never wider than the layout, and without control characters.
  func formatText(_ layout: ProgressLayout, _ glyphs: TerminalGlyphs) -> StyledText {
    var line = String(repeating: " ", count: layout.indent)
    if let name, layout.name > 0 {
      line +=
        TextColumns.fitName(name.onOneLine, layout.name, ellipsis: glyphs.ellipsis) + (layout.isCompact ? " " : "  ")
    }
    if let stage { line += layout.isCompact ? stage + " " : stage.padded(ProgressLayout.stage) }
    if let fraction {
      if layout.bar > 0 { line += glyphs.drawBar(fraction, cells: layout.bar) + " " }
      let percent = "\(Self.percentage(fraction)) %"
      line += layout.isCompact ? percent : String(repeating: " ", count: max(5 - percent.count, 0)) + percent
      if !isPaused, let left {
        let time = TimeText.formatRemaining(left)
        line += layout.isCompact ? " \(time)" : ", \(time) left"
      }
    } else {
      line +=
        elapsed < 1 ? glyphs.ellipsis : "\(glyphs.spinnerFrame(after: elapsed)) \(TimeText.formatElapsed(elapsed))"
    }
    line = TextColumns.prefix(line, layout.width)
    let used = TextColumns.count(line)
    // The details stay in their column when the remaining time gets shorter.
    let gap = fraction == nil || isPaused || layout.isCompact ? 2 : max(layout.detail - used, 2)
    let detail = selectDetail(room: layout.width - used - gap, glyphs)
    return detail.plain.isEmpty ? StyledText(line) : StyledText(line + String(repeating: " ", count: gap)) + detail
  }

  /// Returns the longest detail that fits. Numbers are never truncated.
  private func selectDetail(room: Int, _ glyphs: TerminalGlyphs) -> StyledText {
    guard let last = details.last else { return "" }
    let tone: StyledText.Tone? = isPaused ? .doubtful : nil
    if let fitting = details.lazy.map(\.onOneLine).first(where: { TextColumns.count($0) <= room }) {
      return StyledText(fitting, tone)
    }
    guard isPaused || fraction == nil, room >= 8 else { return "" }
    let cut = TextColumns.prefix(last.onOneLine, room - TextColumns.count(glyphs.ellipsis)) + glyphs.ellipsis
    return StyledText(cut, tone)
  }

  /// The line for logs, for example `process 40 %, 1:20 left`.
  var plain: String {
    let subject = [name, stage].compactMap(\.self).joined(separator: ": ").onOneLine
    var parts = [
      subject + (subject.isEmpty ? "" : " ")
        + (fraction.map { "\(Self.percentage($0)) %" } ?? TimeText.formatElapsed(elapsed))
    ]
    if !isPaused, let left { parts.append("\(TimeText.formatRemaining(left)) left") }
    if let detail = details.first { parts.append(detail.onOneLine) }
    return parts.joined(separator: ", ")
  }

  /// Returns the percentage, rounded down so that 100 means complete.
  static func percentage(_ fraction: Double) -> Int { max(0, min(100, Int(fraction * 100))) }
}
