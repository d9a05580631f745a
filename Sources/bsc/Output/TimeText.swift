/// Formats short durations for progress lines.
enum TimeText {
  /// Formats a duration, for example `38 s`, `4:10` or `3 h 12 min`.
  static func formatElapsed(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded(.down))
    if whole < 60 { return "\(whole) s" }
    if whole >= 3600 { return "\(whole / 3600) h \(whole % 3600 / 60) min" }
    return "\(whole / 60):" + (whole % 60 < 10 ? "0" : "") + "\(whole % 60)"
  }

  /// Formats an estimate: in steps of five seconds above one minute, and in whole minutes above ten minutes.
  static func formatRemaining(_ seconds: Double) -> String {
    let step = seconds <= 60 ? 1.0 : seconds <= 600 ? 5 : 60
    let rounded = (seconds / step).rounded(.up) * step
    return (600...3540).contains(rounded) ? "\(Int(rounded / 60)) min" : formatElapsed(rounded)
  }
}
