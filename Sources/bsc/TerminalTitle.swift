/// The title of the terminal's window: xterm's sequences, which others take or pass over.
struct TerminalTitle {
  private var shown: String?

  mutating func show(_ text: String) {
    guard text != shown else { return }
    // The title that was there is kept by the terminal, until `end`.
    let keeping = shown == nil ? "\u{1B}[22;2t" : ""
    Console.writeError("\(keeping)\u{1B}]2;bsc: \(Console.printable(text))\u{1B}\\")
    shown = text
  }

  /// Gives the terminal its title back.
  mutating func end() {
    guard shown != nil else { return }
    Console.writeError("\u{1B}[23;2t")
    shown = nil
  }
}
