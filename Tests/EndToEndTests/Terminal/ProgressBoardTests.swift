import ClipModel
import ShareEngine
import Synchronization
import Testing

@testable import bsc

/// The output of the progress board on a simulated terminal.
@Suite struct ProgressBoardTests {
  /// A simulated terminal with a clock.
  private final class SimulatedTerminal: Sendable {
    let state = Mutex<(now: ContinuousClock.Instant, size: TerminalSize, written: [String])>(
      (.now, TerminalSize(columns: 80, rows: 24), []))

    var output: ProgressOutput {
      ProgressOutput(
        write: { text in self.state.withLock { $0.written.append(text) } },
        size: { self.state.withLock(\.size) }, now: { self.state.withLock(\.now) }, glyphs: .unicode)
    }

    func pass(_ seconds: Double) { state.withLock { $0.now += .seconds(seconds) } }

    /// The output since the last call.
    func written() -> [String] {
      state.withLock { state in
        defer { state.written = [] }
        return state.written
      }
    }
  }

  private func board(_ mode: ProgressMode, on terminal: SimulatedTerminal, namesTasks: Bool = false) -> ProgressBoard<
    Int
  > {
    ProgressBoard(mode, namesTasks: namesTasks, ticks: false, output: terminal.output)
  }

  /// Each update is one write, at most ten per second, and omitted without changes.
  @Test func updatesAreSingleWritesAtMostTenPerSecond() {
    let terminal = SimulatedTerminal()
    let board = board(.moving, on: terminal)
    board.begin(1, "a.mp4", stage: "process")
    for step in 0..<1000 {
      terminal.pass(0.001)
      board.update(1, Double(step) / 1000)
    }
    let written = terminal.written()
    #expect((9...11).contains(written.count), "\(written.count)")
    #expect(written.allSatisfy { $0.contains("process") && $0.hasPrefix("\r") })
    terminal.pass(0.15)
    board.tick()
    _ = terminal.written()
    terminal.pass(0.15)
    board.tick()
    #expect(terminal.written().isEmpty)
  }

  @Test func cursorIsNotHidden() {
    let terminal = SimulatedTerminal()
    let board = board(.moving, on: terminal)
    board.begin(1, "a.mp4", stage: "process")
    terminal.pass(1)
    board.update(1, 0.5)
    board.end(1)
    #expect(!terminal.written().joined().contains("?25l"))
  }

  /// After a resize, lines that the terminal wrapped have more rows to erase.
  @Test func narrowerTerminalErasesMoreRows() {
    let terminal = SimulatedTerminal()
    let board = board(.moving, on: terminal)
    board.begin(1, "a.mp4", stage: "process")
    terminal.pass(1)
    board.update(1, 0.5, .text("a detail of some length"))
    _ = terminal.written()
    terminal.state.withLock { $0.size = TerminalSize(columns: 30, rows: 10) }
    terminal.pass(1)
    board.tick()
    // The line has 75 columns.
    #expect(terminal.written().joined().hasPrefix("\r\u{1B}[K\u{1B}[A\u{1B}[K\u{1B}[A\u{1B}[K\u{1B}[?7l"))
    terminal.pass(1)
    board.end(1)
    #expect(terminal.written() == ["\r\u{1B}[K"])
  }

  /// Permanent lines replace the live lines, which are drawn again below them.
  @Test func permanentLinesAreWrittenAboveLiveLines() {
    let terminal = SimulatedTerminal()
    let board = board(.moving, on: terminal)
    board.begin(1, "a.mp4", stage: "process")
    _ = terminal.written()
    terminal.pass(0.01)
    board.print("a line \u{1B}[31mthat stays")
    let written = terminal.written()
    #expect(written.count == 3)
    #expect(written.first == "\r\u{1B}[K" && written[1] == "a line \u{FFFD}[31mthat stays\n")
    #expect(written.last?.contains("process") == true)
  }

  @Test(arguments: [1, 2, 5]) func linesFitScreen(rows: Int) {
    let terminal = SimulatedTerminal()
    terminal.state.withLock { $0.size = TerminalSize(columns: 60, rows: rows) }
    let board = board(.moving, on: terminal, namesTasks: true)
    for key in 0..<1000 { board.begin(key, "\(key).mp4", stage: "upload") }
    terminal.pass(1)
    board.tick()
    let last = terminal.written().last ?? ""
    #expect(last.split(separator: "\n").count <= max(rows - 1, 1))
    if rows > 2 { #expect(last.contains("and 997 more")) }
  }

  /// Without live lines: a line after half a minute, later ones less often, and no control characters.
  @Test func logLinesAreRare() {
    let terminal = SimulatedTerminal()
    let board = board(.plain, on: terminal)
    board.begin(1, "a\u{1B}[2J.mp4", stage: "process")
    var lines: [(Int, String)] = []
    for second in 1...3600 {
      terminal.pass(1)
      board.update(1, Double(second) / 4000)
      board.tick()
      lines += terminal.written().map { (second, $0) }
    }
    #expect(lines.first?.0 == 30)
    #expect(lines.dropFirst().first?.0 == 60)
    #expect(lines.first.map { $0.1.hasPrefix("  process 0 %") && $0.1.hasSuffix(" left\n") } == true, "\(lines[0])")
    #expect((12...40).contains(lines.count), "\(lines.count)")
    #expect(!lines.contains { $0.1.dropLast().unicodeScalars.contains { $0.value < 0x20 } })
  }

  /// A batch reports its total rather than each file.
  @Test func batchReportsTotal() {
    let terminal = SimulatedTerminal()
    let board = board(.plain, on: terminal, namesTasks: true)
    var sum = TotalProgress()
    (sum.fileCount, sum.byteCount) = (200, 1000)
    board.setTotal(sum)
    board.begin(1, "a.mp4")
    board.update(1, 0.5)
    terminal.pass(29)
    sum.endedCount = 12
    sum.doneByteCount = 340
    board.setTotal(sum)
    terminal.pass(2)
    board.tick()
    #expect(terminal.written().map { $0.hasPrefix("12 of 200 files, 34 %") } == [true])
  }

  @Test(arguments: [ProgressMode.json, .none]) func otherModesWriteNothing(mode: ProgressMode) {
    let terminal = SimulatedTerminal()
    let board = board(mode, on: terminal)
    board.begin(1, "a.mp4", stage: "process")
    terminal.pass(60)
    board.update(1, 0.5)
    board.tick()
    board.print("hello")
    board.end(1)
    #expect(terminal.written().isEmpty)
  }

  /// Waiting tasks are not shown as running.
  @Test func waitingTasksAreNotShown() {
    let terminal = SimulatedTerminal()
    let board = board(.moving, on: terminal)
    board.begin(1, "a.mp4", stage: "process")
    terminal.pass(1)
    board.restart(1, stage: nil)
    #expect(terminal.written().last?.contains("process") == false)
  }
}
