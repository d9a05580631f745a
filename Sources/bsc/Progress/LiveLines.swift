/// Lines at the bottom of a terminal that are redrawn in place. Each change is written as a single string, so that the
/// terminal shows it at once.
struct LiveLines {
  private var shown: [String] = []
  private var columns = 0
  private var isColored = false

  var isEmpty: Bool { shown.isEmpty }

  init(isColored: Bool = false) { self.isColored = isColored }

  /// Replaces the displayed lines.
  /// - Parameter columns: the terminal's current width.
  /// - Returns: the control sequences that show these lines; empty if nothing has changed.
  mutating func redraw(_ lines: [StyledText], columns: Int) -> String {
    let plain = lines.map(\.plain)
    guard plain != shown || columns != self.columns else { return "" }
    guard !lines.isEmpty else { return clear(columns: columns) }
    // Rows that the terminal has wrapped stay joined until they are cleared.
    let isResized = !shown.isEmpty && columns != self.columns
    let start = isResized ? clear(columns: columns) : moveToStart(columns: columns)
    // Lines are overwritten, because clearing them first would cause flicker. Wrapping is disabled, because some
    // terminals draw characters wider than expected.
    let body = lines.map { $0.rendered(isColored: isColored) + "\u{1B}[K" }.joined(separator: "\n")
    (shown, self.columns) = (plain, columns)
    return start + "\u{1B}[?7l" + body + "\u{1B}[J\u{1B}[?7h"
  }

  /// Clears the rows one by one from the bottom: if the entire screen is cleared at once, tmux keeps its content in the
  /// history.
  mutating func clear(columns: Int) -> String {
    guard !shown.isEmpty else { return "" }
    let rows = countRows(columns)
    shown = []
    return "\r\u{1B}[K" + String(repeating: "\u{1B}[A\u{1B}[K", count: rows - 1)
  }

  /// Moves to the first line. If the terminal has become narrower, it has wrapped the lines.
  private func moveToStart(columns: Int) -> String {
    let rows = countRows(columns)
    return rows > 1 ? "\r\u{1B}[\(rows - 1)A" : "\r"
  }

  private func countRows(_ columns: Int) -> Int { shown.reduce(0) { $0 + TextColumns.countRows($1, columns) } }
}
