import ClipModel
@unsafe @preconcurrency import Dispatch
import Foundation
import Reports
import ShareEngine
import Synchronization

/// Shows the progress of a batch on stderr. On a terminal, there is a line for each running file and one for the batch;
/// otherwise, an occasional line or JSON events are printed. SIGUSR1 (and SIGINFO, where it exists) prints the status.
final class BatchProgress: Sendable {
  private let board: ProgressBoard<BatchItem>
  private let state = Mutex(State())
  private let signals: [any DispatchSourceSignal]

  private struct State {
    /// The running files with their sizes and completed fractions.
    var running: [BatchItem: (byteCount: Int64, fraction: Double)] = [:]
    var totals = BatchTotals()
    var endedByteCount: Int64 = 0
    var sum = TotalProgress()

    mutating func apply(_ event: BatchEvent) -> TotalProgress {
      switch event {
      case .planned(let fileCount, let byteCount):
        self = State()
        (sum.fileCount, sum.byteCount) = (fileCount, byteCount)
      case .began(let item, let byteCount): running[item] = (byteCount, 0)
      case .progressed(let item, let fraction, _): running[item]?.fraction = fraction
      case .continued: break
      case .paused(_, let reason): sum.pause = reason
      case .resumed: sum.pause = nil
      case .ended(let item, let record):
        totals.add(record)
        if record.failure != nil { sum.failureCount += 1 }
        if let file = running.removeValue(forKey: item) {
          sum.endedCount += 1
          endedByteCount += file.byteCount
        }
      }
      sum.doneByteCount = running.values.reduce(Double(endedByteCount)) { $0 + $1.fraction * Double($1.byteCount) }
      sum.savedByteCount = totals.sourceByteCount - totals.byteCount
      return sum
    }
  }

  /// - Parameter showsTitle: whether the terminal's title shows the progress, too.
  init(_ mode: ProgressMode, showsTitle: Bool = false) {
    board = ProgressBoard(mode, namesTasks: true, showsTitle: showsTitle && Console.isErrorTerminal)
    var numbers = [SIGUSR1]
    #if canImport(Darwin)
    numbers.append(SIGINFO)
    #endif
    signals = numbers.map { number in
      // The signal's default action would end the program.
      signal(number, SIG_IGN)
      return DispatchSource.makeSignalSource(signal: number, queue: .global())
    }
    for source in signals {
      source.setEventHandler { [weak self] in self?.board.printStatus() }
      source.resume()
    }
  }

  func showEvent(_ event: BatchEvent) {
    if board.mode == .json { Console.writeErrorJSON(BatchEventDocument(event)) }
    board.setTotal(state.withLock { $0.apply(event) })
    switch event {
    case .planned: break
    case .began(let item, _):
      board.begin(item, item.displayPath)
      board.update(item, 0)
    case .progressed(let item, let fraction, let seconds):
      board.update(item, fraction, fraction < 1 ? .clip(seconds: fraction * seconds, of: seconds) : .text("checking"))
    case .continued(let item, let stored):
      board.print(StyledText("\(item.displayPath): \(stored.continuationText)").onOneLine)
    case .paused(let item, let reason):
      board.print(StyledText((item.map { "\($0.displayPath): " } ?? "") + "waiting: \(reason)").onOneLine)
    case .resumed: board.print("continuing")
    case .ended(let item, _): board.end(item)
    }
  }

  /// Hides the progress lines while `write` writes to the terminal.
  func withProgressHidden(_ write: () -> Void) { board.withProgressHidden(write) }

  func end() { board.end() }
}

/// A batch event as JSON, printed as one line on stderr.
struct BatchEventDocument: Encodable {
  var event: String
  var file: String?
  var fraction: Double?
  var detail: String?
  var fileCount: Int?
  var byteCount: Int64?
}

extension BatchEventDocument {
  init(continuationOf file: String, _ stored: EncodingProgress) {
    self.init(event: "continued", file: file, detail: stored.text)
  }

  init(_ event: BatchEvent) {
    switch event {
    case .planned(let fileCount, let byteCount):
      self.init(event: "planned", fileCount: fileCount, byteCount: byteCount)
    case .began(let item, let byteCount): self.init(event: "began", file: item.displayPath, byteCount: byteCount)
    case .progressed(let item, let fraction, _):
      self.init(event: "progress", file: item.displayPath, fraction: fraction)
    case .continued(let item, let stored):
      self.init(continuationOf: item.displayPath, stored)
    case .paused(let item, let reason): self.init(event: "paused", file: item?.displayPath, detail: reason)
    case .resumed(let item): self.init(event: "resumed", file: item?.displayPath)
    case .ended(let item, let record): self.init(event: "ended", file: item.displayPath, detail: record.status.rawValue)
    }
  }
}
