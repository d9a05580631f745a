import ClipModel
import Foundation
import Synchronization

/// One line that tells how much of a file is written; nothing for what takes less than a moment.
final class FileProgress: Sendable {
  private struct State {
    var name = ""
    var began = ContinuousClock.now
    var lastShown: ContinuousClock.Instant?
  }

  private let isShown: Bool
  private let whenWritten: String
  private let state = Mutex(State())

  /// - Parameter whenWritten: what is done with a file after its last byte.
  init(style: ProgressStyle, isQuiet: Bool, whenWritten: String) {
    self.whenWritten = whenWritten
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
      guard fraction < 1 else { return "\(state.name): \(whenWritten)" }
      return "\(state.name): writing, \(Int(fraction * 100)) %\(Self.rest(fraction, since: state.began, until: now))"
    }
    if let line { Console.writeError("\r\u{1B}[K" + String(line.prefix(Console.width - 1))) }
  }

  /// How long it will take, once there is something to go by.
  private static func rest(
    _ fraction: Double, since began: ContinuousClock.Instant, until now: ContinuousClock.Instant
  ) -> String {
    let seconds = (now - began).seconds
    guard fraction > 0.05, seconds > 2 else { return "" }
    let left = Int((seconds / fraction * (1 - fraction)).rounded(.up))
    return left < 60 ? ", \(left) s left" : ", \(left / 60) min \(left % 60) s left"
  }

  func end() {
    let wasShown = state.withLock { state in
      defer { state.lastShown = nil }
      return state.lastShown != nil
    }
    if wasShown { Console.writeError("\r\u{1B}[K") }
  }
}
