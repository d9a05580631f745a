import Reports
import Synchronization

/// The title of the terminal's window: xterm's sequences, which others take or pass over.
struct TerminalTitle {
  private var shown: String?
  /// For whoever ends the process in the middle of it.
  private static let isChanged = Atomic(false)

  mutating func show(_ text: String) {
    guard text != shown else { return }
    // The title that was there is kept by the terminal, until `end`.
    let keeping = shown == nil ? "\u{1B}[22;2t" : ""
    Console.writeErrorRaw("\(keeping)\u{1B}]2;bsc: \(text.printable)\u{1B}\\")
    shown = text
    Self.isChanged.store(true, ordering: .relaxed)
  }

  mutating func end() {
    shown = nil
    Self.restore()
  }

  /// Gives the terminal its title back.
  static func restore() {
    if isChanged.exchange(false, ordering: .relaxed) { Console.writeErrorRaw("\u{1B}[23;2t") }
  }
}
