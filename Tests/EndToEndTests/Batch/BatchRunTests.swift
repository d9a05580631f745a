import ClipMedia
import ClipModel
import Foundation
import ShareEngine
import TestSupport
import Testing

extension EndToEnd {
  /// Progress, waiting and interruption of batches.
  @Suite struct BatchRunTests {
    private let home: BSCHome

    init() throws { home = try BSCHome() }

    @Test func failFastEndsAtFirstFailure() async throws {
      // The largest file is processed first, and is the bad one.
      try home.place("season/a.mp4", "too-short")
      try Data(repeating: 7, count: 3 << 20).write(to: URL(filePath: home.folder.path("season/bad.mp4")))
      let outcome = try await home.run("compress", "season", "-o", "small", "--fail-fast", "-j", "1")
      #expect(outcome.status == 3, "\(outcome)")
      #expect(try home.tree("small").isEmpty)
    }

    @Test(arguments: TestScope.some(1, of: [SIGKILL, SIGTERM, SIGINT])) func killedBatchIsResumed(signal: Int32)
      async throws
    {
      for name in ["a", "b", "c", "d"] { try home.place("season/\(name).mp4") }
      // Transcoding takes long enough for an interruption.
      let arguments = ["compress", "season", "-o", "small", "--height", "240", "-j", "1", "--progress", "json"]
      let batch = try home.start(arguments) { event, process in
        if event.event == "progress", event.fraction ?? 0 > 0.2 { process.send(signal) }
      }
      let killed = await batch.outcome()
      #expect(killed.status != 0, "\(killed)")
      let outcome = try await home.compress(["season", "-o", "small", "--height", "240"])
      #expect(outcome.status == 0, "\(outcome)")
      #expect(try home.statuses() == [.done: 4], "\(outcome)")
      #expect(try home.tree("small") == ["a.mp4", "b.mp4", "c.mp4", "d.mp4"])
    }

    /// With `--replace`, the result is first written to a temporary path.
    @Test(arguments: TestScope.some(1, of: [["-o", "small"], ["--replace"]])) func killedEncodeContinues(
      options: [String]
    ) async throws {
      let clip = try ClipFactory.clip(
        "long.mp4",
        [
          "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=26", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt",
          "yuv422p",
        ])
      try FileManager.default.createDirectory(atPath: home.folder.path("season"), withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: clip, toPath: home.folder.path("season/long.mp4"))
      let arguments = ["compress", "season"] + options + ["--progress", "json"]
      let batch = try home.start(arguments) { event, process in
        if event.event == "progress", event.fraction ?? 0 > 0.6 { process.send(SIGKILL) }
      }
      #expect(await batch.outcome().status != 0)
      let output = home.folder.path(options[0] == "-o" ? "small/long.mp4" : "season/long.mp4")
      let stored = try #require(StoredEncode(of: output).readProgress())
      #expect((10..<26).contains(stored.seconds) && stored.durationSeconds == 26)
      let folder = (output as NSString).deletingLastPathComponent
      func findHidden() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".bsc-encoding") }
      }
      let hidden = folder + "/" + (try #require(try findHidden().first))
      let bytes = try Data(contentsOf: URL(filePath: hidden))
      if options[0] == "-o" {
        let merged = try await home.start(["batch", "merge", "small", "--json"]).outcome()
        let record = try #require(try home.records(merged.output).first, "\(merged)")
        #expect(
          merged.status == 1 && record.error?.id == "batch.not-finished" && record.encoding == stored, "\(merged)")
      }
      let outcome = try await home.run(arguments)
      let event = outcome.errors.split(separator: "\n").compactMap { ProgressEvent(line: String($0)) }
        .first { $0.event == "continued" }
      #expect(outcome.status == 0 && event?.detail == stored.text, "\(outcome)")
      #expect(try Tool.ffprobe(output, stream: "v:0", entries: "packet=pts").count == 650)
      #expect(try findHidden().isEmpty)
      // A run that was killed right after the result was recorded leaves the stored GOPs.
      try bytes.write(to: URL(filePath: hidden))
      #expect(try await home.run(arguments).status == 0)
      #expect(try findHidden().isEmpty)
    }

    /// The title of the terminal shows the progress and is restored at the end.
    @Test func titleShowsProgress() async throws {
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

    /// A watching run processes new files, also in folders that are moved in, and after the folder was missing.
    @Test func watchingRunProcessesNewFiles() async throws {
      // A watching run can start without videos. The note about the other file shows that it has searched the folder.
      try FileManager.default.createDirectory(
        atPath: home.folder.path("season"), withIntermediateDirectories: true)
      try Data("no video".utf8).write(to: URL(filePath: home.folder.path("season/notes.txt")))
      let batch = try home.start(["compress", "season", "-o", "small", "--watch", "--settle", "2"])
      func reports(_ text: String) async throws -> Bool {
        try await TestTimeout.wait { batch.errorsSoFar.contains(text) }
      }
      #expect(try await reports("note: skipped 1 "))
      try home.place("season/a.mp4")
      func appears(_ name: String) async throws -> Bool {
        try await TestTimeout.wait { FileManager.default.fileExists(atPath: home.folder.path("small/\(name)")) }
      }
      #expect(try await appears("a.mp4"))
      // A complete folder is moved in.
      try home.place("new/deep/b.mp4")
      try FileManager.default.moveItem(atPath: home.folder.path("new"), toPath: home.folder.path("season/new"))
      #expect(try await appears("new/deep/b.mp4"))
      // The disk is removed, and reappears with a new file.
      try FileManager.default.moveItem(atPath: home.folder.path("season"), toPath: home.folder.path("away"))
      #expect(try await reports("season is missing"))
      try home.place("away/c.mp4")
      try FileManager.default.moveItem(atPath: home.folder.path("away"), toPath: home.folder.path("season"))
      #expect(try await appears("c.mp4"))
      // The file appears slightly before its ledger entry.
      try await TestTimeout.wait {
        try Ledger.readRecords(in: home.folder.path("small")).allSatisfy { $0.status == .done }
      }
      batch.send(SIGINT)
      let outcome = await batch.outcome()
      #expect(outcome.status == 130, "\(outcome)")
      #expect(!outcome.errors.contains("error: cannot"), "\(outcome)")
      let made = try Ledger.readRecords(in: home.folder.path("small"))
      #expect(made.map(\.status) == [BatchRecord.Status](repeating: .done, count: 3))
    }

    /// A full disk pauses the batch until there is space.
    @Test(.enabled(if: SmallDisk.isAvailable)) func batchWaitsForDiskSpace() async throws {
      let disk = try SmallDisk(byteCount: 6 << 20)
      let ballast = disk.folder.path("ballast")
      try Data(count: 4 << 20).write(to: URL(filePath: ballast))
      for name in ["a", "b", "c"] { try home.place("season/\(name).mp4") }
      let batch = try home.start(
        ["compress", "season", "-o", disk.folder.path("small"), "--progress", "json", "-j", "1"] + BSCHome.statusReport
      ) {
        event, _ in
        if event.event == "paused" { try? FileManager.default.removeItem(atPath: ballast) }
      }
      let outcome = await batch.outcome()
      #expect(outcome.status == 0, "\(outcome)")
      #expect(try home.statuses() == [.done: 3], "\(outcome)")
      #expect(outcome.errors.contains(#""event":"paused""#) && outcome.errors.contains(#""event":"resumed""#))
      // With --fail-fast it is a failure, with the exit code of a full disk.
      try Data(count: 1 << 20).write(to: URL(filePath: ballast))
      let failing = try await home.run(
        "compress", "season", "-o", disk.folder.path("more"), "--fail-fast", "--min-free", "3MB", "--json")
      let ids = failing.failures.map(\.id)
      #expect(failing.status == 74 && ids.contains { $0.hasSuffix(".disk-full") }, "\(failing)")
    }

    @Test func concurrentBatchIsRefused() async throws {
      try home.place("season/a.mp4", "rally-4k")
      let first = try home.start(["compress", "season", "-o", "small", "--progress", "json"])
      try await TestTimeout.wait { FileManager.default.fileExists(atPath: home.folder.path("small/.bsc/ledger.jsonl")) }
      let second = try await home.run("compress", "season", "-o", "small", "--json")
      #expect(second.status == 7 && second.failures.map(\.id) == ["batch.locked"], "\(second)")
      first.send(SIGINT)
      #expect(await first.outcome().status == 130)
    }

    @Test func signalPrintsProgress() async throws {
      try home.place("season/a.mp4", "rally-4k")
      try home.place("season/b.mp4")
      let batch = try home.start(["compress", "season", "-o", "small", "--progress", "json"]) { event, process in
        if event.event == "progress" { process.send(SIGUSR1) }
      }
      #expect(try await TestTimeout.wait { batch.errorsSoFar.contains("of 2 files") })
      batch.send(SIGINT)
      #expect(await batch.outcome().status == 130)
    }

    @Test func reportIsSelfContainedPage() async throws {
      try home.place("season/a.mp4")
      try Data("no video".utf8).write(to: URL(filePath: home.folder.path("season/<b>.mp4")))
      // In Swift, a combining mark makes a different character of a quotation mark; in browsers it does not.
      try Data("no video".utf8).write(to: URL(filePath: home.folder.path("season/\"\u{301} onx=1.mp4")))
      let outcome = try await home.run("compress", "season", "-o", "small", "--report", "html=r.html")
      #expect(outcome.status == 3, "\(outcome)")
      let page = try String(contentsOfFile: home.folder.path("r.html"), encoding: .utf8)
      #expect(page.contains("data:image/jpeg;base64,") && page.contains("&lt;b&gt;.mp4"))
      #expect(!page.contains("<b>.mp4") && !page.contains("http://") && !page.contains("https://"))
      #expect(!page.unicodeScalars.contains("\"\u{301}".unicodeScalars) && page.contains("onx=1.mp4"))
      #expect(page.matches(of: /<p class="reason">/).count == 2)
      for path in ["season/a.mp4", "season/<b>.mp4", "small/.bsc/ledger.jsonl"] {
        let refused = try await home.run("compress", "season", "-o", "small", "--report", "html=\(path)")
        #expect(refused.status == 64, "\(refused)")
      }
      // An earlier report is overwritten.
      #expect(try await home.run("compress", "season", "-o", "small", "--report", "html=r.html").status == 3)
    }
  }
}
