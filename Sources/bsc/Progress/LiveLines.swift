/// Lines at the end of a terminal that are drawn again and again; the cursor stands behind the last of them. What has to
/// be written for that comes back as one text, so that a terminal shows all of it at once.
struct LiveLines {
  private var shown: [String] = []
  private var columns = 0
  private var isColored = false

  var isEmpty: Bool { shown.isEmpty }

  init(isColored: Bool = false) { self.isColored = isColored }

  /// Empty where nothing is different.
  /// - Parameter columns: of the terminal as it is now.
  mutating func drawing(_ lines: [StyledText], columns: Int) -> String {
    let plain = lines.map(\.plain)
    guard plain != shown || columns != self.columns else { return "" }
    guard !lines.isEmpty else { return clearing(columns: columns) }
    // Rows that a terminal has wrapped stay parts of one line for it, until they are cleared.
    let isResized = !shown.isEmpty && columns != self.columns
    let start = isResized ? clearing(columns: columns) : toTheStart(columns: columns)
    // Lines are written over each other and not taken away before, which would flicker. Nothing wraps meanwhile: of some
    // letters nobody knows how wide a terminal draws them.
    let body = lines.map { $0.rendered(isColored: isColored) + "\u{1B}[K" }.joined(separator: "\n")
    (shown, self.columns) = (plain, columns)
    return start + "\u{1B}[?7l" + body + "\u{1B}[J\u{1B}[?7h"
  }

  /// Row by row from below: where all of a screen is cleared at once, tmux keeps what was on it.
  mutating func clearing(columns: Int) -> String {
    guard !shown.isEmpty else { return "" }
    let rows = rows(columns)
    shown = []
    return "\r\u{1B}[K" + String(repeating: "\u{1B}[A\u{1B}[K", count: rows - 1)
  }

  /// A terminal that became narrower has wrapped what it shows: the first line is further up by now.
  private func toTheStart(columns: Int) -> String {
    let rows = rows(columns)
    return rows > 1 ? "\r\u{1B}[\(rows - 1)A" : "\r"
  }

  private func rows(_ columns: Int) -> Int { shown.reduce(0) { $0 + TextColumns.rows($1, columns) } }
}
