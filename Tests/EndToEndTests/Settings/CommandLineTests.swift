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
        (["shar", "x.mp4"], "did you mean \"bsc share\"?"), (["jobs", "lst"], "did you mean \"bsc jobs list\"?"),
        (["help", "valdate"], "did you mean \"bsc validate\"?"), (["xyzzy"], "\"bsc --help\" lists all"),
        (["share", "--captoin", "x", "a.mp4"], "did you mean '--caption'?"),
        (["share", "a.mp4", "--privacy", "q"], "choose 'public', 'followers_only' or 'private'"),
        (["share"], "\"bsc share --help\""), (["validate"], "\"bsc validate --help\""),
        (["highlights", "opn", "x"], "did you mean \"bsc highlights open\"?"),
        (["clip.mp4"], "did you mean \"bsc share clip.mp4\"?"),
      ])
    func suggestionIsPrinted(_ arguments: [String], _ next: String) async throws {
      try Data().write(to: URL(filePath: home.folder.path("clip.mp4")))
      let outcome = try await home.start(arguments).outcome()
      home.expectConventions(of: outcome)
      #expect(outcome.status == 64 && outcome.output.isEmpty, "\(outcome)")
      #expect(outcome.errors.hasPrefix("error: cannot run \"bsc") && outcome.errors.contains("next: "), "\(outcome)")
      #expect(outcome.errors.contains(next), "\(outcome)")
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
        (["share"], "no file was specified", "try this: bsc share clip.mp4"),
        (["cut"], "no match was specified", "try this: bsc cut match.mov"),
        (["jobs", "show"], "no job was specified", "bsc jobs show --help"),
        (["highlights", "open"], "no highlight was specified", "try this: bsc highlights open 3f2a"),
        (["config", "set"], "no setting was specified", "try this: bsc config set quality 23"),
        (["config", "set", "quality"], "no value was specified", "try this: bsc config set quality 23"),
        (["share", "a.mp4", "--caption"], "--caption requires a value", "try this: bsc share clip.mp4"),
        (["compress", "-qj"], "-j requires a value", "try this: bsc compress"),
        (["highlights", "--limit"], "--limit requires a value", "\"bsc highlights --help\""),
        (["share", "a.mp4", "--limit-rate", "banana"], "expected 0, or a size of at least 1kB", "correct"),
        (["share", "a.mp4", "--limit-rate", "250"], "with a unit, for example 500kB or 5MB", "correct"),
        (["config", "set", "upload.limit_rate", "5"], "with a unit, for example 500kB or 5MB", "correct"),
      ])
    func missingArgumentIsNamed(_ arguments: [String], _ why: String, _ next: String) async throws {
      let outcome = try await home.start(arguments).outcome()
      home.expectConventions(of: outcome)
      #expect([64, 5].contains(outcome.status), "\(outcome)")
      let lines = outcome.errors.split(separator: "\n")
      #expect(lines.count == 2 && lines[0].contains(why) && lines[1].contains(next), "\(outcome)")
    }

    /// An invalid value is reported with its problem and a correction.
    @Test(
      arguments: [
        (["compress", "--max-size", "25"], "--max-size cannot be \"25\": it has no unit", "did you mean 25MB?"),
        (["compress", "--max-size", "abc"], "it is not a size", "25MB, 800kB or 1GiB"),
        (["compress", "--max-size", "3XB"], "\"XB\" is not a size unit", "kB, MB, GB"),
        (["thumbs", "--animated-size", "5"], "it has no unit", "did you mean 5MB?"),
        (["share", "--rally", "3-1"], "it is not a whole number", "a single rally number, starting at 0"),
        (["share", "--rally=-1"], "rally numbers start at 0", "enter 0 for the first rally"),
        (["cut", "--rally", "3-1"], "the range is reversed", "did you mean 1-3?"),
        (["cut", "--rally", "1,x"], "it is not a list of rally numbers", "1,4-7"),
        (["compress", "--from", "1.2.3"], "it is not a time", "did you mean 1:2.3?"),
        (["compress", "--to", "1:75"], "minutes and seconds must be between 0 and 59", "1:23.5"),
        (["thumbs", "--grid", "4"], "it is not a valid grid size", "did you mean 4x4?"),
        (["thumbs", "--kind", "postr"], "--kind cannot be \"postr\"", "did you mean 'poster'?"),
        (["compress", "--report", "htm=x"], "there is no such report kind", "did you mean html=x?"),
        (["compress", "--report", "nonsense=x"], "there is no such report kind", "jsonl and html"),
        (["validate", "--report", "a.xml"], "the report kind is missing", "did you mean junit=a.xml?"),
        (["validate", "--report", "junit"], "the file name is missing", "junit=FILE"),
        (["validate", "--format", "sarfi"], "--format cannot be \"sarfi\"", "did you mean 'sarif'?"),
        (["compress", "-j", "0"], "-j cannot be \"0\": it is out of range", "from 1 to 1024"),
        (["compress", "--height", "tall"], "it is not a whole number", "from 16 to 4320"),
        (["validate", "--timeout", "nan"], "it is out of range", "seconds from 0.1 to 86400"),
        (["compress", "--schedule", "22-7"], "it is not a time window", "22:00-07:00"),
        (["share", "--pace", "x"], "--pace cannot be \"x\"", "choose 'auto', 'on' or 'off'"),
        (["compress", "--from", "-1"], "--from cannot be negative", "--help"),
        (["social", "report", "--reason", "spam", "post"], "<kind> cannot be \"post\"", "'comment' or 'person'"),
        (["share", "--caption", "-5"], "the caption looks like an option; write --caption=-5", "--help"),
        (["compress", "-qj", "0"], "-j cannot be \"0\": it is out of range", "from 1 to 1024"),
        // The accepted but unlisted value jpg is not the mistake.
        (["thumbs", "--image-format", "jpg", "--at", "1", "--best"], "--at and --best cannot be combined", "--help"),
      ])
    func invalidValueHasCorrection(_ arguments: [String], _ why: String, _ next: String) throws {
      let arguments = arguments + ["--json", "clip.mp4"]
      let error = try #require(throws: (any Error).self) { try BSC.parseAsRoot(arguments) }
      let explanation = UsageErrors.explain(arguments, error)
      #expect(explanation.category == .usage)
      #expect(explanation.why.contains(why) && explanation.next?.contains(next) == true, "\(explanation)")
    }

    /// Also for values that are checked when the command runs.
    @Test(arguments: [
      (
        ["compress", "--max-size", "25"], "usage.arguments", "--max-size cannot be \"25\": it has no unit",
        "did you mean 25MB?"
      ),
      (["compress", "--shard", "5/4"], "batch.shard-out-of-range", "must be less than 4", "--array=0-3"),
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
      #expect(text.contains("cannot read a/b/missing.mp4: "), "\(outcome)")
      #expect(text.contains(" a/b/x.mp4: ") || command == ["audit"], "\(outcome)")
      #expect(!text.contains(home.folder.path("a")), "\(outcome)")
      let whole = home.folder.path("a/b/missing.mp4")
      let named = try await home.start(command + [whole, whole]).outcome()
      #expect((named.output + named.errors).contains("cannot read \(whole): "), "\(named)")
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
      #expect(outcome.status == 66 && outcome.errors.contains("cannot read \(name): "), "\(outcome)")
      let whole = home.folder.path(name)
      let named = try await home.start(command.dropLast() + [whole]).outcome()
      #expect(named.status == 66 && named.errors.contains("cannot read \(whole): "), "\(named)")
    }

    /// Similar names can have different meanings, so only close matches are suggested.
    @Test(
      arguments: [
        (["compress", "--out", "x.mp4"], "'--out'", "did you mean '--output'?"),
        (["share", "-caption", "x"], "'-caption'", "did you mean '--caption'?"),
        (["share", "--captoin", "x"], "'--captoin'", "did you mean '--caption'?"),
        (["share", "--tags", "x"], "'--tags'", "for usage, run \"bsc share --help\""),
        (["resume", "--all"], "'--all'", "for usage, run \"bsc resume --help\""),
        (["thumbs", "-x"], "'-x'", "for usage, run \"bsc thumbs --help\""),
        (["compress", "-qx"], "'-qx'", "for usage, run \"bsc compress --help\""),
        (["highlights", "--limt", "3"], "'--limt'", "did you mean '--limit'?"),
      ])
    func unknownOptionHasSuggestion(_ arguments: [String], _ why: String, _ next: String) async throws {
      let outcome = try await home.start(arguments + ["clip.mp4"]).outcome()
      home.expectConventions(of: outcome)
      #expect(
        outcome.status == 64 && outcome.errors.contains("unknown option \(why)\nnext: \(next)"), "\(outcome)")
    }

    /// Other tools have these as top-level commands.
    @Test(arguments: [
      (["list"], "\"bsc highlights list\" or \"bsc jobs list\"?"), (["delete"], "\"bsc highlights delete\"?"),
      (["version"], "did you mean \"bsc --version\"?"), (["shrae"], "did you mean \"bsc share\"?"),
    ])
    func subcommandsAreSuggested(_ arguments: [String], _ next: String) async throws {
      let outcome = try await home.start(arguments).outcome()
      #expect(outcome.status == 64 && outcome.errors.contains(next), "\(outcome)")
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
        let broken = try await home.start([command, "h\u{FFFD}.mp4"]).outcome()
        #expect(broken.status == 66 && broken.errors.contains("its name is not UTF-8"), "\(broken)")
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
      let outcome = try await home.start(["audit", "empty.mp4", "missing.mp4", try home.clip("no-video")]).outcome()
      #expect(outcome.status == 3 && outcome.errors.contains("cannot audit empty.mp4: the file is empty"), "\(outcome)")
      #expect(outcome.errors.contains("1 file checked, no location data found, 2 could not be checked"), "\(outcome)")
    }

    /// A path with the extension of a video is not a folder for several results.
    @Test(arguments: ["compress", "strip"]) func severalClipsRequireFolder(_ command: String) async throws {
      let clip = try home.clip("too-short")
      let again = try await home.start([command, clip, "other.mp4", "-o", "one.mp4"]).outcome()
      #expect(again.status == 64 && again.errors.contains("next: choose a folder: -o one/"), "\(again)")
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
      #expect(beside.status == 0 && beside.errors.contains("skipped 1 other file"), "\(beside)")
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
      let outcome = try await home.start(command + ["my season", "missing.mp4"]).outcome()
      #expect(
        outcome.status == 3
          && outcome.errors.contains("next: specify the clips in the folder: bsc share 'my season/'*.mp4"),
        "\(outcome)")
      #expect(outcome.errors.contains("cannot read missing.mp4"), "other inputs are checked: \(outcome)")
    }

    @Test func unknownSettingIsUsageError() async throws {
      let outcome = try await home.run("config", "set", "bakend", "local")
      #expect(outcome.status == 64 && outcome.errors.contains("did you mean \"backend\"?"), "\(outcome)")
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
