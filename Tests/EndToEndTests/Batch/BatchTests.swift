import ClipModel
import Foundation
import ShareEngine
import TestSupport
import Testing

extension EndToEnd {
  /// `bsc compress FOLDER -o FOLDER`.
  @Suite struct BatchTests {
    private let home: BSCHome

    init() throws { home = try BSCHome() }

    @Test func treeIsMirroredForAllNames() async throws {
      let names = ["a.mp4", "day 1/b c.MOV", "day 1/new\nline.mp4", "день/🏐 spike.mp4", "x/clip.mov", "x/clip.mp4"]
      for name in names { try home.place("season/\(name)", sidecar: name == "a.mp4") }
      try home.place("season/.hidden.mp4")
      try home.place("season/.trash/c.mp4")
      try Data("no video".utf8).write(to: URL(filePath: home.folder.path("season/notes.txt")))
      try FileManager.default.createSymbolicLink(
        atPath: home.folder.path("season/loop"), withDestinationPath: home.folder.path("season"))
      let outcome = try await home.run("compress", "season", "-o", "small", "--report", "jsonl=report.jsonl")
      #expect(outcome.status == 0, "\(outcome)")
      let expected = [
        "a.json", "a.mp4", "day 1/b c.mp4", "day 1/new\nline.mp4", "день/🏐 spike.mp4", "x/clip.mov.mp4", "x/clip.mp4",
      ]
      #expect(try home.tree("small") == expected.sorted())
      #expect(outcome.errors.contains("note: 1 "), "\(outcome)")
      #expect(try home.report("report.jsonl").map(\.status) == [BatchRecord.Status](repeating: .done, count: 6))
      // Results keep the permissions and times of their sources.
      let before = try FileManager.default.attributesOfItem(atPath: home.folder.path("season/a.mp4"))
      let after = try FileManager.default.attributesOfItem(atPath: home.folder.path("small/a.mp4"))
      #expect(before[.modificationDate] as? Date == after[.modificationDate] as? Date)
      #expect(before[.posixPermissions] as? Int == after[.posixPermissions] as? Int)
    }

    @Test func nameThatIsNotUTF8IsEscaped() async throws {
      try home.place("season/a.mp4")
      let raw = Array(home.folder.path("season/caf").utf8) + [0xE9] + Array(".mp4".utf8)
      let path = home.folder.path("season/a.mp4")
      // Some file systems do not accept such names.
      guard rename(path, raw.map { CChar(bitPattern: $0) } + [0]) == 0 else { return }
      let sidecar = raw.dropLast(3) + Array("json".utf8)
      try FileManager.default.copyItem(
        atPath: SharedMedia.sample("rally-portrait.json"), toPath: home.folder.path("x.json"))
      rename(home.folder.path("x.json"), sidecar.map { CChar(bitPattern: $0) } + [0])
      try home.place("season/b.mp4")
      let outcome = try await home.run("compress", "season", "-o", "small")
      #expect(outcome.status == 0, "\(outcome)")
      #expect(try home.tree("small") == ["b.mp4", "caf%E9.json", "caf%E9.mp4"])
      let again = try await home.compress(["season", "-o", "small"])
      #expect(try home.statuses() == [.kept: 2], "\(again)")
    }

    @Test func secondRunProcessesOnlyChanges() async throws {
      for name in ["a", "b", "c"] { try home.place("season/\(name).mp4") }
      let first = try await home.compress(["season", "-o", "small"])
      #expect(try home.statuses() == [.done: 3], "\(first)")
      let ledger = home.folder.path("small/.bsc/ledger.jsonl")
      let lines = try Data(contentsOf: URL(filePath: ledger))
      let second = try await home.compress(["season/", "-o", "small/"])
      #expect(second.status == 0 && second.output.isEmpty, "\(second)")
      #expect(try home.statuses() == [.kept: 3], "\(second)")
      #expect(try Data(contentsOf: URL(filePath: ledger)) == lines)

      // Only a changed source, a new one, and one whose output is missing are processed.
      try FileManager.default.removeItem(atPath: home.folder.path("season/a.mp4"))
      try home.place("season/a.mp4", "no-metadata")
      try home.place("season/d.mp4")
      try FileManager.default.removeItem(atPath: home.folder.path("small/b.mp4"))
      let third = try await home.compress(["season", "-o", "small"])
      #expect(third.status == 0, "\(third)")
      #expect(try home.statuses() == [.done: 3, .kept: 1], "\(third)")
      // Other settings replace earlier results; --force processes all sources.
      for (options, status) in [
        (["--mute"], BatchRecord.Status.done), (["--mute"], .kept), (["--mute", "--force"], .done),
      ] {
        let run = try await home.compress(["season", "-o", "small"] + options)
        #expect(try home.statuses() == [status: 4], "\(run)")
      }
    }

    /// Moved and copied sources are recognized by their bytes.
    @Test func identicalSourcesAreProcessedOnce() async throws {
      try home.place("season/a.mp4")
      for name in ["b", "c"] {
        try FileManager.default.copyItem(
          atPath: home.folder.path("season/a.mp4"), toPath: home.folder.path("season/\(name).mp4"))
      }
      let outcome = try await home.compress(["season", "-o", "small", "-j", "2"])
      #expect(try home.statuses() == [.done: 1, .copied: 2], "\(outcome)")
      let bytes = try ["a", "b", "c"].map { try Data(contentsOf: URL(filePath: home.folder.path("small/\($0).mp4"))) }
      #expect(bytes[0] == bytes[1] && bytes[1] == bytes[2])
    }

    @Test func unknownFileIsKept() async throws {
      try home.place("season/a.mp4")
      try home.place("season/b.mp4")
      try FileManager.default.createDirectory(atPath: home.folder.path("small"), withIntermediateDirectories: true)
      let foreign = home.folder.path("small/a.mp4")
      try Data("other data".utf8).write(to: URL(filePath: foreign))
      let outcome = try await home.compress(["season", "-o", "small"])
      #expect(outcome.status != 0, "\(outcome)")
      #expect(try home.statuses() == [.done: 1, .failed: 1], "\(outcome)")
      #expect(try String(contentsOfFile: foreign, encoding: .utf8) == "other data")
      // An output that the user changed is also kept.
      try Data("edited".utf8).write(to: URL(filePath: home.folder.path("small/b.mp4")))
      let again = try await home.compress(["season", "-o", "small"])
      #expect(try home.statuses() == [.failed: 2], "\(again)")
      #expect(try String(contentsOfFile: home.folder.path("small/b.mp4"), encoding: .utf8) == "edited")
    }

    /// A file appears under the output's name while the clip is processed.
    @Test func fileCreatedMeanwhileIsKept() async throws {
      try home.place("season/a.mp4")
      let foreign = home.folder.path("small/a.mp4")
      let batch = try home.start([
        "compress", "season", "-o", "small", "--height", "240", "--json", "--progress", "json",
      ]) {
        event, _ in
        if event.event == "progress" { try? Data("other data".utf8).write(to: URL(filePath: foreign)) }
      }
      let outcome = await batch.outcome()
      #expect(outcome.status != 0 && outcome.failures.map(\.id) == ["file.exists"], "\(outcome)")
      #expect(try String(contentsOfFile: foreign, encoding: .utf8) == "other data")
    }

    /// Both folders have a file with the same name.
    @Test func resultOfAnotherFolderIsKept() async throws {
      try home.place("card 1/IMG_1.mp4", sidecar: true)
      try home.place("card 2/IMG_1.mp4", "no-metadata")
      #expect(try await home.run("compress", "card 1", "-o", "small").status == 0)
      let first = try Data(contentsOf: URL(filePath: home.folder.path("small/IMG_1.mp4")))
      let outcome = try await home.run("compress", "card 2", "-o", "small", "--json")
      #expect(outcome.status != 0 && outcome.failures.map(\.id) == ["file.exists"], "\(outcome)")
      #expect(try Data(contentsOf: URL(filePath: home.folder.path("small/IMG_1.mp4"))) == first)
    }

    /// New or corrected metadata is copied to the clip's result; another file under its name is kept.
    @Test func metadataIsUpdated() async throws {
      try home.place("season/a.mp4")
      #expect(try await home.run("compress", "season", "-o", "small").status == 0)
      /// A time in the future makes the metadata newer than its copy, without waiting.
      func writeMetadata(_ text: String, hoursFromNow: Double) throws {
        let path = home.folder.path("season/a.json")
        try Data(text.utf8).write(to: URL(filePath: path))
        let date = Date(timeIntervalSinceNow: hoursFromNow * 3600)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
      }
      try writeMetadata(#"{"first":1}"#, hoursFromNow: 0)
      let kept = try await home.run("compress", "season", "-o", "small", "--json")
      #expect(kept.status == 0 && kept.output.contains(#""status":"kept""#), "\(kept)")
      let target = home.folder.path("small/a.json")
      #expect(try String(contentsOfFile: target, encoding: .utf8) == #"{"first":1}"#)
      try writeMetadata(#"{"second":2}"#, hoursFromNow: 1)
      #expect(try await home.run("compress", "season", "-o", "small").status == 0)
      #expect(try String(contentsOfFile: target, encoding: .utf8) == #"{"second":2}"#)
      try Data("mine".utf8).write(to: URL(filePath: target))
      try writeMetadata(#"{"third":3}"#, hoursFromNow: 2)
      #expect(try await home.run("compress", "season", "-o", "small").status == 0)
      #expect(try String(contentsOfFile: target, encoding: .utf8) == "mine")
    }

    /// Unreadable metadata is a failure of its clip only, before and after the clip is processed.
    @Test func unreadableMetadataFailsOnlyItsClip() async throws {
      for name in ["a", "b"] { try home.place("season/\(name).mp4") }
      #expect(try await home.run("compress", "season", "-o", "small").status == 0)
      let large = Data(count: RallyMetadata.byteLimit + 1)
      try large.write(to: URL(filePath: home.folder.path("season/a.json")))
      try home.place("season/c.mp4", "rally-portrait")
      let outcome = try await home.compress(["season", "-o", "small"])
      #expect(outcome.status == 3 && outcome.errors.contains("a.json"), "\(outcome)")
      #expect(try home.statuses() == [.done: 1, .kept: 1, .failed: 1], "\(outcome)")
    }

    @Test func failedFileIsNotRetriedUnchanged() async throws {
      for name in ["a", "c"] { try home.place("season/\(name).mp4") }
      try Data("no video at all".utf8).write(to: URL(filePath: home.folder.path("season/b.mp4")))
      let first = try await home.run("compress", "season", "-o", "small", "--report", "jsonl=r.jsonl")
      let records = try home.report("r.jsonl")
      #expect(first.status == 3 && records.count == 3 && records.count { $0.status == .done } == 2, "\(first)")
      #expect(records.first { $0.status == .failed }?.error?.category == .unjudged)
      let second = try await home.compress(["season", "-o", "small"])
      #expect(second.status == 3, "\(second)")
      #expect(try home.statuses() == [.kept: 2, .failed: 1], "\(second)")
      #expect(second.errors.contains("--retry-failed") && !second.errors.contains("error:"))
      let third = try await home.run("compress", "season", "-o", "small", "--retry-failed")
      #expect(third.status == 3 && third.errors.contains("error: "), "\(third)")
      // A repaired file is processed without --retry-failed.
      try FileManager.default.removeItem(atPath: home.folder.path("season/b.mp4"))
      try home.place("season/b.mp4")
      #expect(try await home.run("compress", "season", "-o", "small").status == 0)
    }

    @Test func shardsCoverAllFiles() async throws {
      for number in 0..<6 { try home.place("season/\(number)/clip.mp4") }
      var made: [String] = []
      for index in 0..<3 {
        var home = home
        home.environment["SLURM_ARRAY_TASK_ID"] = "\(index)"
        let shard = index == 2 ? "auto/3" : "\(index)/3"
        let outcome = try await home.run(
          "compress", "season", "-o", "small", "--shard", shard, "--report", "jsonl=part-\(index).jsonl")
        #expect(outcome.status == 0, "\(outcome)")
        made += try home.report("part-\(index).jsonl").map(\.file)
      }
      #expect(made.sorted() == (0..<6).map { "season/\($0)/clip.mp4" })
      for sources in [["small"], ["part-0.jsonl", "part-1.jsonl", "part-2.jsonl"]] {
        let merged = try await (home.start(["batch", "merge"] + sources + ["--json"])).outcome()
        #expect(merged.status == 0, "\(merged)")
        #expect(try home.records(merged.output).map(\.status) == [BatchRecord.Status](repeating: .done, count: 6))
      }
      let again = try await home.compress(["season", "-o", "small"])
      #expect(try home.statuses() == [.kept: 6], "\(again)")
    }

    @Test func arrayTaskIsReported() async throws {
      try home.place("season/a.mp4")
      var home = home
      home.environment["JOB_COMPLETION_INDEX"] = "1"
      let outcome = try await home.run("compress", "season", "-o", "small")
      #expect(outcome.status == 0 && outcome.errors.contains("--shard auto/N"), "\(outcome)")
      #expect(try await home.run("compress", "season", "-o", "small", "--shard", "auto/1").status == 64)
    }

    @Test func patternsAndListsSelectFiles() async throws {
      for name in ["a.mp4", "b.MOV", "proxies/a.mp4", "proxies/deep/b.mp4", "c.mp4"] {
        try home.place("season/\(name)")
      }
      let chosen = try await home.run(
        "compress", "season", "-o", "small", "--include", "*.{mp4,mov}", "--exclude", "proxies", "--exclude", "c*")
      #expect(chosen.status == 0, "\(chosen)")
      #expect(try home.tree("small") == ["a.mp4", "b.mp4"])
      try Data("season/c.mp4\0season/proxies/deep/b.mp4\0".utf8)
        .write(to: URL(filePath: home.folder.path("list")))
      let listed = try await home.run("compress", "--files-from", "list", "-o", "listed")
      #expect(listed.status == 0, "\(listed)")
      #expect(try home.tree("listed") == ["season/c.mp4", "season/proxies/deep/b.mp4"])
      let none = try await home.run("compress", "season", "-o", "small", "--include", "*.avi")
      #expect(none.status == 64 && none.errors.contains("--include"), "\(none)")
    }

    /// A folder of results among the sources is skipped, even if the new results go elsewhere.
    @Test func resultsAreNotSources() async throws {
      try home.place("season/a.mp4")
      #expect(try await home.run("compress", "season", "-o", "season/small").status == 0)
      let outcome = try await home.run("compress", "season", "-o", "other")
      #expect(outcome.errors.contains(/note: skipped (.* )?1\b/), "\(outcome)")
      #expect(try home.tree("other") == ["a.mp4"])
      // The same for results next to their sources.
      let beside = try await home.run("compress", "season/a.mp4", "season")
      #expect(beside.status == 0, "\(beside)")
      let again = try await home.run("compress", "season")
      // One note for the result, and one for the folder.
      #expect(again.errors.matches(of: /note: skipped (.* )?1\b/).count == 2, "\(again)")
    }

    /// Results next to their sources are skipped, even if the sources are deleted.
    @Test func resultsOfDeletedSourcesAreNotSources() async throws {
      try home.place("season/a.mov")
      #expect(try await home.run("compress", "season", "--height", "240").status == 0)
      try FileManager.default.removeItem(atPath: home.folder.path("season/a.mov"))
      let outcome = try await home.run("compress", "season", "--height", "144", "--json")
      #expect(outcome.status == 0 && outcome.output.contains(#""status":"kept""#), "\(outcome)")
      #expect(try home.tree("season") == ["a-compressed.mp4"])
    }
  }
}
