/// The characters that progress bars and spinners consist of.
struct TerminalGlyphs: Equatable, Sendable {
  var full: String
  var empty: String
  var spinner: [String]
  var ellipsis: String
  var multiplicationSign: String

  static let unicode = TerminalGlyphs(
    full: "█", empty: "░", spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"], ellipsis: "…",
    multiplicationSign: "×")
  static let ascii = TerminalGlyphs(
    full: "#", empty: "-", spinner: ["|", "/", "-", "\\"], ellipsis: "...", multiplicationSign: "x")

  /// Draws a progress bar.
  /// - Parameter fraction: the completed fraction, 0 to 1.
  func drawBar(_ fraction: Double, cells: Int) -> String {
    let filled = max(0, min(cells, Int((fraction * Double(cells)).rounded(.down))))
    return String(repeating: full, count: filled) + String(repeating: empty, count: cells - filled)
  }

  func spinnerFrame(after seconds: Double) -> String { spinner[Int(max(seconds, 0) * 4) % spinner.count] }
}

extension TerminalGlyphs {
  /// Uses Unicode in UTF-8 locales. As in C, the first locale variable that isn't empty decides. The Linux console
  /// supports too few characters.
  init(environment: [String: String]) {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
    let isUTF8 = locale.lowercased().contains(/utf-?8($|@)/)
    self = isUTF8 && environment["TERM"] != "linux" ? .unicode : .ascii
  }
}
