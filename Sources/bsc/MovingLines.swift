/// Lines at the end of a terminal that are drawn again and again; the cursor stands behind the last of them.
struct MovingLines {
  private var count = 0

  /// All of them in one write: a terminal shows it at once.
  mutating func draw(_ lines: [String]) {
    Console.writeError(erasing + lines.joined(separator: "\n"))
    count = lines.count
  }

  mutating func clear() {
    guard count > 0 else { return }
    Console.writeError(erasing)
    count = 0
  }

  /// To the beginning of the first, and away with all below it.
  private var erasing: String { count > 1 ? "\r\u{1B}[\(count - 1)A\u{1B}[J" : "\r\u{1B}[J" }
}
