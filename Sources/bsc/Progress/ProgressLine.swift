import Reports

/// One line of work under way: who, what, how far, how long, and what else there is room for.
struct ProgressLine: Sendable {
  /// The clip's, where several are worked on.
  var name: String?
  /// What is done with it, where there are several things.
  var stage: String?
  /// 0 to 1; `nil` while nobody knows.
  var fraction: Double?
  /// Seconds.
  var left: Double?
  /// Since the stage began, seconds.
  var elapsed: Double
  /// The same in fewer and fewer words; the last may be cut.
  var details: [String] = []
  /// Something keeps it from going on.
  var isHeldUp = false

  /// For a terminal, never wider than the layout; what a clip is called cannot break it.
  func text(_ layout: ProgressLayout, _ glyphs: TerminalGlyphs) -> StyledText {
    var line = String(repeating: " ", count: layout.indent)
    if let name, layout.name > 0 {
      line +=
        TextColumns.fitted(name.onOneLine, layout.name, ellipsis: glyphs.ellipsis) + (layout.isCompact ? " " : "  ")
    }
    if let stage { line += layout.isCompact ? stage + " " : stage.padded(ProgressLayout.stage) }
    if let fraction {
      if layout.bar > 0 { line += glyphs.bar(fraction, cells: layout.bar) + " " }
      let percent = "\(Self.percent(fraction)) %"
      line += layout.isCompact ? percent : String(repeating: " ", count: max(5 - percent.count, 0)) + percent
      if !isHeldUp, let left {
        let time = TimeText.left(left)
        line += layout.isCompact ? " \(time)" : ", \(time) left"
      }
    } else {
      line += elapsed < 1 ? glyphs.ellipsis : "\(glyphs.spinner(after: elapsed)) \(TimeText.passed(elapsed))"
    }
    line = TextColumns.prefix(line, layout.width)
    let used = TextColumns.count(line)
    // Stands still, also where the time left loses a digit or is not known.
    let gap = fraction == nil || isHeldUp || layout.isCompact ? 2 : max(layout.detail - used, 2)
    let detail = detail(room: layout.width - used - gap, glyphs)
    return detail.plain.isEmpty ? StyledText(line) : StyledText(line + String(repeating: " ", count: gap)) + detail
  }

  /// As much of it as there is room for; numbers are not cut.
  private func detail(room: Int, _ glyphs: TerminalGlyphs) -> StyledText {
    guard let last = details.last else { return "" }
    let tone: StyledText.Tone? = isHeldUp ? .doubtful : nil
    if let fitting = details.lazy.map(\.onOneLine).first(where: { TextColumns.count($0) <= room }) {
      return StyledText(fitting, tone)
    }
    guard isHeldUp || fraction == nil, room >= 8 else { return "" }
    let cut = TextColumns.prefix(last.onOneLine, room - TextColumns.count(glyphs.ellipsis)) + glyphs.ellipsis
    return StyledText(cut, tone)
  }

  /// For logs: `process 40 %, 1:20 left`.
  var plain: String {
    let subject = [name, stage].compactMap(\.self).joined(separator: ": ").onOneLine
    var parts = [
      subject + (subject.isEmpty ? "" : " ") + (fraction.map { "\(Self.percent($0)) %" } ?? TimeText.passed(elapsed))
    ]
    if !isHeldUp, let left { parts.append("\(TimeText.left(left)) left") }
    if let detail = details.first { parts.append(detail.onOneLine) }
    return parts.joined(separator: ", ")
  }

  /// All of it is only said when all is done.
  static func percent(_ fraction: Double) -> Int { max(0, min(100, Int(fraction * 100))) }
}
