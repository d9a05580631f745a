import Foundation
import TestSupport
import Testing

extension EndToEnd {
  /// Files and options that `strip` refuses before any work.
  @Suite struct StripRefusalTests {
    /// Only `--in-place` may replace a source, whatever the path of the output.
    @Test(arguments: ["./clip.mp4", "hard.mp4", "soft.mp4", "other.mp4"])
    func sourceIsNotOverwritten(_ output: String) async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait", named: "clip")
      let other = try home.clip("too-short", named: "other")
      try FileManager.default.linkItem(atPath: clip, toPath: home.folder.path("hard.mp4"))
      try FileManager.default.createSymbolicLink(atPath: home.folder.path("soft.mp4"), withDestinationPath: clip)
      let before = try Data(contentsOf: URL(filePath: clip))
      let strip =
        output == "other.mp4"
        ? try await home.run("strip", clip, other, "-o", "./", "--force")
        : try await home.run("strip", clip, "-o", output, "--force")
      #expect(strip.status == 64 && strip.errors.contains("--in-place"), "\(strip)")
      #expect(try Data(contentsOf: URL(filePath: clip)) == before)
      let folder = try await home.run("strip", home.folder.path, "-o", home.folder.path, "-f")
      #expect(folder.status == 64, "\(folder)")
    }

    /// A dry run fails like a run.
    @Test func dryRunFailsLikeRun() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait")
      try Data().write(to: URL(filePath: home.folder.path("empty.mp4")))
      try Data("not a video at all".utf8).write(to: URL(filePath: home.folder.path("text.mp4")))
      // A movie without its index.
      let whole = try Data(contentsOf: URL(filePath: clip))
      let index = try #require(whole.range(of: Data("moov".utf8)))
      var headless = whole
      headless.replaceSubrange(index, with: Data("free".utf8))
      try headless.write(to: URL(filePath: home.folder.path("headless.mp4")))
      try Data("taken".utf8).write(to: URL(filePath: home.folder.path("rally-portrait-stripped.mp4")))
      for (name, id) in [
        ("empty.mp4", "strip.incomplete"), ("headless.mp4", "strip.incomplete"),
        ("text.mp4", "strip.unknown-container"), ("none.mp4", "file.not-found"), ("rally-portrait.mp4", "file.exists"),
      ] {
        let real = try await home.run("strip", name, "--json")
        let dry = try await home.run("strip", "--dry-run", name, "--json")
        #expect(real.status != 0 && real.failures.map(\.id) == [id], "\(real)")
        #expect(dry.status == real.status && dry.errors == real.errors && dry.output == real.output, "\(dry)")
      }
    }

    @Test func pipeIsNotReplaced() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait")
      #expect(mkfifo(home.folder.path("pipe"), 0o600) == 0)
      let strip = try await home.run("strip", clip, "-o", "pipe", "--force", "--json")
      #expect(strip.status == 64 && strip.failures.map(\.id) == ["file.not-a-file"], "\(strip)")
      #expect(strip.failures.first?.facts?["output"]?.hasSuffix("pipe") == true, "\(strip)")
    }

    @Test(arguments: [
      ["strip"], ["strip", "a.mp4", "--in-place", "-o", "b.mp4"], ["strip", "a.mp4", "--keep-model"], ["audit"],
    ])
    func invalidCommandLineIsUsageError(_ arguments: [String]) async throws {
      let home = try BSCHome()
      let outcome = await (try home.start(arguments + ["--json"])).outcome()
      #expect(outcome.status == 64 && outcome.failures.map(\.id) == ["usage.arguments"], "\(outcome)")
    }

    @Test func filesWithSameOutputAreRefused() async throws {
      let home = try BSCHome()
      try FileManager.default.createDirectory(atPath: home.folder.path("a"), withIntermediateDirectories: true)
      let clip = try home.clip("too-short")
      try FileManager.default.copyItem(atPath: clip, toPath: home.folder.path("a/too-short.mp4"))
      let strip = try await home.run("strip", clip, "a/too-short.mp4", "-o", "out/", "--json")
      #expect(strip.status == 64 && strip.failures.map(\.id) == ["output.same"], "\(strip)")
    }
  }
}
