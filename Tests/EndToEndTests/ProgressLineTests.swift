import ShareEngine
import Testing

@testable import bsc

/// The moving line: as wide as the terminal, whatever a clip is called.
@Suite struct ProgressLineTests {
  @Test(arguments: [
    ("rally", 5), ("エース", 6), ("🏐🔥", 4), ("e\u{301}", 1), ("排球 1", 6), ("", 0), ("👨‍👩‍👧", 2),
  ]) func wideLettersTakeTwoCells(text: String, columns: Int) {
    #expect(TextColumns.count(text) == columns)
  }

  @Test(arguments: [40, 60, 80], ["clip.mp4", "🏐🔥 エース 最高のプレー 排球比赛精彩瞬间.mp4", "two\nlines\u{1B}[2J.mp4"])
  func noLineIsWiderThanTheTerminal(width: Int, name: String) {
    let line = ProgressLine.text(
      .upload, fraction: 0.5, since: 0, elapsed: .seconds(9), detail: "1.2 MB of 2.4 MB", name: name, width: width)
    #expect(TextColumns.count(line) < width)
    #expect(!line.contains("\n") && !line.contains("\u{1B}") && line.contains("upload"))
  }

  /// Where nobody knows how long it takes, people see what is waited for, and for how long.
  @Test func aWaitTellsItsTime() {
    func line(_ elapsed: Duration) -> String {
      ProgressLine.text(
        .register, fraction: nil, since: 0, elapsed: elapsed, detail: "waiting for Mux", name: nil, width: 80)
    }
    #expect(line(.milliseconds(300)) == "  register  …  waiting for Mux")
    #expect(line(.seconds(75)).hasSuffix(" 1:15  waiting for Mux"), "\(line(.seconds(75)))")
    #expect(line(.milliseconds(5000)) != line(.milliseconds(5250)))
  }

  /// An upload that goes on has most of it behind it: only what this run did tells how long the rest takes.
  @Test func theTimeLeftIsThatOfThisRun() {
    let line = ProgressLine.text(
      .upload, fraction: 0.9, since: 0.8, elapsed: .seconds(10), detail: nil, name: nil, width: 80)
    #expect(line.contains("90 %, 10 s left"), "\(line)")
  }
}
