import ClipModel
import Foundation
import ShareEngine
import TestSupport
import Testing

extension EndToEnd {
  /// What a run over a folder tells, waits for and survives.
  @Suite struct BatchRunTests {
    private let home: BSCHome

    init() throws { home = try BSCHome() }

    @Test func failFastEndsWithTheFirst() async throws {
      // The biggest first: the bad one has to be it.
      try home.place("season/a.mp4", "too-short")
      try Data(repeating: 7, count: 3 << 20).write(to: URL(filePath: home.folder.path("season/bad.mp4")))
      let outcome = try await home.run("compress", "season", "-o", "small", "--fail-fast", "-j", "1")
      #expect(outcome.status == 3, "\(outcome)")
      #expect(try home.tree("small").isEmpty)
    }

    @Test(arguments: [SIGKILL, SIGTERM, SIGINT]) func whoeverWasKilledGoesOn(signal: Int32) async throws {
      for name in ["a", "b", "c", "d"] { try home.place("season/\(name).mp4") }
      // Transcoded, so that there is a middle.
      let arguments = ["compress", "season", "-o", "small", "--height", "240", "-j", "1", "--progress", "json"]
      let batch = try home.start(arguments) { event, process in
        if event.event == "progress", event.fraction ?? 0 > 0.2 { process.send(signal) }
      }
      let killed = await batch.outcome()
      #expect(killed.status != 0, "\(killed)")
      let outcome = try await home.run("compress", "season", "-o", "small", "--height", "240")
      #expect(outcome.status == 0 && outcome.errors.contains("4 done"), "\(outcome)")
      #expect(try home.tree("small") == ["a.mp4", "b.mp4", "c.mp4", "d.mp4"])
    }

    /// The title tells how far it is, and is the terminal's own again at the end.
    @Test func theTitleTellsHowFarItIs() async throws {
      for name in ["a", "b"] { try home.place("season/\(name).mp4") }
      let arguments = ["compress", "season", "-o", "small", "--height", "240", "-j", "1", "--force"]
      for (also, isShown) in [(["--title"], true), ([], false)] {
        let run = try TerminalRun(
          arguments + also, environment: home.environment.merging(["TERM": "xterm"]) { $1 }, folder: home.folder.path)
        #expect(try await run.end().status == 0)
        let titles = run.screen.components(separatedBy: "\u{1B}]2;bsc: ").dropFirst()
        #expect(titles.contains { $0.hasPrefix("1 of 2 files") } == isShown, "\(run.screen.debugDescription)")
        #expect(run.screen.components(separatedBy: "\u{1B}[22;2t").count == (isShown ? 2 : 1))
        #expect(run.screen.components(separatedBy: "\u{1B}[23;2t").count == (isShown ? 2 : 1))
      }
    }

    /// What comes is taken once it has stopped growing; renamed folders, files that are there twice and a folder that
    /// goes away and comes back are no trouble.
    @Test func whoWatchesTakesWhatComes() async throws {
      // Nothing is there yet, which is no error for whoever watches.
      try FileManager.default.createDirectory(
        atPath: home.folder.path("season"), withIntermediateDirectories: true)
      let batch = try home.start(["compress", "season", "-o", "small", "--watch", "--settle", "2"])
      try await Task.sleep(for: .milliseconds(500))
      try home.place("season/a.mp4")
      func appears(_ name: String) async throws -> Bool {
        try await Patience.wait { FileManager.default.fileExists(atPath: home.folder.path("small/\(name)")) }
      }
      #expect(try await appears("a.mp4"))
      // It grows for a while.
      try home.place("outside.mp4")
      let bytes = try Data(contentsOf: URL(filePath: home.folder.path("outside.mp4")))
      let growing = home.folder.path("season/growing.mp4")
      #expect(FileManager.default.createFile(atPath: growing, contents: nil))
      let handle = try FileHandle(forWritingTo: URL(filePath: growing))
      for part in 0..<8 {
        try handle.write(contentsOf: bytes[(bytes.count * part / 8)..<(bytes.count * (part + 1) / 8)])
        try await Task.sleep(for: .milliseconds(200))
        #expect(!FileManager.default.fileExists(atPath: home.folder.path("small/growing.mp4")))
      }
      try handle.close()
      #expect(try await appears("growing.mp4"))
      // A folder that comes whole.
      try home.place("new/deep/b.mp4")
      try FileManager.default.moveItem(atPath: home.folder.path("new"), toPath: home.folder.path("season/new"))
      #expect(try await appears("new/deep/b.mp4"))
      // The disk goes, and comes back with one more.
      try FileManager.default.moveItem(atPath: home.folder.path("season"), toPath: home.folder.path("away"))
      try await Task.sleep(for: .milliseconds(1500))
      try home.place("away/c.mp4")
      try FileManager.default.moveItem(atPath: home.folder.path("away"), toPath: home.folder.path("season"))
      #expect(try await appears("c.mp4"))
      // The file is there a moment before the ledger says so; who is interrupted in between looks again next time.
      try await Patience.wait { try Ledger.records(in: home.folder.path("small")).allSatisfy { $0.status == .done } }
      batch.send(SIGINT)
      let outcome = await batch.outcome()
      #expect(outcome.status == 130, "\(outcome)")
      #expect(!outcome.errors.contains("error: cannot"), "\(outcome)")
      let made = try Ledger.records(in: home.folder.path("small"))
      #expect(made.map(\.status) == [BatchRecord.Status](repeating: .done, count: 4))
    }

    /// A full disk stops nobody: it is said, and the batch goes on when there is room.
    @Test(.enabled(if: SmallDisk.isAvailable)) func aFullDiskIsWaitedFor() async throws {
      let disk = try SmallDisk(byteCount: 6 << 20)
      let ballast = disk.folder.path("ballast")
      try Data(count: 4 << 20).write(to: URL(filePath: ballast))
      for name in ["a", "b", "c"] { try home.place("season/\(name).mp4") }
      let batch = try home.start([
        "compress", "season", "-o", disk.folder.path("small"), "--progress", "json", "-j", "1",
      ]) {
        event, _ in
        if event.event == "paused" { try? FileManager.default.removeItem(atPath: ballast) }
      }
      let outcome = await batch.outcome()
      #expect(outcome.status == 0 && outcome.errors.contains("3 done"), "\(outcome)")
      #expect(outcome.errors.contains(#""event":"paused""#) && outcome.errors.contains(#""event":"resumed""#))
      // Who wants to end with the first failure is told, with the code of a full disk.
      try Data(count: 1 << 20).write(to: URL(filePath: ballast))
      let failing = try await home.run(
        "compress", "season", "-o", disk.folder.path("more"), "--fail-fast", "--min-free", "3MB")
      #expect(failing.status == 74 && failing.errors.contains("is full"), "\(failing)")
    }

    @Test func twoAtOnceAreToldApart() async throws {
      try home.place("season/a.mp4", "rally-4k")
      let first = try home.start(["compress", "season", "-o", "small", "--progress", "json"])
      try await Patience.wait { FileManager.default.fileExists(atPath: home.folder.path("small/.bsc/ledger.jsonl")) }
      let second = try await home.run("compress", "season", "-o", "small")
      #expect(second.status == 7 && second.errors.contains("another bsc process"), "\(second)")
      #expect(await first.outcome().status == 0)
    }

    @Test func theStateIsToldToWhoeverAsks() async throws {
      try home.place("season/a.mp4", "rally-4k")
      try home.place("season/b.mp4")
      let batch = try home.start(["compress", "season", "-o", "small", "--progress", "json"]) { event, process in
        if event.event == "progress" { process.send(SIGUSR1) }
      }
      let outcome = await batch.outcome()
      #expect(outcome.status == 0 && outcome.errors.contains("of 2 files"), "\(outcome)")
    }

    @Test func theReportIsAPageThatNeedsNothingElse() async throws {
      try home.place("season/a.mp4")
      try Data("no video".utf8).write(to: URL(filePath: home.folder.path("season/<b>.mp4")))
      // For Swift a mark behind it makes another character of it; for a browser it is a quotation mark.
      try Data("no video".utf8).write(to: URL(filePath: home.folder.path("season/\"\u{301} onx=1.mp4")))
      let outcome = try await home.run("compress", "season", "-o", "small", "--report", "html=r.html")
      #expect(outcome.status == 3, "\(outcome)")
      let page = try String(contentsOfFile: home.folder.path("r.html"), encoding: .utf8)
      #expect(page.contains("data:image/jpeg;base64,") && page.contains("&lt;b&gt;.mp4"))
      #expect(!page.contains("<b>.mp4") && !page.contains("http://") && !page.contains("https://"))
      #expect(!page.unicodeScalars.contains("\"\u{301}".unicodeScalars) && page.contains("onx=1.mp4"))
      #expect(page.contains("1 done, 2 failed") && page.contains("it is no video"))
      for path in ["season/a.mp4", "season/<b>.mp4", "small/.bsc/ledger.jsonl"] {
        let refused = try await home.run("compress", "season", "-o", "small", "--report", "html=\(path)")
        #expect(refused.status == 64, "\(refused)")
      }
      // Its own is written anew.
      #expect(try await home.run("compress", "season", "-o", "small", "--report", "html=r.html").status == 3)
    }
  }
}
