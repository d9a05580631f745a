import ClipModel
import Foundation
import ShareEngine
import TestSupport
import Testing

extension EndToEnd {
  /// `bsc compress --replace` and `bsc batch undo` never lose a source.
  @Suite struct ReplaceTests {
    private let home: BSCHome
    private let smaller = ["--replace", "--height", "240"]

    init() throws { home = try BSCHome() }

    private func place(_ name: String, salt: String = "") throws {
      let path = home.folder.path(name)
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      // Unique bytes, in a box that players ignore.
      let own = Array((name + salt).utf8)
      let bytes = try Data(contentsOf: URL(filePath: SharedMedia.sample("rally-portrait.mp4")))
      try (bytes + Data([0, 0, 0, UInt8(8 + own.count)]) + Data("free".utf8) + Data(own))
        .write(to: URL(filePath: path))
    }

    private func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: home.folder.path(name))) }

    private func write(_ text: String, _ name: String) throws {
      try Data(text.utf8).write(to: URL(filePath: home.folder.path(name)))
    }

    /// Files with their bytes, except in `.bsc`.
    private func tree(_ folder: String = "season") throws -> [String: Data] {
      var tree: [String: Data] = [:]
      for name in try FileManager.default.subpathsOfDirectory(atPath: home.folder.path(folder))
      where !name.split(separator: "/").contains(".bsc") {
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: home.folder.path("\(folder)/\(name)"), isDirectory: &isFolder)
        if !isFolder.boolValue { tree[name] = try bytes("\(folder)/\(name)") }
      }
      return tree
    }

    /// The bytes of a source in the trash.
    private func inTrash(_ name: String) throws -> Data {
      let trash = home.folder.path("season/.bsc/trash")
      let path = try FileManager.default.subpathsOfDirectory(atPath: trash).first { $0.hasSuffix("/\(name)") }
      return try Data(contentsOf: URL(filePath: "\(trash)/\(try #require(path))"))
    }

    private func replace(_ paths: String..., also: [String] = []) async throws -> BSCProcess.Outcome {
      try await home.start(["compress"] + paths + smaller + BSCHome.statusReport + also).outcome()
    }

    private func undo(_ folder: String = "season", _ also: String...) async throws -> BSCProcess.Outcome {
      try await home.start(["batch", "undo", folder, "--json"] + also).outcome()
    }

    /// The sources that an undo restored, or that its dry run describes.
    private func restored(_ undo: BSCProcess.Outcome) throws -> [[String: Any]] {
      try undo.output.split(separator: "\n").map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any], "\(undo)")
      }.filter { $0["schema"] as? String == "bsc.undo/1" }
    }

    @Test func resultsReplaceSourcesAndUndoRestoresThem() async throws {
      for name in ["a.MP4", "deep/b.MOV", "deep/b.mp4"] { try place("season/\(name)") }
      try write("{}", "season/deep/b.json")
      let before = try tree()
      let outcome = try await replace("season")
      #expect(outcome.status == 0 && outcome.errors.contains("bsc batch undo"), "\(outcome)")
      #expect(try home.statuses() == [.done: 3], "\(outcome)")
      let small = try tree()
      #expect(
        small.keys.sorted() == ["a.MP4", "deep/b.MOV.json", "deep/b.MOV.mp4", "deep/b.json", "deep/b.mp4"])
      let size = try #require(small["a.MP4"]).count
      #expect(size < before["a.MP4"]?.count ?? 0)
      // Results are not sources, also with other settings.
      for arguments in [smaller, ["--replace", "--height", "144"]] {
        let again = try await home.start(["compress", "season"] + arguments + BSCHome.statusReport).outcome()
        #expect(again.status == 0, "\(again)")
        #expect(try home.statuses() == [.kept: 3], "\(again)")
      }
      #expect(try tree() == small)

      let undone = try await undo()
      #expect(try undone.status == 0 && restored(undone).count == 3, "\(undone)")
      #expect(try tree() == before)
      let left = try FileManager.default.contentsOfDirectory(atPath: home.folder.path("season/.bsc"))
      #expect(!left.contains("trash"), "\(left)")
      let empty = try await undo()
      #expect(empty.status == 0 && empty.output.isEmpty, "\(empty)")
      // The whole cycle works again.
      let repeated = try await replace("season")
      #expect(try home.statuses() == [.done: 3], "\(repeated)")
      #expect(try tree().keys.sorted() == small.keys.sorted())
      #expect(try await undo().status == 0)
      #expect(try tree() == before)
    }

    /// The user overwrites a replaced file with another recording, which is then replaced, too.
    @Test func undoHandlesReplacedGenerations() async throws {
      try place("season/a.mp4")
      try place("season/b.mov")
      let first = try tree()
      #expect(try await replace("season").status == 0)
      try place("season/a.mp4", salt: "another one")
      let second = try bytes("season/a.mp4")
      let again = try await replace("season")
      #expect(again.status == 0, "\(again)")
      #expect(try home.statuses() == [.done: 1, .kept: 1], "\(again)")
      let dryRun = try await undo("season", "-n")
      #expect(dryRun.status == 3, "\(dryRun)")
      let previews = try restored(dryRun)
      #expect(previews.filter { $0["obstacle"] != nil }.map { $0["file"] as? String } == ["a.mp4"], "\(dryRun)")
      let moved = try #require(previews.first { $0["file"] as? String == "b.mov" }, "\(dryRun)")
      #expect(moved["result"] as? String == "b.mp4", "\(dryRun)")
      #expect(try bytes("season/a.mp4") != second)
      let outcome = try await undo()
      // The second recording occupies the path of the first, which stays in the trash.
      #expect(outcome.status == 3 && outcome.failures.map(\.id) == ["undo.occupied"], "\(outcome)")
      #expect(try bytes("season/a.mp4") == second)
      #expect(try bytes("season/b.mov") == first["b.mov"])
      #expect(try inTrash("a.mp4") == first["a.mp4"])
      try FileManager.default.removeItem(atPath: home.folder.path("season/a.mp4"))
      #expect(try await undo().status == 0)
      #expect(try tree() == first)
    }

    /// The dry run predicts the undo and changes nothing.
    @Test func dryRunPredictsUndo() async throws {
      try place("season/a.mov")
      #expect(try await replace("season").status == 0)
      try place("season/a.mov", salt: "another one")
      #expect(try await replace("season").status == 0)
      for name in ["b.mp4", "c.mp4"] { try place("season/\(name)") }
      #expect(try await replace("season").status == 0)
      let trash = home.folder.path("season/.bsc/trash")
      for place in try FileManager.default.contentsOfDirectory(atPath: trash)
      where FileManager.default.fileExists(atPath: "\(trash)/\(place)/c.mp4") {
        let handle = try FileHandle(forWritingTo: URL(filePath: "\(trash)/\(place)/c.mp4"))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("x".utf8))
        try handle.close()
      }
      let before = try tree()
      let dryRun = try await undo("season", "-n")
      #expect(dryRun.status == 3, "\(dryRun)")
      #expect(try tree() == before)
      let obstacles = try restored(dryRun).compactMap { $0["obstacle"] as? String }
      let done = try await undo()
      #expect(try done.status == 3 && restored(done).count == 2, "\(done)")
      #expect(done.failures.map(\.id).sorted() == ["undo.occupied", "undo.trash-changed"], "\(done)")
      #expect(done.failures.map(\.why).sorted() == obstacles.sorted(), "\(dryRun)\(done)")
    }

    @Test func changedResultsAreKept() async throws {
      for name in ["a.mp4", "b.mov", "c.mov", "d.mp4"] { try place("season/\(name)") }
      let before = try tree()
      #expect(try await replace("season").status == 0)
      try write("edited", "season/a.mp4")
      try write("edited too", "season/b.mp4")
      try place("season/c.mov", salt: "a new one")
      let new = try bytes("season/c.mov")
      let outcome = try await undo()
      let documents = try restored(outcome)
      #expect(outcome.status == 3 && documents.count == 2 && outcome.failures.count == 2, "\(outcome)")
      // The note names the changed result.
      #expect(documents.contains { ($0["note"] as? String)?.contains("b.mp4") == true }, "\(outcome)")
      let after = try tree()
      #expect(after["a.mp4"] == Data("edited".utf8) && after["b.mp4"] == Data("edited too".utf8))
      #expect(after["b.mov"] == before["b.mov"] && after["d.mp4"] == before["d.mp4"] && after["c.mov"] == new)
      #expect(try inTrash("a.mp4") == before["a.mp4"])
    }

    /// The paths in the trash suffice to restore sources.
    @Test func undoWithoutLedgerRestoresToFreePaths() async throws {
      for name in ["a.mp4", "deep/b.mov"] { try place("season/\(name)") }
      let before = try tree()
      #expect(try await replace("season").status == 0)
      try FileManager.default.removeItem(atPath: home.folder.path("season/.bsc/beside.jsonl"))
      let outcome = try await undo()
      #expect(outcome.status == 3 && outcome.failures.map(\.id) == ["undo.unknown-file"], "\(outcome)")
      #expect(try bytes("season/deep/b.mov") == before["deep/b.mov"])
      #expect(try inTrash("a.mp4") == before["a.mp4"])
    }

    @Test func changedSourceInTrashIsReported() async throws {
      try place("season/a.mp4")
      #expect(try await replace("season").status == 0)
      let small = try bytes("season/a.mp4")
      try write("damaged", "season/.bsc/trash/1/a.mp4")
      let outcome = try await undo()
      #expect(outcome.status == 3 && outcome.failures.map(\.id) == ["undo.trash-changed"], "\(outcome)")
      #expect(try bytes("season/a.mp4") == small)
    }

    /// After a kill at any time, each source is at its path or in the trash, and the next run finishes the work.
    @Test(arguments: TestScope.some(1, of: [0.5, 0.1, 0.9, 1])) func killLosesNoSource(fraction: Double) async throws {
      for name in ["a.mp4", "b.mov"] { try place("season/\(name)") }
      let before = try tree()
      let arguments = ["compress", "season", "-j", "1", "--progress", "json"] + smaller
      let batch = try home.start(arguments) { event, process in
        if event.event == "progress", event.fraction ?? 0 >= fraction { process.send(SIGKILL) }
      }
      _ = await batch.outcome()
      let outcome = try await replace("season")
      #expect(outcome.status == 0, "\(outcome)")
      #expect(try tree().keys.sorted() == ["a.mp4", "b.mp4"])
      let work = home.folder.path("season/.bsc/work/beside")
      #expect(try FileManager.default.subpathsOfDirectory(atPath: work).isEmpty)
      #expect(try await undo().status == 0)
      #expect(try tree() == before)
    }

    @Test func sourcesThatCannotBeReplacedAreReported() async throws {
      try place("season/real.mp4")
      try place("elsewhere/far.mp4")
      try FileManager.default.createSymbolicLink(
        atPath: home.folder.path("season/link.mp4"), withDestinationPath: home.folder.path("elsewhere/far.mp4"))
      let far = try bytes("elsewhere/far.mp4")
      let outcome = try await replace("season", also: ["--json"])
      #expect(outcome.status == 3 && outcome.failures.map(\.id) == ["replace.link"], "\(outcome)")
      #expect(try home.statuses() == [.done: 1, .failed: 1], "\(outcome)")
      #expect(try bytes("elsewhere/far.mp4") == far)
      for arguments in [["-o", "x"], ["--force"], ["--from", "1"], ["--kind", "poster"]] {
        #expect(try await home.start(["compress", "season"] + smaller + arguments).outcome().status == 64)
      }
    }

    /// Nested folders have one trash, at the level where it was created first.
    @Test func nestedFoldersHaveOneTrash() async throws {
      for name in ["day 1/a.mp4", "day 2/b.mp4"] { try place("season/\(name)") }
      let before = try tree()
      #expect(try await replace("season/day 1").status == 0)
      let outer = try await replace("season", also: ["--json"])
      #expect(outer.status == 3 && outer.failures.map(\.id) == ["replace.separately"], "\(outer)")
      #expect(try await undo("season/day 1").status == 0)
      let inner = try await replace("season/day 2", also: ["--json"])
      #expect(inner.status == 64 && inner.failures.map(\.id) == ["replace.by-parent"], "\(inner)")
      #expect(inner.failures.first?.facts?["parent"]?.hasSuffix("season") == true, "\(inner)")
      let parent = try await undo("season/day 2")
      #expect(parent.status == 66 && parent.failures.map(\.id) == ["undo.above"], "\(parent)")
      #expect(parent.errors.contains("--include 'day 2/**'"), "\(parent)")
      #expect(try await undo().status == 0)
      #expect(try tree() == before)
    }

    /// A folder has one trash for all of its paths: relative, through a link, or file by file.
    @Test func allPathsOfFolderUseOneTrash() async throws {
      for name in ["a.mp4", "b.mov", "c.mp4"] { try place("season/\(name)") }
      let before = try tree()
      try FileManager.default.createSymbolicLink(
        atPath: home.folder.path("link"), withDestinationPath: home.folder.path("season"))
      #expect(try await replace("season/a.mp4").status == 0)
      #expect(try await replace("link/b.mov").status == 0)
      let outcome = try await replace("./season/../link/")
      #expect(outcome.status == 0, "\(outcome)")
      #expect(try home.statuses() == [.done: 1, .kept: 2], "\(outcome)")
      #expect(try await undo("link", "--include", "b.*").status == 0)
      #expect(try bytes("season/b.mov") == before["b.mov"] && tree().count == 3)
      #expect(try await undo().status == 0)
      #expect(try tree() == before)
    }

    /// A source that cannot be made smaller is kept and not processed again.
    @Test func sourceThatCannotShrinkIsKept() async throws {
      try place("season/a.mov")
      #expect(try await home.run("compress", "season/a.mov", "-o", "season/b.mp4", "--height", "240").status == 0)
      try FileManager.default.removeItem(atPath: home.folder.path("season/a.mov"))
      let before = try tree()
      for _ in 0..<2 {
        let outcome = try await home.run("compress", "season", "--replace")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try tree() == before)
      }
      #expect(!FileManager.default.fileExists(atPath: home.folder.path("season/.bsc/trash")))
    }

    /// A renamed or copied result is recognized and not compressed again.
    @Test func resultIsRecognizedByBytes() async throws {
      for name in ["a.mp4", "b.mov"] { try place("season/\(name)") }
      #expect(try await replace("season").status == 0)
      try FileManager.default.moveItem(
        atPath: home.folder.path("season/a.mp4"), toPath: home.folder.path("season/best.mp4"))
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)],
        ofItemAtPath: home.folder.path("season/b.mp4"))
      let before = try tree()
      for _ in 0..<2 {
        let dry = try await home.run("compress", "season", "-n", "--replace")
        #expect(dry.errors.contains(/note: .*\d .*\.bsc\/trash/), "\(dry)")
        let again = try await home.start(
          ["compress", "season", "--replace", "--height", "144"] + BSCHome.statusReport
        ).outcome()
        #expect(again.status == 0, "\(again)")
        #expect(try home.statuses() == [.kept: 2], "\(again)")
        #expect(try tree() == before)
      }
      // Its bytes identify the result with another time.
      let restored = try await undo()
      #expect(restored.status == 0, "\(restored)")
      #expect(try tree().keys.sorted() == ["a.mp4", "b.mov", "best.mp4"])
    }

    /// A source that was kept is still a source with other settings.
    @Test func keptSourceIsProcessedWithOtherSettings() async throws {
      try place("season/a.mov")
      #expect(try await home.run("compress", "season/a.mov", "-o", "season/b.mp4", "--height", "240").status == 0)
      try FileManager.default.removeItem(atPath: home.folder.path("season/a.mov"))
      let source = try bytes("season/b.mp4")
      let unchanged = try await home.run("compress", "season", "--replace", "--json")
      #expect(unchanged.status == 0, "\(unchanged)")
      let line = try #require(unchanged.output.split(separator: "\n").first { $0.contains("bsc.compress/1") })
      let document = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      // Processed, but not replaced: nothing is in the trash.
      #expect(document["status"] as? String == "done" && document["original"] == nil, "\(unchanged)")
      #expect(try bytes("season/b.mp4") == source)
      #expect(try await home.run("compress", "season", "--replace", "--height", "96").status == 0)
      #expect(try bytes("season/b.mp4").count < source.count)
      #expect(try await undo().status == 0)
      #expect(try bytes("season/b.mp4") == source)
    }

    /// Undo keeps metadata of the user that equals generated metadata.
    @Test func existingMetadataIsKept() async throws {
      for name in ["a.mov", "a.avi"] { try place("season/\(name)") }
      for name in ["a.json", "a.mov.json"] { try write("{}", "season/\(name)") }
      let before = try tree()
      #expect(try await replace("season").status == 0)
      #expect(try await undo().status == 0)
      #expect(try tree() == before)
    }

    /// A list with files in nested folders uses the trash of the outermost one.
    @Test func listOfFilesHasOneTrash() async throws {
      for name in ["a.mov", "day 1/c.mp4", "day 1/.h.mp4"] { try place("season/\(name)") }
      let before = try tree()
      try write("season/a.mov\nseason/day 1/c.mp4\nseason/day 1/.h.mp4\n", "list")
      let outcome = try await home.start(
        ["compress", "--files-from", "list"] + smaller + BSCHome.statusReport
      ).outcome()
      #expect(outcome.status == 0, "\(outcome)")
      #expect(try home.statuses() == [.done: 3], "\(outcome)")
      #expect(!FileManager.default.fileExists(atPath: home.folder.path("season/day 1/.bsc")))
      let undone = try await undo()
      #expect(try undone.status == 0 && restored(undone).count == 3, "\(undone)")
      #expect(try tree() == before)
    }

    /// A source that the user copied back counts as restored.
    @Test func manuallyRestoredSourceIsAccepted() async throws {
      for name in ["a.mov", "b.mp4"] { try place("season/\(name)") }
      let before = try tree()
      #expect(try await replace("season").status == 0)
      for (name, data) in before { try data.write(to: URL(filePath: home.folder.path("season/\(name)"))) }
      let outcome = try await undo()
      #expect(try outcome.status == 0 && restored(outcome).count == 2, "\(outcome)")
      #expect(try tree() == before)
    }

    /// A copy of the folder with hard links has a separate ledger.
    @Test func hardLinkedCopyIsSeparate() async throws {
      try place("season/a.mov")
      let before = try tree()
      #expect(try await replace("season").status == 0)
      let copy = Process()
      copy.executableURL = URL(filePath: "/bin/cp")
      copy.arguments = ["-al", home.folder.path("season"), home.folder.path("copy")]
      try copy.run()
      copy.waitUntilExit()
      #expect(try await undo("copy").status == 0)
      #expect(try tree("copy") == before)
      #expect(try tree().keys.sorted() == ["a.mp4"])
      #expect(try await undo().status == 0)
      #expect(try tree() == before)
    }

    /// A watching run replaces new files and does not process its own results.
    @Test func watchingRunReplacesNewFiles() async throws {
      try place("season/a.mov")
      let batch = try home.start(["compress", "season", "--watch", "--settle", "0.3"] + smaller)
      func appears(_ name: String) async throws -> Bool {
        try await TestTimeout.wait {
          FileManager.default.fileExists(atPath: home.folder.path("season/.bsc/trash/\(name)"))
        }
      }
      #expect(try await appears("1/a.mov"))
      try place("season/b.mp4")
      #expect(try await appears("2/b.mp4"))
      // A later file shows that the run has searched the folder again, and has not replaced its own results.
      try place("season/c.mp4")
      #expect(try await appears("3/c.mp4"))
      let ledger = URL(filePath: home.folder.path("season/.bsc/beside.jsonl"))
      try await TestTimeout.wait {
        try String(contentsOf: ledger, encoding: .utf8).components(separatedBy: #""event":"done""#).count == 4
      }
      batch.send(SIGINT)
      #expect(await batch.outcome().status == 130)
      #expect(!FileManager.default.fileExists(atPath: home.folder.path("season/.bsc/trash/4")))
      let outcome = try await undo()
      #expect(try restored(outcome).count == 3, "\(outcome)")
    }
  }
}
