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
      for (name, words) in [
        ("empty.mp4", "copy the file from the camera again"), ("headless.mp4", "copy the file from the camera again"),
        ("text.mp4", "choose a video file"),
        ("none.mp4", "no such file"), ("rally-portrait.mp4", "--force"),
      ] {
        let real = try await home.run("strip", name)
        let dry = try await home.run("strip", "--dry-run", name)
        #expect(real.status != 0 && real.errors.contains(words), "\(real)")
        #expect(dry.status == real.status && dry.errors == real.errors, "\(dry)")
      }
    }

    @Test func pipeIsNotReplaced() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait")
      #expect(mkfifo(home.folder.path("pipe"), 0o600) == 0)
      let strip = try await home.run("strip", clip, "-o", "pipe", "--force")
      #expect(strip.status == 64 && strip.errors.contains("it is a pipe, not a file"), "\(strip)")
    }

    @Test(arguments: [
      ["strip"], ["strip", "a.mp4", "--in-place", "-o", "b.mp4"], ["strip", "a.mp4", "--keep-model"], ["audit"],
    ])
    func invalidCommandLineIsUsageError(_ arguments: [String]) async throws {
      let home = try BSCHome()
      let outcome = await (try home.start(arguments)).outcome()
      #expect(outcome.status == 64 && outcome.errors.contains("error: cannot run"), "\(outcome)")
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
