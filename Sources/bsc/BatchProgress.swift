import ClipModel
@unsafe @preconcurrency import Dispatch
import Foundation
import ShareEngine
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Shows a batch on stderr: on a terminal a line for each file that is worked on and one for all, elsewhere nothing but
/// pauses, or JSON events. SIGUSR1 (and SIGINFO, where there is one) prints the state anywhere.
final class BatchProgress: Sendable {
  private let style: ProgressStyle
  private let titles: Bool
  private let state = Mutex(State())
  private let signals: [any DispatchSourceSignal]

  /// Ten times a second is smooth and does not flicker.
  private static let interval = Duration.milliseconds(100)

  private struct Work {
    var item: BatchItem
    var byteCount: Int64
    var began = ContinuousClock.now
    var fraction = 0.0
  }

  private struct State {
    var running: [Work] = []
    var totals = BatchTotals()
    /// Of this run: what there is to do, and what is done of it.
    var (fileCount, byteCount): (Int, Int64) = (0, 0)
    var (endedCount, endedByteCount): (Int, Int64) = (0, 0)
    var failureCount = 0
    var began = ContinuousClock.now
    var pause: String?
    var lastShown: ContinuousClock.Instant?
    var lines = MovingLines()
    var title = TerminalTitle()

    var doneByteCount: Double {
      running.reduce(Double(endedByteCount)) { $0 + $1.fraction * Double($1.byteCount) }
    }
  }

  /// - Parameter titles: the terminal's title tells it, too.
  init(style: ProgressStyle, isQuiet: Bool, titles: Bool = false) {
    self.titles = titles && Console.isErrorTerminal
    let isDumb = ProcessInfo.processInfo.environment["TERM"] == "dumb"
    self.style =
      switch style {
      case .auto: isQuiet ? .none : Console.isErrorTerminal && !isDumb ? .bar : .plain
      case .bar, .plain, .json, .none: style
      }
    var numbers = [SIGUSR1]
    #if canImport(Darwin)
      numbers.append(SIGINFO)
    #endif
    signals = numbers.map { number in
      // The default action would end the program.
      signal(number, SIG_IGN)
      return DispatchSource.makeSignalSource(signal: number, queue: .global())
    }
    for source in signals {
      source.setEventHandler { [weak self] in self?.tellState() }
      source.resume()
    }
  }

  func take(_ event: BatchEvent) {
    if style == .json { Console.writeErrorJSON(BatchEventDocument(event)) }
    state.withLock { state in
      switch event {
      case .planned(let fileCount, let byteCount):
        (state.fileCount, state.byteCount, state.began) = (fileCount, byteCount, .now)
      case .began(let item, let byteCount):
        state.running.removeAll { $0.item == item }
        state.running.append(Work(item: item, byteCount: byteCount))
        draw(&state, isUrgent: true)
      case .progressed(let item, let fraction):
        guard let place = state.running.firstIndex(where: { $0.item == item }) else { return }
        state.running[place].fraction = fraction
        draw(&state, isUrgent: false)
      case .paused(let item, let reason):
        state.pause = reason
        let subject = item.map { "\($0.shown): " } ?? ""
        if style == .bar || style == .plain { print("\(subject)waiting: \(reason)", &state) }
      case .resumed:
        state.pause = nil
        if style == .bar || style == .plain { print("going on", &state) }
      case .ended(let item, let record):
        state.totals.add(record)
        if record.failure != nil { state.failureCount += 1 }
        if let place = state.running.firstIndex(where: { $0.item == item }) {
          state.endedCount += 1
          state.endedByteCount += state.running.remove(at: place).byteCount
        }
      }
    }
  }

  /// Takes the moving lines away while somebody else writes. They come back with the next progress.
  func interrupting(_ write: () -> Void) {
    state.withLock { state in
      state.lines.clear()
      write()
    }
  }

  func end() {
    interrupting {}
    state.withLock { $0.title.end() }
  }

  private func tellState() {
    state.withLock { state in
      state.lines.clear()
      let names = state.running.map { "\($0.item.shown) \(Int($0.fraction * 100)) %" }
      Console.writeError(Console.printable(([total(state)] + names).joined(separator: "\n  ")) + "\n")
    }
  }

  // MARK: Lines

  /// `12 of 200 files, 34 %, 1.2 GB saved, 42 min left`
  private func total(_ state: State) -> String {
    var parts = ["\(state.endedCount) of \(state.fileCount.counting("file"))"]
    if state.failureCount > 0 { parts.append("\(state.failureCount) failed") }
    let fraction = state.byteCount > 0 ? min(state.doneByteCount / Double(state.byteCount), 1) : 0
    parts.append("\(Int(fraction * 100)) %")
    let saved = state.totals.sourceByteCount - state.totals.byteCount
    if saved > 0 { parts.append("\(ByteCount.text(saved)) saved") }
    let elapsed = (ContinuousClock.now - state.began).seconds
    if elapsed > 1, fraction > 0 {
      parts.append("\(ByteCount.text(Int64(state.doneByteCount / elapsed)))/s")
    }
    // Over the whole run, so that it settles; the first moments say nothing.
    if elapsed > 3, fraction > 0.01, fraction < 1 {
      parts.append("\(BatchText.time(max(1, elapsed / fraction * (1 - fraction)))) left")
    }
    if let pause = state.pause { parts.append("waiting: \(pause)") }
    return parts.joined(separator: ", ")
  }

  private func draw(_ state: inout State, isUrgent: Bool) {
    guard style == .bar else { return }
    let now = ContinuousClock.now
    if !isUrgent, let last = state.lastShown, now - last < Self.interval { return }
    state.lastShown = now
    let screen = Console.errorSize
    let width = max(screen.columns - 1, 10)
    let nameWidth = min(max(width - 24, 8), 40)
    // What is higher than the screen could not be taken away again.
    var lines = state.running.prefix(max(screen.rows - 3, 1)).map { work in
      let cells = min(16, max(4, width - nameWidth - 10))
      let filled = Int((work.fraction * Double(cells)).rounded())
      let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: cells - filled)
      return "  \(TextColumns.fitted(work.item.shown, nameWidth)) \(bar) \(Int(work.fraction * 100)) %"
    }
    if state.fileCount > 1 { lines.append(total(state)) }
    lines = lines.map { TextColumns.prefix(Console.printable($0).replacing("\n", with: "\u{FFFD}"), width) }
    state.lines.draw(lines)
    if titles { state.title.show(total(state)) }
  }

  /// A line that stays.
  private func print(_ line: String, _ state: inout State) {
    state.lines.clear()
    Console.writeError(Console.printable(line).replacing("\n", with: "\u{FFFD}") + "\n")
  }
}

/// An event of a batch as JSON, one per line on stderr.
struct BatchEventDocument: Encodable {
  var event: String
  var file: String?
  var fraction: Double?
  var detail: String?
  var fileCount: Int?
  var byteCount: Int64?

  init(_ event: BatchEvent) {
    switch event {
    case .planned(let fileCount, let byteCount):
      self.event = "planned"
      (self.fileCount, self.byteCount) = (fileCount, byteCount)
    case .began(let item, let byteCount):
      (self.event, file, self.byteCount) = ("began", item.shown, byteCount)
    case .progressed(let item, let fraction):
      (self.event, file, self.fraction) = ("progress", item.shown, fraction)
    case .paused(let item, let reason):
      (self.event, file, detail) = ("paused", item?.shown, reason)
    case .resumed(let item):
      (self.event, file) = ("resumed", item?.shown)
    case .ended(let item, let record):
      (self.event, file, detail) = ("ended", item.shown, record.status.rawValue)
    }
  }
}
