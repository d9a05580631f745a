import Foundation
import TestSupport
import Testing

@testable import bsc

extension EndToEnd {
  /// The output in a real terminal.
  @Suite(.enabled(if: Tmux.isAvailable)) struct TerminalProgressTests {
    private static let caption = "最高のプレー 🏐 排球比赛精彩瞬间 #spike"

    private func share(
      _ home: BSCHome, _ clips: [String], _ more: String, columns: Int, rows: Int, before: String = "",
      _ changes: [String: String] = [:]
    ) throws -> Tmux {
      let names = clips.map { "'\(($0 as NSString).lastPathComponent)'" }.joined(separator: " ")
      return try Tmux(
        "\(before) bsc share \(names) \(more)", in: home, columns: columns, rows: rows, changes)
    }

    /// Whether the screen shows a live line.
    private func isLive(_ screen: String) -> Bool {
      screen.contains(/[█░⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/) || screen.contains(" left")
    }

    /// At all widths, live lines fit the terminal, and only results remain.
    @Test(arguments: TestScope.some(1, of: [(80, 24), (40, 10), (20, 5), (200, 50)])) func clipIsShared(
      columns: Int, rows: Int
    ) async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait", named: "エース 最高 🏐")
      let terminal = try share(
        home, [clip], "--caption '\(Self.caption)' --limit-rate 300KB \(columns == 80 ? "" : "--no-wait")",
        columns: columns, rows: rows)
      let seen = try await terminal.wait("an upload under way") { $0.contains(/upload.* [2-9]\d %,? \d+ s/) }
      let line = try #require(seen.split(separator: "\n").last)
      #expect(TextColumns.count(line) < columns)
      #expect(line.contains("█") == (columns >= 40), "\(line)")
      #expect(line.contains(/\d\.\d of 1\.5 MB, [\d.]+ [kM]B\/s/) == (columns >= 80), "\(line)")
      let end = try await terminal.end()
      #expect(!isLive(end) && end.contains("END 0"), "\(end)")
      if columns == 80 {
        #expect(end.contains("最高のプレー 🏐 排球比赛精彩瞬间") && end.contains("upload    1.5 MB sent"), "\(end)")
      }
    }

    /// After resizing, each clip has one line, and earlier output is unchanged.
    @Test func resizedTerminalIsClean() async throws {
      let home = try BSCHome()
      let clips = try ["エース-1", "エース-02"].map { try home.distinctClip("rally-portrait", named: $0) }
      let terminal = try share(
        home, clips, "--limit-rate 40KB", columns: 100, rows: 24, before: "for i in 1 2 3 4 5; do echo line $i; done;")
      func liveLines(_ screen: String) -> [Substring] {
        screen.split(separator: "\n").filter { $0.contains(/upload +[█░]* *\d+ %/) }
      }
      let first = try await terminal.wait("two uploads") { liveLines($0).count == 2 }
      // The earlier lines and the progress of each clip remain.
      let before = first.split(separator: "\n").count - 2
      let name = try Regex("-(1|02)\\.mp4 ")
      for (columns, rows) in [(60, 30), (34, 30), (100, 24), (50, 24), (120, 30)] {
        try terminal.resize(columns: columns, rows: rows)
        let screen = try await terminal.wait("lines of \(columns) columns") { screen in
          // The lines have the width of this terminal.
          liveLines(screen).count == 2 && liveLines(screen).allSatisfy { $0.contains("of 1.5 MB") == (columns >= 100) }
        }
        if columns >= 50 { #expect(liveLines(screen).allSatisfy { $0.contains(name) }, "\(screen)") }
        let all = try terminal.everything()
        #expect(all.contains(/line 1\nline 2\nline 3\nline 4\nline 5\n/), "\(all)")
        // No line is lost or added.
        #expect(all.split(separator: "\n").count == before + 2, "\(columns) columns:\n\(all)")
      }
      try terminal.press("C-c")
      let end = try await terminal.end()
      #expect(end.contains("END 130") && !isLive(end), "\(end)")
    }

    @Test func onlyResultsOfBatchRemain() async throws {
      let home = try BSCHome()
      for name in ["エース", "エース2", "エース 3"] {
        _ = try home.distinctClip("rally-portrait", named: name, in: "season")
      }
      _ = try home.distinctClip("rally-portrait", named: "two\nlines\u{1B}[31m", in: "season")
      let terminal = try Tmux("bsc compress season -o small", in: home, columns: 80, rows: 24)
      let end = try await terminal.end(colors: true)
      #expect(!isLive(end), "\(end)")
      let lines = end.split(separator: "\n")
      #expect(lines.count { $0.contains("✓") && $0.contains("small/") } == 4, "\(end)")
      #expect(lines.contains { $0.contains("4 done in") } && end.contains("END 0"), "\(end)")
      #expect(end.contains("two\u{FFFD}lines\u{FFFD}[31m.mp4"), "\(end)")
      #expect(end.contains("\u{1B}[32m✓"), "\(end)")
    }

    @Test func asciiLocaleHasASCIIBars() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait", named: "clip")
      let terminal = try share(
        home, [clip], "--limit-rate 300KB", columns: 80, rows: 24, ["LC_ALL": "C"])
      let seen = try await terminal.wait("a bar") { $0.contains(/upload +#+-+ +\d+ %/) }
      #expect(!seen.contains("█"), "\(seen)")
      try terminal.press("C-c")
      #expect(try await terminal.end().contains("END 130"))
    }

    /// After two signals, the prompt of the shell is at the start of a line.
    @Test func promptStartsOnNewLineAfterInterruption() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait", named: "clip")
      let terminal = try share(
        home, [clip], "--limit-rate 40KB", columns: 80, rows: 24)
      try await terminal.wait("an upload") { $0.contains(/upload.* \d+ %/) }
      // The terminal prints "^C" for a key that arrives after the program's last line.
      try terminal.press("C-c", "C-c")
      #expect(try await terminal.end().contains("\nEND 130"))
    }

    /// On unusual screens there is one live line, which is erased at the end. Earlier output is unchanged.
    @Test(arguments: [(80, 1), (1000, 2), (2, 24)]) func unusualScreensWork(columns: Int, rows: Int) async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait", named: "clip")
      let terminal = try share(home, [clip], "--limit-rate 40KB", columns: columns, rows: rows)
      // The last column is not used, so that of two columns only the first letter of "upload" is visible.
      func isLive(_ line: String) -> Bool {
        columns > 3 ? line.contains(/upload .* \d+ %/) : "upload".hasPrefix(line)
      }
      func lines() throws -> [String] {
        try terminal.everything().split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
          .filter { !$0.isEmpty }
      }
      try await terminal.wait("an upload under way") { _ in try lines().last.map(isLive) ?? false }
      let first = try lines()
      if columns <= 3 { try terminal.resize(columns: columns + 1, rows: rows) }
      try await terminal.wait("the line again") { _ in try lines().last != first.last }
      let drawn = try lines()
      #expect(drawn.filter(isLive).count == 1 && drawn.dropLast() == first.dropLast(), "\(drawn)")
      try terminal.press("C-c")
      try await terminal.wait("the end") { _ in try lines().last == "END 130" }
      let end = try lines()
      #expect(!end.contains(where: isLive) && end.starts(with: first.dropLast()), "\(end)")
    }
  }

  /// Terminals without control sequences, and plain progress.
  @Suite struct PlainProgressTests {
    @Test(arguments: [
      (["TERM": "dumb"], [String]()), (["TERM": "xterm"], ["--progress", "plain"]),
    ]) func plainLinesHaveNoControlCharacters(changes: [String: String], flags: [String]) async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait", named: "clip")
      let environment = home.environment.merging(changes) { $1 }.merging(["NO_COLOR": "1"]) { $1 }
      let run = try TerminalRun(
        ["share", clip, "--no-wait"] + flags, environment: environment, folder: home.folder.path)
      #expect(try await run.end().status == 0)
      let screen = run.screen.replacing("\r\n", with: "\n")
      #expect(screen.contains("  upload    1.5 MB sent"), "\(screen)")
      #expect(!screen.unicodeScalars.contains { $0 != "\n" && $0.value < 0x20 }, "\(screen.debugDescription)")
    }

    /// Stderr is a terminal here, and stdout is not.
    @Test func colorsRequireTerminalPerStream() async throws {
      let home = try BSCHome()
      let clip = try home.clip("too-short", named: "clip")
      var environment = home.environment
      for name in ["NO_COLOR", "CLICOLOR_FORCE", "CLICOLOR"] { environment[name] = nil }
      environment["TERM"] = "xterm"
      let run = try TerminalRun(
        ["audit", clip, home.folder.path("missing.mp4")], environment: environment, folder: home.folder.path)
      let end = try await run.end()
      #expect(run.screen.contains("\u{1B}[1;31merror:\u{1B}[0m"), "\(run.screen.debugDescription)")
      #expect(!end.output.contains("\u{1B}") && end.output.contains("✓ "), "\(end.output)")
    }

    /// Requested colors apply to text, but not to JSON and report files.
    @Test func requestedColorsAreOnlyInText() async throws {
      let home = try BSCHome()
      let clip = try home.clip("too-short", named: "clip")
      let text = try await home.run("validate", clip, "--color", "always", "--report", "text=report.txt")
      #expect(text.output.contains("\u{1B}[1;31merror\u{1B}[0m"), "\(text)")
      #expect(try !home.folder.text("report.txt").contains("\u{1B}"))
      let json = try await home.run("validate", clip, "--color=always", "--json")
      #expect(!json.output.contains("\u{1B}"), "\(json)")
      let never = try await home.run("validate", clip)
      #expect(!never.output.contains("\u{1B}"), "\(never)")
      let wrong = try await home.run("shaer", "--color=always")
      #expect(wrong.errors.hasPrefix("\u{1B}[1;31merror:\u{1B}[0m"), "\(wrong)")
    }
  }
}
