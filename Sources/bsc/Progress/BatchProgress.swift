import ClipModel
@unsafe @preconcurrency import Dispatch
import Foundation
import Reports
import ShareEngine
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Tells of a batch on stderr: on a terminal a line for each file that is worked on and one for all, elsewhere pauses and
/// now and then how far it is, or JSON events. SIGUSR1 (and SIGINFO, where there is one) prints the state anywhere.
final class BatchProgress: Sendable {
  private let board: ProgressBoard<BatchItem>
  private let state = Mutex(State())
  private let signals: [any DispatchSourceSignal]

  private struct State {
    /// Bytes of what is worked on, and how much of each is done.
    var running: [BatchItem: (byteCount: Int64, fraction: Double)] = [:]
    var totals = BatchTotals()
    var endedByteCount: Int64 = 0
    /// Of this run.
    var sum = ProgressSum()

    mutating func reckon() -> ProgressSum {
      sum.doneByteCount = running.values.reduce(Double(endedByteCount)) { $0 + $1.fraction * Double($1.byteCount) }
      sum.savedByteCount = totals.sourceByteCount - totals.byteCount
      return sum
    }
  }

  /// - Parameter titles: the terminal's title tells it, too.
  init(_ mode: ProgressMode, titles: Bool = false) {
    board = ProgressBoard(mode, namesWork: true, titles: titles && Console.isErrorTerminal)
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
      source.setEventHandler { [weak self] in self?.board.tell() }
      source.resume()
    }
  }

  func take(_ event: BatchEvent) {
    if board.mode == .json { Console.writeErrorJSON(BatchEventDocument(event)) }
    let sum = state.withLock { state in
      switch event {
      case .planned(let fileCount, let byteCount):
        state = State()
        (state.sum.fileCount, state.sum.byteCount) = (fileCount, byteCount)
      case .began(let item, let byteCount): state.running[item] = (byteCount, 0)
      case .progressed(let item, let fraction, _): state.running[item]?.fraction = fraction
      case .paused(_, let reason): state.sum.pause = reason
      case .resumed: state.sum.pause = nil
      case .ended(let item, let record):
        state.totals.add(record)
        if record.failure != nil { state.sum.failureCount += 1 }
        if let work = state.running.removeValue(forKey: item) {
          state.sum.endedCount += 1
          state.endedByteCount += work.byteCount
        }
      }
      return state.reckon()
    }
    board.set(sum)
    switch event {
    case .planned: break
    case .began(let item, _):
      board.begin(item, item.shown)
      board.move(item, 0)
    case .progressed(let item, let fraction, let seconds):
      board.move(item, fraction, fraction < 1 ? .clip(seconds: fraction * seconds, of: seconds) : .text("checking"))
    case .paused(let item, let reason):
      board.print(StyledText((item.map { "\($0.shown): " } ?? "") + "waiting: \(reason)").onOneLine)
    case .resumed: board.print("going on")
    case .ended(let item, _): board.end(item)
    }
  }

  /// Takes the moving lines away while somebody else writes. They come back with the next progress.
  func interrupting(_ write: () -> Void) { board.interrupting(write) }

  func end() { board.end() }
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
    case .progressed(let item, let fraction, _):
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
