import ClipModel
import ShareEngine
import Synchronization
import Testing

@testable import bsc

/// What is written where and when, on a terminal that a test plays.
@Suite struct ProgressBoardTests {
  /// Time, size and everything that was written.
  private final class Stage: Sendable {
    let state = Mutex<(now: ContinuousClock.Instant, size: TerminalSize, written: [String])>(
      (.now, TerminalSize(columns: 80, rows: 24), []))

    var output: ProgressOutput {
      ProgressOutput(
        write: { text in self.state.withLock { $0.written.append(text) } },
        size: { self.state.withLock(\.size) }, now: { self.state.withLock(\.now) }, glyphs: .unicode)
    }

    func pass(_ seconds: Double) { state.withLock { $0.now += .seconds(seconds) } }

    /// What came since the last look.
    func written() -> [String] {
      state.withLock { state in
        defer { state.written = [] }
        return state.written
      }
    }
  }

  private func board(_ mode: ProgressMode, on stage: Stage, namesTasks: Bool = false) -> ProgressBoard<Int> {
    ProgressBoard(mode, namesTasks: namesTasks, ticks: false, output: stage.output)
  }

  /// One write each, at most ten a second, and none where nothing is different.
  @Test func aDrawingIsOneWriteAndAtMostTenASecond() {
    let stage = Stage()
    let board = board(.moving, on: stage)
    board.begin(1, "a.mp4", stage: "process")
    for step in 0..<1000 {
      stage.pass(0.001)
      board.update(1, Double(step) / 1000)
    }
    let written = stage.written()
    #expect((9...11).contains(written.count), "\(written.count)")
    #expect(written.allSatisfy { $0.contains("process") && $0.hasPrefix("\r") })
    stage.pass(0.15)
    board.tick()
    _ = stage.written()
    stage.pass(0.15)
    board.tick()
    #expect(stage.written().isEmpty)
  }

  @Test func nothingHidesTheCursor() {
    let stage = Stage()
    let board = board(.moving, on: stage)
    board.begin(1, "a.mp4", stage: "process")
    stage.pass(1)
    board.update(1, 0.5)
    board.end(1)
    #expect(!stage.written().joined().contains("?25l"))
  }

  /// Narrower: what the terminal wrapped is counted in rows of today.
  @Test func aNarrowerTerminalHasMoreRowsToTakeAway() {
    let stage = Stage()
    let board = board(.moving, on: stage)
    board.begin(1, "a.mp4", stage: "process")
    stage.pass(1)
    board.update(1, 0.5, .text("a detail of some length"))
    _ = stage.written()
    stage.state.withLock { $0.size = TerminalSize(columns: 30, rows: 10) }
    stage.pass(1)
    board.tick()
    // 75 columns were drawn.
    #expect(stage.written().joined().hasPrefix("\r\u{1B}[K\u{1B}[A\u{1B}[K\u{1B}[A\u{1B}[K\u{1B}[?7l"))
    stage.pass(1)
    board.end(1)
    #expect(stage.written() == ["\r\u{1B}[K"])
  }

  /// Lines that stay are written where the moving ones were, which come back below.
  @Test func linesThatStayComeBetween() {
    let stage = Stage()
    let board = board(.moving, on: stage)
    board.begin(1, "a.mp4", stage: "process")
    _ = stage.written()
    stage.pass(0.01)
    board.print("a line \u{1B}[31mthat stays")
    let written = stage.written()
    #expect(written.count == 3)
    #expect(written.first == "\r\u{1B}[K" && written[1] == "a line \u{FFFD}[31mthat stays\n")
    #expect(written.last?.contains("process") == true)
  }

  @Test(arguments: [1, 2, 5]) func linesFitOnTheScreen(rows: Int) {
    let stage = Stage()
    stage.state.withLock { $0.size = TerminalSize(columns: 60, rows: rows) }
    let board = board(.moving, on: stage, namesTasks: true)
    for key in 0..<1000 { board.begin(key, "\(key).mp4", stage: "upload") }
    stage.pass(1)
    board.tick()
    let last = stage.written().last ?? ""
    #expect(last.split(separator: "\n").count <= max(rows - 1, 1))
    if rows > 2 { #expect(last.contains("and 997 more")) }
  }

  /// Where nothing moves: a line after half a minute, later rarer, and never a control character.
  @Test func logsAreToldNowAndThen() {
    let stage = Stage()
    let board = board(.plain, on: stage)
    board.begin(1, "a\u{1B}[2J.mp4", stage: "process")
    var lines: [(Int, String)] = []
    for second in 1...3600 {
      stage.pass(1)
      board.update(1, Double(second) / 4000)
      board.tick()
      lines += stage.written().map { (second, $0) }
    }
    #expect(lines.first?.0 == 30)
    #expect(lines.dropFirst().first?.0 == 60)
    #expect(lines.first.map { $0.1.hasPrefix("  process 0 %") && $0.1.hasSuffix(" left\n") } == true, "\(lines[0])")
    #expect((12...40).contains(lines.count), "\(lines.count)")
    #expect(!lines.contains { $0.1.dropLast().unicodeScalars.contains { $0.value < 0x20 } })
  }

  /// Of a batch the sum is told, and not each of its files.
  @Test func aBatchTellsItsSum() {
    let stage = Stage()
    let board = board(.plain, on: stage, namesTasks: true)
    var sum = ProgressSum()
    (sum.fileCount, sum.byteCount) = (200, 1000)
    board.set(sum)
    board.begin(1, "a.mp4")
    board.update(1, 0.5)
    stage.pass(29)
    sum.endedCount = 12
    sum.doneByteCount = 340
    board.set(sum)
    stage.pass(2)
    board.tick()
    #expect(stage.written().map { $0.hasPrefix("12 of 200 files, 34 %") } == [true])
  }

  @Test(arguments: [ProgressMode.json, .none]) func othersWriteNothing(mode: ProgressMode) {
    let stage = Stage()
    let board = board(mode, on: stage)
    board.begin(1, "a.mp4", stage: "process")
    stage.pass(60)
    board.update(1, 0.5)
    board.tick()
    board.print("hello")
    board.end(1)
    #expect(stage.written().isEmpty)
  }

  /// What waits for its turn is not shown as if it were worked on.
  @Test func whatWaitsIsNotShown() {
    let stage = Stage()
    let board = board(.moving, on: stage)
    board.begin(1, "a.mp4", stage: "process")
    stage.pass(1)
    board.restart(1, stage: nil)
    #expect(stage.written().last?.contains("process") == false)
  }
}
