import ArgumentParser
import ClipModel
import Foundation
import Reports
import TestSupport
import Testing

@testable import bsc

extension EndToEnd {
  /// What people type, what they are told, and what shells offer.
  @Suite struct CommandLineTests {
    private let home: BSCHome

    init() throws { home = try BSCHome() }

    @Test(
      arguments: [
        (["shar", "x.mp4"], "did you mean \"bsc share\"?"), (["jobs", "lst"], "did you mean \"bsc jobs list\"?"),
        (["help", "valdate"], "did you mean \"bsc validate\"?"), (["xyzzy"], "\"bsc --help\" lists all"),
        (["share", "--captoin", "x", "a.mp4"], "did you mean '--caption'?"),
        (["share", "a.mp4", "--privacy", "q"], "give one of 'public', 'followers_only' or 'private'"),
        (["share"], "\"bsc share --help\""), (["validate"], "\"bsc validate --help\""),
        (["highlights", "opn", "x"], "did you mean \"bsc highlights open\"?"),
        (["clip.mp4"], "did you mean \"bsc share clip.mp4\"?"),
      ])
    func whatIsMeantIsTold(_ arguments: [String], _ next: String) async throws {
      try Data().write(to: URL(filePath: home.folder.path("clip.mp4")))
      let outcome = try await home.start(arguments).outcome()
      home.expectManners(of: outcome)
      #expect(outcome.status == 64 && outcome.output.isEmpty, "\(outcome)")
      #expect(outcome.errors.hasPrefix("error: cannot run \"bsc") && outcome.errors.contains("next: "), "\(outcome)")
      #expect(outcome.errors.contains(next), "\(outcome)")
    }

    /// A program that reads events finds nothing else beside them, whatever goes wrong.
    @Test(arguments: [
      (["share", "rally-portrait.mp4", "no-video.mp4"], 4), (["compress", "rally-portrait.mp4", "gone.mp4"], 3),
      (["share", "rally-portrait.mp4", "--kind", "postr"], 64),
    ]) func eventsAreAllThatIsOnStderr(arguments: [String], status: Int) async throws {
      for name in ["rally-portrait", "no-video"] { _ = try home.clip(name) }
      let outcome = try await home.start(arguments + ["--progress", "json"]).outcome()
      #expect(Int(outcome.status) == status, "\(outcome)")
      let events = try outcome.errors.split(separator: "\n").map { try #require(ProgressEvent(line: String($0))) }
      let texts = events.filter { $0.event == "text" }.compactMap(\.detail)
      #expect(texts.contains { $0.hasPrefix("error: ") } && texts.contains { $0.hasPrefix("next: ") }, "\(outcome)")
    }

    /// What is missing is named in our own words, with an example.
    @Test(
      arguments: [
        (["share"], "no file is named", "try this: bsc share clip.mp4"),
        (["cut"], "no match is named", "try this: bsc cut match.mov"),
        (["jobs", "show"], "no job is named", "bsc jobs show --help"),
        (["highlights", "open"], "no highlight is named", "try this: bsc highlights open 3f2a"),
        (["config", "set"], "no setting is named", "try this: bsc config set quality 23"),
        (["config", "set", "quality"], "no value is given", "try this: bsc config set quality 23"),
        (["share", "a.mp4", "--caption"], "--caption needs a value", "try this: bsc share clip.mp4"),
        (["compress", "-qj"], "-j needs a value", "try this: bsc compress"),
        (["highlights", "--limit"], "--limit needs a value", "\"bsc highlights --help\""),
        (["share", "a.mp4", "--limit-rate", "banana"], "it is not 0, or a size from 1kB on", "correct"),
        (["share", "a.mp4", "--limit-rate", "250"], "with its unit, like 500kB or 5MB", "correct"),
        (["config", "set", "upload.limit_rate", "5"], "with its unit, like 500kB or 5MB", "correct"),
      ])
    func whatIsMissingIsNamed(_ arguments: [String], _ why: String, _ next: String) async throws {
      let outcome = try await home.start(arguments).outcome()
      home.expectManners(of: outcome)
      #expect([64, 5].contains(outcome.status), "\(outcome)")
      let lines = outcome.errors.split(separator: "\n")
      #expect(lines.count == 2 && lines[0].contains(why) && lines[1].contains(next), "\(outcome)")
    }

    /// A wrong value is told with what is wrong about it, and what would be right.
    @Test(
      arguments: [
        (["compress", "--max-size", "25"], "--max-size cannot be \"25\": it has no unit", "did you mean 25MB?"),
        (["compress", "--max-size", "abc"], "it is no size", "25MB, 800kB or 1GiB"),
        (["compress", "--max-size", "3XB"], "\"XB\" is no unit", "kB, MB or GB"),
        (["thumbs", "--animated-size", "5"], "it has no unit", "did you mean 5MB?"),
        (["share", "--rally", "3-1"], "it is no whole number", "the number of one rally"),
        (["share", "--rally=-1"], "there is no such rally", "give a number from 0 on"),
        (["cut", "--rally", "3-1"], "it goes backwards", "did you mean 1-3?"),
        (["cut", "--rally", "1,x"], "it is no list of rallies", "1,4-7"),
        (["compress", "--from", "1.2.3"], "it is no time", "did you mean 1:2.3?"),
        (["compress", "--to", "1:75"], "behind a colon 59 is the most", "1:23.5"),
        (["thumbs", "--grid", "4"], "it is no number of columns and rows", "did you mean 4x4?"),
        (["thumbs", "--kind", "postr"], "--kind cannot be \"postr\"", "did you mean 'poster'?"),
        (["compress", "--report", "htm=x"], "there is no such kind of report", "did you mean html=x?"),
        (["compress", "--report", "nonsense=x"], "there is no such kind of report", "jsonl and html"),
        (["validate", "--report", "a.xml"], "it does not say which kind", "did you mean junit=a.xml?"),
        (["validate", "--report", "junit"], "it names no file", "junit=FILE"),
        (["validate", "--format", "sarfi"], "--format cannot be \"sarfi\"", "did you mean 'sarif'?"),
        (["compress", "-j", "0"], "-j cannot be \"0\": it is out of range", "from 1 to 1024"),
        (["compress", "--height", "tall"], "it is no whole number", "from 16 to 4320"),
        (["validate", "--timeout", "nan"], "it is no number", "seconds from 0.1 to 86400"),
        (["compress", "--schedule", "22-7"], "it is no part of a day", "22:00-07:00"),
        (["share", "--pace", "x"], "--pace cannot be \"x\"", "give one of 'auto', 'on' or 'off'"),
        (["compress", "--from", "-1"], "--from cannot be below zero", "--help"),
        (["share", "--caption", "-5"], "it begins like a flag: --caption=-5", "--help"),
        (["compress", "-qj", "0"], "-j cannot be \"0\": it is out of range", "from 1 to 1024"),
        // A value that is accepted and not listed is not the mistake.
        (["thumbs", "--image-format", "jpg", "--at", "1", "--best"], "--at and --best exclude each other", "--help"),
      ])
    func aWrongValueSaysWhatIsRight(_ arguments: [String], _ why: String, _ next: String) throws {
      let arguments = arguments + ["--json", "clip.mp4"]
      let error = try #require(throws: (any Error).self) { try BSC.parseAsRoot(arguments) }
      let explanation = UsageErrors.explanation(arguments, error)
      #expect(explanation.category == .usage)
      #expect(explanation.why.contains(why) && explanation.next?.contains(next) == true, "\(explanation)")
    }

    /// Also where it is noticed only when the command runs.
    @Test(arguments: [
      (["compress", "--max-size", "25"], "--max-size cannot be \"25\": it has no unit", "did you mean 25MB?"),
      (["compress", "--shard", "5/4"], "part 5 of 4 does not exist", "number the tasks 0 to 3"),
    ]) func aWrongValueEndsTheProgram(_ arguments: [String], _ why: String, _ next: String) async throws {
      let outcome = try await home.start(arguments + ["--json", "clip.mp4"]).outcome()
      home.expectManners(of: outcome)
      #expect(outcome.status == 64, "\(outcome)")
      let lines = outcome.errors.split(separator: "\n")
      #expect(lines.count == 2 && lines[0].contains(why) && lines[1].contains(next), "\(outcome)")
      let document = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
      let error = try #require(document?["error"] as? [String: Any])
      #expect((error["why"] as? String)?.contains(why) == true && (error["next"] as? String)?.contains(next) == true)
    }

    /// A folder has many files of a name: messages say which, as it was named.
    @Test(arguments: [["probe"], ["strip"], ["audit"], ["plan"], ["share"], ["thumbs"], ["validate"], ["compress"]])
    func messagesNameFilesAsThePersonDid(_ command: [String]) async throws {
      try FileManager.default.createDirectory(atPath: home.folder.path("a/b"), withIntermediateDirectories: true)
      try Data("no film".utf8).write(to: URL(filePath: home.folder.path("a/b/x.mp4")))
      let outcome = try await home.start(command + ["a/b/x.mp4", "a/b/missing.mp4"]).outcome()
      let text = outcome.output + outcome.errors
      #expect(text.contains("cannot read a/b/missing.mp4: "), "\(outcome)")
      #expect(text.contains(" a/b/x.mp4: ") || command == ["audit"], "\(outcome)")
      #expect(!text.contains(home.folder.path("a")), "\(outcome)")
      let whole = home.folder.path("a/b/missing.mp4")
      let named = try await home.start(command + [whole, whole]).outcome()
      #expect((named.output + named.errors).contains("cannot read \(whole): "), "\(named)")
    }

    /// Also where a message is about none of the inputs in turn.
    @Test(arguments: [
      ["cut", "a/missing.mov"], ["share", "clip.mp4", "--captions", "a/missing.csv"],
      ["upload", "clip.mp4", "--url-file", "a/missing.url"],
    ])
    func messagesAboutOtherFilesDoSoToo(_ command: [String]) async throws {
      try Data("no film".utf8).write(to: URL(filePath: home.folder.path("clip.mp4")))
      let outcome = try await home.start(command).outcome()
      let name = try #require(command.last)
      #expect(outcome.status == 66 && outcome.errors.contains("cannot read \(name): "), "\(outcome)")
      let whole = home.folder.path(name)
      let named = try await home.start(command.dropLast() + [whole]).outcome()
      #expect(named.status == 66 && named.errors.contains("cannot read \(whole): "), "\(named)")
    }

    /// What is near in letters can be far in meaning; following bad advice does harm.
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
    func unknownFlagsGetTheOneThatWasMeant(_ arguments: [String], _ why: String, _ next: String) async throws {
      let outcome = try await home.start(arguments + ["clip.mp4"]).outcome()
      home.expectManners(of: outcome)
      #expect(
        outcome.status == 64 && outcome.errors.contains("unknown option \(why)\nnext: \(next)"), "\(outcome)")
    }

    /// Other tools have these at the top.
    @Test(arguments: [
      (["list"], "\"bsc highlights list\" or \"bsc jobs list\"?"), (["delete"], "\"bsc highlights delete\"?"),
      (["version"], "did you mean \"bsc --version\"?"), (["shrae"], "did you mean \"bsc share\"?"),
    ])
    func commandsOfGroupsAreFound(_ arguments: [String], _ next: String) async throws {
      let outcome = try await home.start(arguments).outcome()
      #expect(outcome.status == 64 && outcome.errors.contains(next), "\(outcome)")
    }

    @Test func namesThatAreNoFilesSaySo() async throws {
      try Data().write(to: URL(filePath: home.folder.path("-clip.mp4")))
      let dashed = try await home.start(["compress", "-clip.mp4"]).outcome()
      #expect(dashed.status == 64 && dashed.errors.contains("next: write ./-clip.mp4"), "\(dashed)")
      for command in ["share", "compress", "probe"] {
        let address = try await home.start([command, "https://storage.example.org/x?token=abc"]).outcome()
        #expect(address.status == 66 && address.errors.contains("next: download it"), "\(address)")
        #expect(!address.errors.contains("abc"), "\(address)")
        // Among others, as JSON too.
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
    func whatMayBeASecretIsNotRepeated(_ command: [String]) async throws {
      try Data("film".utf8).write(to: URL(filePath: home.folder.path("a.mp4")))
      let outcome = try await home.start(command).outcome()
      #expect(outcome.status != 0 && !(outcome.errors + outcome.output).contains("abc"), "\(outcome)")
    }

    @Test func metadataAloneIsNoClip() async throws {
      for name in ["rally-portrait", "rally-4k"] {
        for ending in ["mp4", "json"] {
          try FileManager.default.copyItem(
            atPath: SharedMedia.sample("\(name).\(ending)"), toPath: home.folder.path("\(name).\(ending)"))
        }
      }
      let outcome = try await home.run("share", "rally-portrait.json", "rally-4k.json")
      #expect(outcome.status == 64 && outcome.errors.contains("it is rally metadata"), "\(outcome)")
    }

    /// Nobody is reassured about what was not looked at.
    @Test func auditCountsWhatItCouldNotJudge() async throws {
      try Data().write(to: URL(filePath: home.folder.path("empty.mp4")))
      let outcome = try await home.start(["audit", "empty.mp4", "missing.mp4", try home.clip("no-video")]).outcome()
      #expect(outcome.status == 3 && outcome.errors.contains("cannot audit empty.mp4: the file is empty"), "\(outcome)")
      #expect(outcome.errors.contains("3 files: 0 tell more than the film, 2 could not be judged"), "\(outcome)")
    }

    /// A film's name is no folder's.
    @Test(arguments: ["compress", "strip"]) func severalClipsDoNotGoIntoOneFilm(_ command: String) async throws {
      let clip = try home.clip("too-short")
      let again = try await home.start([command, clip, "other.mp4", "-o", "one.mp4"]).outcome()
      #expect(again.status == 64 && again.errors.contains("next: choose a folder: -o one/"), "\(again)")
      #expect(!FileManager.default.fileExists(atPath: home.folder.path("one.mp4")))
      // Unless it is one, or is said to be.
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

    /// Rally metadata that a shell's `*` names is no clip, and nobody's namesake; a clip is made once, whoever names it.
    @Test func whatAShellNamesBesidesIsLeftAside() async throws {
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
      // Also when it is named first, it is the folder's.
      let inside = try await home.start(["compress"] + all + ["season", "-o", "tree"]).outcome()
      #expect(inside.status == 0, "\(inside)")
      #expect(
        try FileManager.default.subpathsOfDirectory(atPath: home.folder.path("tree")).filter { $0.hasSuffix(".mp4") }
          == ["day/rally-portrait.mp4"])
    }

    /// Others work on folders; what would be a highlight for each clip is asked for by name.
    @Test(arguments: [["share"], ["share", "-n"]]) func aFolderIsNotSharedAtOnce(_ command: [String]) async throws {
      let folder = home.folder.path("my season")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let outcome = try await home.start(command + ["my season", "missing.mp4"]).outcome()
      #expect(
        outcome.status == 3 && outcome.errors.contains("next: list the clips: bsc share 'my season/'*.mp4"),
        "\(outcome)")
      #expect(outcome.errors.contains("cannot read missing.mp4"), "the others go on: \(outcome)")
    }

    @Test func aWrongSettingIsAMistakeOfTheCommandLine() async throws {
      let outcome = try await home.run("config", "set", "bakend", "local")
      #expect(outcome.status == 64 && outcome.errors.contains("did you mean \"backend\"?"), "\(outcome)")
      #expect(!outcome.errors.contains("config.toml"), "\(outcome)")
    }

    /// What stands in the columns of a table begins where the column begins, addresses too.
    @Test func settingsAreATable() async throws {
      let lines = try await home.run("config", "show").output.split(separator: "\n")
      let origins = lines.compactMap { line in
        line.firstRange(of: " default ").map { line.distance(from: line.startIndex, to: $0.lowerBound) }
      }
      #expect(origins.count > 10 && Set(origins).count == 1, "\(lines)")
    }

    /// An upload URL is a secret, also where it does not belong.
    @Test(arguments: [
      ["upload", "clip.mp4", "https://storage.example.org/x?token=abc"], ["https://storage.example.org/x?token=abc"],
      ["jobs", "https://storage.example.org/x?token=abc"], ["validate", "x", "--report", "https://u:abc@h/x.xml"],
      ["validate", "x", "--report=junt=https://u:abc@h/x.xml"], ["compress", "x", "--max-size", "5https://s/?sig=abc"],
      ["upload", "x", "--progress", "https://h/p?f=it's&sig=abc"],
      ["thumbs", "x", "--width", "https://s/a b'c?sig=abc"],
    ])
    func anAddressIsNotRepeated(arguments: [String]) async throws {
      let outcome = try await home.start(arguments).outcome()
      #expect(outcome.status == 64 && !outcome.errors.contains("abc"), "\(outcome)")
    }

    @Test func aWrongCommandLineIsJSONToo() async throws {
      let outcome = try await home.run("share", "--json", "--captoin", "x")
      #expect(outcome.status == 64 && outcome.output.contains("\"bsc.error/1\""), "\(outcome)")
      #expect(outcome.output.contains("\"exitCode\":64"), "\(outcome)")
    }

    /// Every command says what it is for, with examples before the flags.
    @Test(arguments: [
      "share", "resume", "upload", "serve", "cut", "compress", "thumbs", "plan", "probe", "validate", "audit", "strip",
      "login", "doctor", "highlights export", "highlights edit", "batch merge", "batch undo", "account delete",
      "jobs prune",
    ])
    func everyCommandHasExamples(_ command: String) async throws {
      let outcome = try await home.start(["help"] + command.split(separator: " ").map(String.init)).outcome()
      #expect(outcome.status == 0, "\(outcome)")
      let examples = try #require(outcome.output.range(of: "EXAMPLES:"), "no examples for \(command)")
      let usage = try #require(outcome.output.range(of: "USAGE:"))
      #expect(examples.lowerBound < usage.lowerBound)
      #expect(outcome.output.contains("  bsc \(command)"), "\(outcome.output)")
    }

    /// What the completion scripts ask for behind `bsc jobs show`, and for rules.
    @Test func idsAreOffered() async throws {
      let asked = ["---completion", "jobs", "show", "--", "positional@0", "3", "0"]
      // Nobody's journal is made by a look.
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
