/// What bars and spinners are drawn with.
struct TerminalGlyphs: Equatable, Sendable {
  var full: String
  var empty: String
  var spinner: [String]
  var ellipsis: String
  /// Between a speed and "as fast as it plays".
  var times: String

  static let unicode = TerminalGlyphs(
    full: "█", empty: "░", spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"], ellipsis: "…", times: "×")
  static let ascii = TerminalGlyphs(
    full: "#", empty: "-", spinner: ["|", "/", "-", "\\"], ellipsis: "...", times: "x")

  /// Unicode where the locale is one of UTF-8; the first variable that says something counts, as in C. The console of
  /// Linux has a font of 512 letters.
  init(environment: [String: String]) {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
    let isUTF8 = ["utf-8", "utf8"].contains {
      locale.lowercased().hasSuffix($0) || locale.lowercased().contains("\($0)@")
    }
    self = isUTF8 && environment["TERM"] != "linux" ? .unicode : .ascii
  }

  private init(full: String, empty: String, spinner: [String], ellipsis: String, times: String) {
    (self.full, self.empty, self.spinner, self.ellipsis, self.times) = (full, empty, spinner, ellipsis, times)
  }

  /// - Parameter fraction: 0 to 1.
  func bar(_ fraction: Double, cells: Int) -> String {
    let filled = max(0, min(cells, Int((fraction * Double(cells)).rounded(.down))))
    return String(repeating: full, count: filled) + String(repeating: empty, count: cells - filled)
  }

  /// It turns, so that people see that somebody is there.
  func spinner(after seconds: Double) -> String { spinner[Int(max(seconds, 0) * 4) % spinner.count] }
}
