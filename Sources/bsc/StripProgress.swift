import ClipModel
import Foundation
import Synchronization

/// One line that tells how much of a file is written; nothing for what takes less than a moment.
final class StripProgress: Sendable {
  private struct State {
    var name = ""
    var began = ContinuousClock.now
    var lastShown: ContinuousClock.Instant?
  }

  private let isShown: Bool
  private let state = Mutex(State())

  init(style: ProgressStyle, isQuiet: Bool) {
    isShown = style == .bar || (style == .auto && !isQuiet && Console.isErrorTerminal)
  }

  func begin(_ name: String) { state.withLock { $0 = State(name: name) } }

  func move(_ fraction: Double) {
    guard isShown else { return }
    let line: String? = state.withLock { state in
      let now = ContinuousClock.now
      guard now - state.began > .milliseconds(300), state.lastShown.map({ now - $0 > .milliseconds(100) }) ?? true
      else {
        return nil
      }
      state.lastShown = now
      return fraction < 1 ? "\(state.name): writing, \(Int(fraction * 100)) %" : "\(state.name): looking again"
    }
    if let line { Console.writeError("\r\u{1B}[K" + String(line.prefix(Console.width - 1))) }
  }

  func end() {
    let wasShown = state.withLock { state in
      defer { state.lastShown = nil }
      return state.lastShown != nil
    }
    if wasShown { Console.writeError("\r\u{1B}[K") }
  }
}
