import ArgumentParser
import ClipModel
import Foundation
import Reports
import TestSupport
import Testing

@testable import bsc

extension EndToEnd {
  /// Errors in command lines, help and shell completions.
  @Suite struct CommandLineTests {
    private let home: BSCHome

    init() throws { home = try BSCHome() }

    @Test(
      arguments: [
        (["shar", "x.mp4"], "\"bsc share\""), (["jobs", "lst"], "\"bsc jobs list\""),
        (["help", "valdate"], "\"bsc validate\""), (["xyzzy"], "\"bsc --help\""),
        (["share", "--captoin", "x", "a.mp4"], "'--caption'"),
        (["share", "a.mp4", "--privacy", "q"], "'public', 'followers_only' or 'private'"),
        (["share"], "\"bsc share --help\""), (["validate"], "\"bsc validate --help\""),
        (["highlights", "opn", "x"], "\"bsc highlights open\""), (["clip.mp4"], "\"bsc share clip.mp4\""),
      ])
    func suggestionIsPrinted(_ arguments: [String], _ next: String) async throws {
      try Data().write(to: URL(filePath: home.folder.path("clip.mp4")))
      let outcome = try await home.start(arguments).outcome()
      home.expectConventions(of: outcome)
      #expect(outcome.status == 64 && outcome.output.isEmpty, "\(outcome)")
      let lines = outcome.errors.split(separator: "\n")
      #expect(lines.count == 2 && lines[0].hasPrefix("error: ") && lines[0].contains("\"bsc"), "\(outcome)")
      #expect(lines.last?.hasPrefix("next: ") == true && lines.last?.contains(next) == true, "\(outcome)")
    }

    /// If the parser has to derive the names from the types, every command starts a few milliseconds later.
    @Test func everyCommandStatesItsName() {
      func listUnnamed(_ command: any ParsableCommand.Type) -> [String] {
        let configuration = command.configuration
        return (configuration.commandName == nil ? ["\(command)"] : []) + configuration.subcommands.flatMap(listUnnamed)
      }
      #expect(listUnnamed(BSC.self) == [])
    }

    /// With `--progress json`, stderr contains only events, including errors.
    @Test(arguments: [
      (["share", "rally-portrait.mp4", "no-video.mp4"], 4), (["compress", "rally-portrait.mp4", "gone.mp4"], 3),
      (["share", "rally-portrait.mp4", "--kind", "postr"], 64),
    ]) func stderrHasOnlyEvents(arguments: [String], status: Int) async throws {
      for name in ["rally-portrait", "no-video"] { _ = try home.clip(name) }
      let outcome = try await home.start(arguments + ["--progress", "json"]).outcome()
      #expect(Int(outcome.status) == status, "\(outcome)")
      let events = try outcome.errors.split(separator: "\n").map { try #require(ProgressEvent(line: String($0))) }
      let texts = events.filter { $0.event == "text" }.compactMap(\.detail)
      #expect(texts.contains { $0.hasPrefix("error: ") } && texts.contains { $0.hasPrefix("next: ") }, "\(outcome)")
    }

    /// A missing argument or value is named, with an example.
    @Test(
      arguments: [
        (["share"], "file", "bsc share clip.mp4 "), (["cut"], "match", "bsc cut match.mov;"),
        (["jobs", "show"], "job", "bsc jobs show --help"),
        (["highlights", "open"], "highlight", "bsc highlights open 3f2a;"),
        (["config", "set"], "setting", "bsc config set quality 23;"),
        (["config", "set", "quality"], "value", "bsc config set quality 23;"),
        (["share", "a.mp4", "--caption"], "--caption", "bsc share clip.mp4 "),
        (["compress", "-qj"], "-j", "bsc compress clip.mov;"),
        (["highlights", "--limit"], "--limit", "\"bsc highlights --help\""),
        (["share", "a.mp4", "--limit-rate", "banana"], " 1kB", ""),
        (["share", "a.mp4", "--limit-rate", "250"], " 500kB ", ""),
        (["config", "set", "upload.limit_rate", "5"], " 500kB ", ""),
      ])
    func missingArgumentIsNamed(_ arguments: [String], _ why: String, _ next: String) async throws {
      let outcome = try await home.start(arguments).outcome()
      home.expectConventions(of: outcome)
      #expect([64, 5].contains(outcome.status), "\(outcome)")
      let lines = outcome.errors.split(separator: "\n")
      #expect(lines.count == 2 && lines[1].hasPrefix("next: "), "\(outcome)")
      // After the command, which can contain the same word.
      #expect(lines[0].split(separator: ": ").last?.contains(why) == true, "\(outcome)")
      #expect(next.isEmpty || lines[1].contains(next), "\(outcome)")
    }

    /// An invalid value is reported with its problem and a correction.
    @Test(
      arguments: [
        (["compress", "--max-size", "25"], "--max-size|\"25\"", " 25MB"),
        (["compress", "--max-size", "abc"], "--max-size|\"abc\"", "25MB, 800kB or 1GiB"),
        (["compress", "--max-size", "3XB"], "--max-size|\"3XB\"|\"XB\"", "kB, MB, GB"),
        (["thumbs", "--animated-size", "5"], "--animated-size|\"5\"", " 5MB"),
        (["share", "--rally", "3-1"], "--rally|\"3-1\"", "bsc cut"), (["share", "--rally=-1"], "--rally| 0", " 0 "),
        (["cut", "--rally", "3-1"], "--rally|\"3-1\"", " 1-3?"),
        (["cut", "--rally", "1,x"], "--rally|\"1,x\"", "1,4-7"),
        (["compress", "--from", "1.2.3"], "--from|\"1.2.3\"", " 1:2.3?"),
        (["compress", "--to", "1:75"], "--to|\"1:75\"|59", "1:23.5"),
        (["thumbs", "--grid", "4"], "--grid|\"4\"", " 4x4?"),
        (["thumbs", "--kind", "postr"], "--kind|\"postr\"", "'poster'?"),
        (["compress", "--report", "htm=x"], "--report|\"htm=x\"", " html=x?"),
        (["compress", "--report", "nonsense=x"], "--report|\"nonsense=x\"", "jsonl and html"),
        (["validate", "--report", "a.xml"], "--report|\"a.xml\"", " junit=a.xml?"),
        (["validate", "--report", "junit"], "--report|\"junit\"", "junit=FILE"),
        (["validate", "--format", "sarfi"], "--format|\"sarfi\"", "'sarif'?"),
        (["compress", "-j", "0"], "-j|\"0\"", "1 to 1024"),
        (["compress", "--height", "tall"], "--height|\"tall\"", "16 to 4320"),
        (["validate", "--timeout", "nan"], "--timeout|\"nan\"", "0.1 to 86400"),
        (["compress", "--schedule", "22-7"], "--schedule|\"22-7\"", "22:00-07:00"),
        (["share", "--pace", "x"], "--pace|\"x\"", "'auto', 'on' or 'off'"),
        (["compress", "--from", "-1"], "--from ", "--help"),
        (["social", "report", "--reason", "spam", "post"], "<kind>|\"post\"", "'comment' or 'person'"),
        (["share", "--caption", "-5"], "--caption=-5", "--help"), (["compress", "-qj", "0"], "-j|\"0\"", "1 to 1024"),
        // The accepted but unlisted value jpg is not the mistake.
        (["thumbs", "--image-format", "jpg", "--at", "1", "--best"], "--at|--best", "--help"),
      ])
    func invalidValueHasCorrection(_ arguments: [String], _ facts: String, _ next: String) throws {
      let arguments = arguments + ["--json", "clip.mp4"]
      let error = try #require(throws: (any Error).self) { try BSC.parseAsRoot(arguments) }
      let explanation = UsageErrors.explain(arguments, error)
      #expect(explanation.category == .usage && explanation.id == "usage.arguments")
      #expect(facts.split(separator: "|").allSatisfy { explanation.why.contains($0) }, "\(explanation)")
      #expect(explanation.next?.contains(next) == true, "\(explanation)")
    }

    /// Also for values that are checked when the command runs.
    @Test(arguments: [
      (["compress", "--max-size", "25"], "usage.arguments", "\"25\"", " 25MB?"),
      (["compress", "--shard", "5/4"], "batch.shard-out-of-range", " 4", "--array=0-3"),
    ])
    func invalidValueEndsProgram(_ arguments: [String], _ id: String, _ why: String, _ next: String) async throws {
      let outcome = try await home.start(arguments + ["--json", "clip.mp4"]).outcome()
      home.expectConventions(of: outcome)
      #expect(outcome.status == 64, "\(outcome)")
      let lines = outcome.errors.split(separator: "\n")
      #expect(lines.count == 2 && lines[0].contains(why) && lines[1].contains(next), "\(outcome)")
      let error = try #require(outcome.failures.first, "\(outcome)")
      #expect(error.id == id && error.why.contains(why) && error.next?.contains(next) == true, "\(outcome)")
      #expect(id != "batch.shard-out-of-range" || error.facts?["shard"] == "5/4", "\(outcome)")
    }

    /// Messages contain the path of a file as given.
    @Test(arguments: [["probe"], ["strip"], ["audit"], ["plan"], ["share"], ["thumbs"], ["validate"], ["compress"]])
    func messagesHavePathsAsGiven(_ command: [String]) async throws {
      try FileManager.default.createDirectory(atPath: home.folder.path("a/b"), withIntermediateDirectories: true)
      try Data("not a video".utf8).write(to: URL(filePath: home.folder.path("a/b/x.mp4")))
      let outcome = try await home.start(command + ["a/b/x.mp4", "a/b/missing.mp4"]).outcome()
      let text = outcome.output + outcome.errors
      #expect(text.contains(" a/b/missing.mp4: "), "\(outcome)")
      #expect(text.contains(" a/b/x.mp4: ") || command == ["audit"], "\(outcome)")
      #expect(!text.contains(home.folder.path("a")), "\(outcome)")
      let whole = home.folder.path("a/b/missing.mp4")
      let named = try await home.start(command + [whole, whole]).outcome()
      #expect((named.output + named.errors).contains(" \(whole): "), "\(named)")
    }

    /// Also for files that are not inputs.
    @Test(arguments: [
      ["cut", "a/missing.mov"], ["share", "clip.mp4", "--captions", "a/missing.csv"],
      ["upload", "clip.mp4", "--url-file", "a/missing.url"],
    ])
    func messagesAboutOtherFilesHavePathsAsGiven(_ command: [String]) async throws {
      try Data("not a video".utf8).write(to: URL(filePath: home.folder.path("clip.mp4")))
      let outcome = try await home.start(command).outcome()
      let name = try #require(command.last)
      #expect(outcome.status == 66 && outcome.errors.contains(" \(name): "), "\(outcome)")
      let whole = home.folder.path(name)
      let named = try await home.start(command.dropLast() + [whole]).outcome()
      #expect(named.status == 66 && named.errors.contains(" \(whole): "), "\(named)")
    }

    /// Similar names can have different meanings, so only close matches are suggested.
    @Test(
      arguments: [
        (["compress", "--out", "x.mp4"], "'--out'", "'--output'"),
        (["share", "-caption", "x"], "'-caption'", "'--caption'"),
        (["share", "--captoin", "x"], "'--captoin'", "'--caption'"),
        (["share", "--tags", "x"], "'--tags'", "\"bsc share --help\""),
        (["resume", "--all"], "'--all'", "\"bsc resume --help\""),
        (["thumbs", "-x"], "'-x'", "\"bsc thumbs --help\""),
        (["compress", "-qx"], "'-qx'", "\"bsc compress --help\""),
        (["highlights", "--limt", "3"], "'--limt'", "'--limit'"),
      ])
    func unknownOptionHasSuggestion(_ arguments: [String], _ why: String, _ next: String) async throws {
      let outcome = try await home.start(arguments + ["clip.mp4"]).outcome()
      home.expectConventions(of: outcome)
      let lines = outcome.errors.split(separator: "\n")
      #expect(outcome.status == 64 && lines.count == 2 && lines[0].hasSuffix(why), "\(outcome)")
      // Single quotes enclose a suggested option.
      #expect(lines[1].contains(next) && lines[1].contains("'") == next.hasPrefix("'"), "\(outcome)")
    }

    /// Other tools have these as top-level commands.
    @Test(arguments: [
      (["list"], ["\"bsc highlights list\"", "\"bsc jobs list\""]), (["delete"], ["\"bsc highlights delete\""]),
      (["version"], ["\"bsc --version\""]), (["shrae"], ["\"bsc share\""]),
    ])
    func subcommandsAreSuggested(_ arguments: [String], _ nearest: [String]) async throws {
      let outcome = try await home.start(arguments + ["--json"]).outcome()
      #expect(outcome.status == 64 && outcome.failures.map(\.id) == ["usage.unknown-command"], "\(outcome)")
      let suggestion = try #require(outcome.failures.first?.facts?["nearest"], "\(outcome)")
      #expect(nearest.allSatisfy { suggestion.contains($0) }, "\(outcome)")
    }

    @Test func invalidFileNamesAreReported() async throws {
      try Data().write(to: URL(filePath: home.folder.path("-clip.mp4")))
      let dashed = try await home.start(["compress", "-clip.mp4", "--json"]).outcome()
      #expect(dashed.status == 64 && dashed.failures.map(\.id) == ["usage.dashed-file"], "\(dashed)")
      #expect(dashed.failures.first?.next?.contains("./-clip.mp4") == true, "\(dashed)")
      for command in ["share", "compress", "probe"] {
        let address = try await home.start([command, "https://storage.example.org/x?token=abc", "--json"]).outcome()
        #expect(address.status == 66 && address.failures.map(\.id) == ["source.address"], "\(address)")
        #expect(!(address.errors + address.output).contains("abc"), "\(address)")
        // Also among other files and with --json.
        let both = try await home.start([command, "no.mp4", "https://storage.example.org/x?token=abc", "--json"])
          .outcome()
        #expect(!(both.errors + both.output).contains("abc"), "\(both)")
        let broken = try await home.start([command, "h\u{FFFD}.mp4", "--json"]).outcome()
        #expect(broken.status == 66 && broken.failures.map(\.id) == ["source.name-not-utf8"], "\(broken)")
      }
    }

    @Test(arguments: [
      ["validate", "https://s.example.org/x?token=abc"], ["validate", "https://s.example.org/x?token=abc", "--json"],
      ["audit", "a.mp4", "https://s.example.org/x?token=abc"], ["cut", "https://s.example.org/x?token=abc"],
      ["upload", "a.mp4", "--url-file", "https://s.example.org/x?token=abc"],
      ["upload", "a.mp4", "-url=https://s.example.org/x?token=abc"], ["login", "-password=abc"],
      ["serve", "-token-file=abc"], ["upload", "https://s.example.org/x?token=abc"],
      ["compress", "a.mp4", "-o", "https://s.example.org/x?token=abc"],
      ["strip", "a.mp4", "-o", "https://s.example.org/x?token=abc"],
      ["compress", "--watch", "-o", "small", "https://s.example.org/x?token=abc"],
      ["resume", "https://s.example.org/x?token=abc"], ["highlights", "open", "https://s.example.org/x?token=abc"],
      ["highlights", "edit", "https://s.example.org/x?token=abc", "--caption", "x"],
      ["serve", "--open", "https://s.example.org/x?token=abc"], ["jobs", "show", "https://s.example.org/x?token=abc"],
      ["doctor", "--bundle", "https://s.example.org/x?token=abc"],
    ])
    func possibleSecretsAreNotPrinted(_ command: [String]) async throws {
      try Data("video".utf8).write(to: URL(filePath: home.folder.path("a.mp4")))
      let outcome = try await home.start(command).outcome()
      #expect(outcome.status != 0 && !(outcome.errors + outcome.output).contains("abc"), "\(outcome)")
    }

    @Test func metadataIsNotAClip() async throws {
      for name in ["rally-portrait", "rally-4k"] {
        for ending in ["mp4", "json"] {
          try FileManager.default.copyItem(
            atPath: SharedMedia.sample("\(name).\(ending)"), toPath: home.folder.path("\(name).\(ending)"))
        }
      }
      let outcome = try await home.run("share", "rally-portrait.json", "rally-4k.json", "--json")
      #expect(outcome.status == 64 && outcome.failures.map(\.id) == ["share.only-metadata"], "\(outcome)")
    }

    /// Files that could not be checked are not counted as clean.
    @Test func auditCountsUncheckableFiles() async throws {
      try Data().write(to: URL(filePath: home.folder.path("empty.mp4")))
      let arguments = ["audit", "empty.mp4", "missing.mp4", try home.clip("no-video"), "--json"]
      let outcome = try await home.start(arguments).outcome()
      #expect(outcome.status == 3 && outcome.output.contains(#""verdict":"clean""#), "\(outcome)")
      #expect(outcome.failures.map(\.id).sorted() == ["file.not-found", "source.empty"], "\(outcome)")
      // The summary has the counts of checked and other files.
      #expect(outcome.errors.split(separator: "\n").last?.wholeMatch(of: /1 \D+ 2 \D+/) != nil, "\(outcome)")
    }

    /// A path with the extension of a video is not a folder for several results.
    @Test(arguments: ["compress", "strip"]) func severalClipsRequireFolder(_ command: String) async throws {
      let clip = try home.clip("too-short")
      let again = try await home.start([command, clip, "other.mp4", "-o", "one.mp4", "--json"]).outcome()
      #expect(again.status == 64 && again.failures.map(\.id) == ["output.named-like-video"], "\(again)")
      #expect(again.failures.first?.next?.contains("-o one/") == true, "\(again)")
      #expect(!FileManager.default.fileExists(atPath: home.folder.path("one.mp4")))
      // Unless the folder exists, or the path ends with a slash.
      for folder in ["new.mp4/", "album.mov"] {
        if !folder.hasSuffix("/") {
          try FileManager.default.createDirectory(
            atPath: home.folder.path(folder), withIntermediateDirectories: false)
        }
        let inside = try await home.start([command, clip, "other.mp4", "-o", folder]).outcome()
        #expect(inside.status == 3, "\(inside)")
        let made = try FileManager.default.contentsOfDirectory(atPath: home.folder.path(folder))
        #expect(made.contains { $0.hasSuffix(".mp4") }, "\(made)")
      }
    }

    /// Metadata from a shell's `*` is skipped, and a clip that is given several times is processed once.
    @Test func metadataAndDuplicatesAreSkipped() async throws {
      let season = home.folder.path("season/day")
      try FileManager.default.createDirectory(atPath: season, withIntermediateDirectories: true)
      for name in ["rally-portrait.mp4", "rally-portrait.json"] {
        try FileManager.default.copyItem(atPath: SharedMedia.sample(name), toPath: "\(season)/\(name)")
      }
      let all = ["season/day/rally-portrait.json", "season/day/rally-portrait.mp4"]
      let beside = try await home.start(["compress"] + all).outcome()
      #expect(beside.status == 0 && beside.errors.contains("note: skipped 1 "), "\(beside)")
      #expect(FileManager.default.fileExists(atPath: "\(season)/rally-portrait-compressed.mp4"), "\(beside)")
      try FileManager.default.removeItem(atPath: "\(season)/rally-portrait-compressed.mp4")
      let once = try await home.start(["compress", "season", "season/day"] + all + ["-o", "out"]).outcome()
      #expect(once.status == 0, "\(once)")
      #expect(
        try FileManager.default.subpathsOfDirectory(atPath: home.folder.path("out")).filter { $0.hasSuffix(".mp4") }
          .count == 1)
      // The result mirrors the folder even if the clip is given first.
      let inside = try await home.start(["compress"] + all + ["season", "-o", "tree"]).outcome()
      #expect(inside.status == 0, "\(inside)")
      #expect(
        try FileManager.default.subpathsOfDirectory(atPath: home.folder.path("tree")).filter { $0.hasSuffix(".mp4") }
          == ["day/rally-portrait.mp4"])
    }

    /// A folder is not shared, because each of its clips would become a highlight.
    @Test(arguments: [["share"], ["share", "-n"]]) func folderIsNotShared(_ command: [String]) async throws {
      let folder = home.folder.path("my season")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let outcome = try await home.start(command + ["my season", "missing.mp4", "--json"]).outcome()
      #expect(outcome.status == 3 && outcome.errors.contains("bsc share 'my season/'*.mp4"), "\(outcome)")
      // Other inputs are checked, too.
      #expect(outcome.failures.map(\.id).sorted() == ["file.not-found", "source.folder"], "\(outcome)")
    }

    @Test func unknownSettingIsUsageError() async throws {
      let outcome = try await home.run("config", "set", "bakend", "local")
      #expect(outcome.status == 64 && outcome.errors.contains("\"backend\""), "\(outcome)")
      #expect(!outcome.errors.contains("config.toml"), "\(outcome)")
    }

    /// The columns of the table are aligned.
    @Test func settingsAreTable() async throws {
      let lines = try await home.run("config", "show").output.split(separator: "\n")
      let origins = lines.compactMap { line in
        line.firstRange(of: " default ").map { line.distance(from: line.startIndex, to: $0.lowerBound) }
      }
      #expect(origins.count > 10 && Set(origins).count == 1, "\(lines)")
    }

    /// An upload URL is a secret, also as an invalid argument.
    @Test(arguments: [
      ["upload", "clip.mp4", "https://storage.example.org/x?token=abc"], ["https://storage.example.org/x?token=abc"],
      ["jobs", "https://storage.example.org/x?token=abc"], ["validate", "x", "--report", "https://u:abc@h/x.xml"],
      ["validate", "x", "--report=junt=https://u:abc@h/x.xml"], ["compress", "x", "--max-size", "5https://s/?sig=abc"],
      ["upload", "x", "--progress", "https://h/p?f=it's&sig=abc"],
      ["thumbs", "x", "--width", "https://s/a b'c?sig=abc"],
    ])
    func urlIsNotPrinted(arguments: [String]) async throws {
      let outcome = try await home.start(arguments).outcome()
      #expect(outcome.status == 64 && !outcome.errors.contains("abc"), "\(outcome)")
    }

    @Test func usageErrorIsJSON() async throws {
      let outcome = try await home.run("share", "--json", "--captoin", "x")
      #expect(outcome.status == 64 && outcome.output.contains("\"bsc.error/1\""), "\(outcome)")
      #expect(outcome.output.contains("\"exitCode\":64"), "\(outcome)")
    }

    /// Help has examples before the options.
    @Test(arguments: [
      "share", "resume", "upload", "serve", "cut", "compress", "thumbs", "plan", "probe", "validate", "audit", "strip",
      "login", "doctor", "highlights export", "highlights edit", "highlights trim", "batch merge", "batch undo",
      "account delete", "jobs prune",
    ])
    func commandHasExamples(_ command: String) async throws {
      let outcome = try await home.start(["help"] + command.split(separator: " ").map(String.init)).outcome()
      #expect(outcome.status == 0, "\(outcome)")
      let examples = try #require(outcome.output.range(of: "EXAMPLES:"), "no examples for \(command)")
      let usage = try #require(outcome.output.range(of: "USAGE:"))
      #expect(examples.lowerBound < usage.lowerBound)
      #expect(outcome.output.contains("  bsc \(command)"), "\(outcome.output)")
    }

    /// Completions of `bsc jobs show` and of rules.
    @Test func idsAreCompleted() async throws {
      let asked = ["---completion", "jobs", "show", "--", "positional@0", "3", "0"]
      // A completion creates no journal.
      #expect(try await home.start(asked).outcome().output.isEmpty)
      #expect(!FileManager.default.fileExists(atPath: home.folder.path("state/bsc/journal.sqlite")))
      #expect(try await home.run("share", SharedMedia.sample("rally-portrait.mp4")).status == 0)
      let jobs = try await home.run("jobs", "list", "--all")
      let id = try #require(jobs.output.split(separator: "\n").last?.prefix(8))
      let offered = try await home.start(asked).outcome()
      #expect(offered.output.contains(id), "\(offered) lacks \(id)")
      let rules = try await home.start(["---completion", "validate", "--", "--explain", "2", "0"]).outcome()
      #expect(rules.output.contains("clip.duration"), "\(rules)")
    }
  }
}
