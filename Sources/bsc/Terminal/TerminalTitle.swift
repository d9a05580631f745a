import Reports
import Synchronization

/// The title of the terminal window, set with xterm's control sequences. Other terminals accept or ignore them.
struct TerminalTitle {
  private var shown: String?
  /// Whether the title must be restored before the process exits.
  private static let isChanged = Atomic(false)

  mutating func setTitle(_ text: String) {
    guard text != shown else { return }
    // The terminal saves its own title until `restore`.
    let saving = shown == nil ? "\u{1B}[22;2t" : ""
    Console.writeRawErrorText("\(saving)\u{1B}]2;bsc: \(text.printable)\u{1B}\\")
    shown = text
    Self.isChanged.store(true, ordering: .relaxed)
  }

  mutating func end() {
    shown = nil
    Self.restore()
  }

  /// Restores the terminal's original title.
  static func restore() {
    if isChanged.exchange(false, ordering: .relaxed) { Console.writeRawErrorText("\u{1B}[23;2t") }
  }
}
