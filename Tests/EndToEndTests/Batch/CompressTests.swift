import ClipModel
import Foundation
import TestSupport
import Testing

extension EndToEnd {
  /// `bsc compress` with clips and folders.
  @Suite struct CompressTests {
    @Test func resultIsNextToClip() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-4k")
      let before = try Data(contentsOf: URL(filePath: clip))
      let run = try await home.run("compress", clip)
      #expect(run.status == 0 && run.output.contains("rally-4k-compressed.mp4") && run.output.contains("H.264"))
      let result = home.folder.path("rally-4k-compressed.mp4")
      let size = try Tool.ffprobe(result, stream: "v:0", entries: "stream=width,height")[0]
      #expect(size == ["1920", "1080"])
      #expect(try Data(contentsOf: URL(filePath: clip)) == before)
    }

    @Test func resultIsOverwrittenOnlyOnRequest() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait")
      let result = home.folder.path("rally-portrait-compressed.mp4")
      try Data("mine".utf8).write(to: URL(filePath: result))
      let refused = try await home.run("compress", clip)
      #expect(refused.status != 0 && refused.errors.contains("--force"), "\(refused)")
      #expect(try Data(contentsOf: URL(filePath: result)) == Data("mine".utf8))
      #expect(try await home.run("compress", "--force", "-q", clip).output.isEmpty)
      #expect(try Data(contentsOf: URL(filePath: result)).count > 1000)
    }

    /// An option without an effect is reported.
    @Test func qualityWithoutEffectIsReported() async throws {
      let home = try BSCHome()
      let copied = try await home.run("compress", try home.clip("rally-portrait"), "--quality", "40")
      #expect(
        copied.status == 0 && copied.errors.contains(/--quality .*\b1 \w/),
        "\(copied)")
      let other = try ClipFactory.clip(
        "other.mp4", ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=10:d=4", "-c:v", "mpeg4"])
      let encoded = try await home.run("compress", other, "--quality", "40")
      #expect(encoded.status == 0 && !encoded.errors.contains("--quality"), "\(encoded)")
    }

    @Test func folderIsMirroredDespiteBadFile() async throws {
      let home = try BSCHome()
      let season = home.folder.path("season/april")
      try FileManager.default.createDirectory(atPath: season, withIntermediateDirectories: true)
      try FileManager.default.moveItem(atPath: home.clip("rally-portrait"), toPath: season + "/one.mov")
      try Data("not a video".utf8).write(to: URL(filePath: season + "/two.mp4"))
      let run = try await home.run("compress", "season", "-o", "small", "--json")
      #expect(run.status == 3, "\(run)")
      #expect(FileManager.default.fileExists(atPath: home.folder.path("small/april/one.mp4")))
      #expect(!FileManager.default.fileExists(atPath: home.folder.path("small/april/two.mp4")))
      // One object per line; the other one is the error.
      let line = try #require(run.output.split(separator: "\n").first { $0.contains("bsc.compress/1") }, "\(run)")
      let document = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(document["output"] as? String == "small/april/one.mp4")
    }

    @Test func dryRunShowsPlan() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-4k")
      let run = try await home.run("compress", clip, "--dry-run", "--height", "720", "--mute", "--from", "0:01")
      #expect(run.status == 0, "\(run)")
      #expect(
        run.output.contains("1280x720") && run.output.contains("audio: none")
          && run.output.contains("cut: 1 s to"))
      #expect(!FileManager.default.fileExists(atPath: home.folder.path("rally-4k-compressed.mp4")))
    }

    @Test(arguments: [
      ["--max-size", "much"], ["--from", "5", "--to", "2"], ["--height", "1"], ["--codec", "vp9"],
      ["--rally", "0", "--from", "1"],
    ])
    func invalidOptionsAreUsageErrors(flags: [String]) async throws {
      let home = try BSCHome()
      let outcome = try await home.start(["compress", try home.clip("rally-portrait")] + flags).outcome()
      #expect(outcome.status == 64, "\(outcome)")
    }

    @Test func rallyIsCut() async throws {
      let home = try BSCHome()
      let match = try home.clip("rally-4k")
      let times = home.folder.path("none.json")
      try Data("{}".utf8).write(to: URL(filePath: times))
      let run = try await home.run("compress", match, "--metadata", times, "--rally", "0")
      #expect(run.status == 4, "\(run)")
      #expect(!FileManager.default.fileExists(atPath: home.folder.path("rally-4k-compressed.mp4")))
    }
  }
}
