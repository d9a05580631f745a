import Foundation
import TestSupport
import Testing

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
        (["share"], "\"bsc share --help\" shows what it takes"), (["validate"], "\"bsc validate --help\""),
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

    /// An upload URL is a secret, also where it does not belong.
    @Test(arguments: [["upload", "clip.mp4"], [], ["jobs"]]) func anAddressIsNotRepeated(command: [String]) async throws
    {
      let outcome = try await home.start(command + ["https://storage.example.org/x?token=abc"]).outcome()
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
