import ClipModel
import Foundation
import ShareEngine
import Testing

@testable import Reports
@testable import bsc

/// The live line fits the terminal and keeps its most important parts.
@Suite struct ProgressLineTests {
  @Test(arguments: [
    ("rally", 5), ("エース", 6), ("🏐🔥", 4), ("e\u{301}", 1), ("排球 1", 6), ("", 0), ("👨‍👩‍👧", 2), ("🇯🇵", 2),
    ("a\u{200E}b", 2),
  ]) func wideCharactersHaveTwoColumns(text: String, columns: Int) {
    #expect(TextColumns.count(text) == columns)
  }

  @Test(arguments: [
    ("", 10, 1), ("rally", 5, 1), ("rally!", 5, 2), ("エース", 5, 2), ("エース", 6, 1), ("エース", 1, 3), ("abcdefghij", 3, 4),
  ]) func wrappedLinesHaveMoreRows(text: String, columns: Int, rows: Int) {
    #expect(TextColumns.countRows(text, columns) == rows)
  }

  private static func text(
    _ line: ProgressLine, width: Int, longestName: Int? = nil, glyphs: TerminalGlyphs = .unicode
  ) -> String {
    let layout = ProgressLayout(
      columns: width, longestName: line.name.map { max(longestName ?? 0, TextColumns.count($0.onOneLine)) },
      hasStage: line.stage != nil)
    return line.formatText(layout, glyphs).plain
  }

  private static let upload = ProgressLine(
    stage: "upload", fraction: 0.155, left: 12, elapsed: 9, details: ["12.4 of 80 MB, 3.1 MB/s", "12.4 of 80 MB"])

  @Test(
    arguments: [1, 5, 10, 20, 30, 40, 60, 80, 200],
    ["clip.mp4", "🏐🔥 エース 最高のプレー 排球比赛精彩瞬间.mp4", "two\nlines\u{1B}[2J.mp4", ""])
  func linesFitTerminal(width: Int, name: String) {
    var line = Self.upload
    for isPaused in [false, true] {
      line.isPaused = isPaused
      line.name = name
      let text = Self.text(line, width: width)
      #expect(TextColumns.count(text) < max(width, 2))
      #expect(!text.contains("\n") && !text.contains("\u{1B}"))
      if width >= 20 { #expect(text.contains("upload") && text.contains("15 %")) }
    }
  }

  @Test(arguments: [
    (20, "upload 15 % 12 s"),
    (40, "upload    ████░░░░   15 %, 12 s left"),
    (80, "  upload    ███░░░░░░░░░░░░░░░░░░   15 %, 12 s left    12.4 of 80 MB, 3.1 MB/s"),
  ]) func importantPartsAreKept(width: Int, text: String) {
    let shown = Self.text(Self.upload, width: width)
    // The width of the bar is not checked.
    func withoutBar(_ text: String) -> String { text.replacing(/[█░]+ */, with: "| ") }
    #expect(withoutBar(shown) == withoutBar(text))
    #expect(shown.contains("█") == text.contains("█"))
  }

  @Test func namesUseAvailableSpace() {
    var line = Self.upload
    line.name = "season 2026/エース-0001.mp4"
    #expect(Self.text(line, width: 200).contains("season 2026/エース-0001.mp4  upload"))
    #expect(Self.text(line, width: 40).hasPrefix("…0001.mp4  upload"), "\(Self.text(line, width: 40))")
    line.stage = nil
    #expect(Self.text(line, width: 20).hasSuffix("1.mp4 15 % 12 s"), "\(Self.text(line, width: 20))")
  }

  /// Details are aligned, whatever the remaining time.
  @Test func detailsAreAligned() {
    let beginnings = [nil, 5.0, 12, 500, 3500].map { left -> Int? in
      var line = Self.upload
      line.left = left
      let text = Self.text(line, width: 100)
      return text.range(of: "12.4 of").map { TextColumns.count(text[..<$0.lowerBound]) }
    }
    #expect(Set(beginnings).count == 1 && beginnings[0] != nil, "\(beginnings)")
  }

  /// Without an estimate, the line shows the reason for a wait and the elapsed time.
  @Test func waitShowsElapsedTime() {
    func line(_ elapsed: Double) -> String {
      Self.text(ProgressLine(stage: "register", elapsed: elapsed, details: ["waiting for Mux"]), width: 80)
    }
    #expect(line(0.3) == "  register  …  waiting for Mux")
    #expect(line(75).hasSuffix(" 1:15  waiting for Mux"), "\(line(75))")
    #expect(line(5) != line(5.25))
  }

  @Test func pauseShowsReasonAndTime() {
    var line = Self.upload
    line.isPaused = true
    line.details = ProgressDetail.pause(reason: "the server answered 503", .seconds(4)).makeDescriptions(
      speed: nil, pause: 3.2, multiplicationSign: "×")
    #expect(Self.text(line, width: 80).hasSuffix("15 %  the server answered 503; retry in 4 s"))
    #expect(Self.text(line, width: 100).hasSuffix("15 %  the server answered 503; retrying in 4 s"))
    #expect(Self.text(line, width: 40).hasSuffix(" 15 %  retry in 4 s"), "\(Self.text(line, width: 40))")
    #expect(!Self.text(line, width: 80).contains("left"))
  }

  @Test func sizesAndSpeedsAreAbbreviated() {
    #expect(
      ProgressDetail.bytes(12_400_000, of: 80_000_000).makeDescriptions(
        speed: 0.03875, pause: nil, multiplicationSign: "×"
      ).first
        == "12.4 of 80 MB, 3.1 MB/s")
    #expect(
      ProgressDetail.clip(seconds: 12.9, of: 45).makeDescriptions(speed: 2.3 / 45, pause: nil, multiplicationSign: "x")
        == ["0:12 of 0:45, 2.3x", "0:12 of 0:45"])
    #expect(ProgressDetail.clip(seconds: 3725, of: 7200).text == "1:02:05 of 2:00:00")
    #expect(ByteCount.text(500, of: 900) == "500 of 900 bytes")
    #expect(ByteCount.text(1_234_567_890, of: 123_000_000_000) == "1 of 123 GB")
  }

  @Test func logLinesAreText() {
    var line = Self.upload
    (line.left, line.name) = (78, "clip\n.mp4")
    #expect(line.plain == "clip\u{FFFD}.mp4: upload 15 %, 1:20 left, 12.4 of 80 MB, 3.1 MB/s")
    #expect(
      ProgressLine(stage: "register", elapsed: 75, details: ["waiting for Mux"]).plain
        == "register 1:15, waiting for Mux")
  }

  /// A total is shortened by whole parts.
  @Test(arguments: [
    (200, "12 of 200 files, 1 failed, 34 %, 1.2 GB saved, 3.4 MB/s, 42 min left"),
    (60, "12 of 200 files, 1 failed, 34 %, 1.2 GB saved, 42 min left"), (40, "12 of 200, 1 failed, 34 %, 42 min left"),
    (31, "12 of 200, 34 %, 42 min left"), (20, "12 of 200, 34 %"), (14, "12 of 200"),
  ]) func totalsAreShortenedByWholeParts(columns: Int, text: String) {
    var sum = TotalProgress()
    (sum.endedCount, sum.fileCount, sum.failureCount) = (12, 200, 1)
    (sum.savedByteCount, sum.byteCount, sum.doneByteCount) = (1_200_000_000, 10_000_000_000, 3_400_000_000)
    #expect(sum.formatText(speed: 0.00034, left: 2500, columns: columns) == text)
  }
}
