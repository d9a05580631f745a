import ShareEngine

/// The moving line: stage, bar, percent, time left.
enum ProgressLine {
  /// - Parameters:
  ///   - fraction: 0 to 1; `nil` while nobody knows.
  ///   - first: the fraction at which `elapsed` began.
  ///   - name: the clip's, where several are worked on.
  static func text(
    _ arrow: ShareArrow, fraction: Double?, since first: Double, elapsed: Duration, detail: String?, name: String?,
    width: Int
  ) -> String {
    let nameWidth = min(20, width / 4)
    var line = "  " + (name.map { TextColumns.fitted($0, nameWidth) + "  " } ?? "") + arrow.rawValue.padded(10)
    if let fraction {
      let cells = max(8, min(28, width - 50 - (name == nil ? 0 : nameWidth)))
      let filled = Int((fraction * Double(cells)).rounded())
      line += String(repeating: "█", count: filled) + String(repeating: "░", count: cells - filled)
      line += " \(Int(fraction * 100)) %"
      let (seconds, done) = (elapsed.seconds, fraction - first)
      if done > 0.03, fraction < 1, seconds > 0.5 { line += ", \(time(seconds / done * (1 - fraction))) left" }
    } else {
      line += elapsed < .seconds(1) ? "…" : "\(spinner(elapsed)) \(time(elapsed.seconds.rounded(.down)))"
    }
    if let detail { line += "  \(detail)" }
    // One column stays free: some terminals wrap when the last one is written.
    return TextColumns.prefix(Console.printable(line).replacing("\n", with: "\u{FFFD}"), max(width - 1, 10))
  }

  /// It turns, so that people see that somebody is there.
  private static func spinner(_ elapsed: Duration) -> String {
    let frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
    return frames[Int(elapsed.seconds * 4) % frames.count]
  }

  private static func time(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded(.up))
    return whole < 60 ? "\(whole) s" : "\(whole / 60):\(whole % 60 < 10 ? "0" : "")\(whole % 60)"
  }
}
