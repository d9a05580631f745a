import ClipModel
import Foundation
import TestSupport
import Testing

extension EndToEnd {
  /// `bsc thumbs`, and the pictures of `compress` and `share`.
  @Suite struct ThumbsTests {
    private static func names(_ home: BSCHome, _ folder: String = "") throws -> [String] {
      let path = folder.isEmpty ? home.folder.path : home.folder.path(folder)
      return try FileManager.default.contentsOfDirectory(atPath: path).filter { !$0.hasPrefix(".") }.sorted()
    }

    private static func document(_ run: BSCProcess.Outcome) throws -> [String: Any] {
      try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any], "\(run)")
    }

    @Test func posterIsNextToClip() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-4k")
      let run = try await home.run("thumbs", clip)
      #expect(run.status == 0 && run.output.contains("rally-4k-poster.jpg, 1280x720"), "\(run)")
      let small = PictureSize(width: 32, height: 18)
      let ours = try Tool.pixels(home.folder.path("rally-4k-poster.jpg")).scaled(to: small).bytes
      let theirs = try Tool.pixels(clip, at: 2).scaled(to: small).bytes
      // Ffmpeg selects the first frame at or after the time, which can differ from the visible one.
      let difference = zip(ours, theirs).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
      #expect(Double(difference) / Double(ours.count) < 4)
      // A second run does not overwrite the picture.
      let second = try await home.run("thumbs", clip)
      #expect(second.status != 0 && second.errors.contains("--force"), "\(second)")
      #expect(try await home.run("thumbs", "--force", "-q", clip).output.isEmpty)
    }

    /// As in `share` and `compress`.
    @Test func audioFileHasNoPictures() async throws {
      let home = try BSCHome()
      let run = try await home.run("thumbs", try home.clip("no-video"), "--json")
      #expect(run.status == 4 && run.failures.map(\.id) == ["clip.no-video"], "\(run)")
    }

    /// In folders, existing pictures are kept.
    @Test func secondRunDrawsMissingPictures() async throws {
      let home = try BSCHome()
      _ = try home.distinctClip("too-short", named: "a", in: "season")
      let first = try await home.run("thumbs", "season", "-o", "pictures")
      #expect(first.status == 0 && !first.errors.contains("--force"), "\(first)")
      _ = try home.distinctClip("too-short", named: "b", in: "season")
      let second = try await home.run("thumbs", "season", "-o", "pictures")
      #expect(second.status == 0 && second.output.hasPrefix("✓ pictures/b-poster.jpg"), "\(second)")
      #expect(second.errors.contains(/1 \w+ of 1 \w+, .* 1 \w+ .*--force/), "\(second)")
      let json = try await home.run("thumbs", "season", "-o", "pictures", "--json")
      #expect(json.output.split(separator: "\n").count { $0.contains("\"wasThere\":true") } == 2, "\(json)")
      let forced = try await home.run("thumbs", "season", "-o", "pictures", "--force")
      #expect(forced.errors.contains(/2 \w+ of 2 \w+,/), "\(forced)")
      // The clip is replaced by another one with an older time: its picture is kept and reported.
      let path = home.folder.path("season/a.mp4")
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.copyItem(atPath: home.folder.path("season/b.mp4"), toPath: path)
      try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)
      let changed = try await home.run("thumbs", "season", "-o", "pictures")
      #expect(changed.status == 0 && changed.output.isEmpty, "\(changed)")
      // The summary counts the outdated picture separately from the other one.
      #expect(changed.errors.matches(of: /1 \w+ .*?--force/).count == 2, "\(changed)")
      // Another kind of picture is drawn.
      let more = try await home.run("thumbs", "season", "-o", "pictures", "--kind", "poster", "--kind", "sheet")
      #expect(more.status == 0 && more.output.contains("a-sheet.jpg") && !more.output.contains("poster"), "\(more)")
      let into = try await home.run("thumbs", "season/a.mp4", "-o", "pictures/", "--json")
      #expect(into.status == 64 && into.failures.map(\.id) == ["file.exists"], "\(into)")
      // For single clips, an existing picture is an error.
      let named = try await home.run("thumbs", "season/a.mp4", "season/b.mp4")
      #expect(named.status == 0, "\(named)")
      #expect(try await home.run("thumbs", "season/a.mp4", "season/b.mp4").status == 64)
    }

    @Test func allKindsAreDrawnIntoFolder() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait")
      let run = try await home.start(
        ["thumbs", clip, "-o", "pictures/", "--json", "--width", "160", "--length", "0.5"]
          + PictureKind.allCases.flatMap { ["--kind", $0.rawValue] }
      ).outcome()
      #expect(run.status == 0, "\(run)")
      let document = try Self.document(run)
      #expect(document["schema"] as? String == "bsc.thumbs/1")
      let pictures = try #require(document["pictures"] as? [[String: Any]])
      #expect(
        pictures.compactMap { $0["kind"] as? String }.sorted() == [
          "animated", "animated", "filmstrip", "poster", "sheet", "storyboard",
        ])
      #expect(
        try Self.names(home, "pictures") == [
          "rally-portrait-animated.gif", "rally-portrait-animated.webp", "rally-portrait-filmstrip.jpg",
          "rally-portrait-poster.jpg", "rally-portrait-sheet.jpg", "rally-portrait-storyboard.jpg",
          "rally-portrait-storyboard.json", "rally-portrait-storyboard.vtt",
        ])
    }

    @Test(arguments: [("cover.webp", "webp"), ("cover.PNG", "png"), ("cover.jpeg", "mjpeg")])
    func outputNameSelectsFormat(name: String, codec: String) async throws {
      let home = try BSCHome()
      let run = try await home.run("thumbs", try home.clip("rally-portrait"), "-o", name)
      #expect(run.status == 0, "\(run)")
      let found = try Tool.ffprobe(home.folder.path(name), stream: "v:0", entries: "stream=codec_name")
      #expect(found == [[codec]])
    }

    @Test func folderIsProcessedDespiteBadFile() async throws {
      let home = try BSCHome()
      let season = home.folder.path("season/april")
      try FileManager.default.createDirectory(atPath: season, withIntermediateDirectories: true)
      try FileManager.default.moveItem(atPath: home.clip("rally-portrait"), toPath: season + "/one.mov")
      try Data("not a video".utf8).write(to: URL(filePath: season + "/two.mp4"))
      let run = try await home.run("thumbs", "season", "-o", "pictures")
      #expect(run.status == 3 && run.errors.contains("two.mp4"), "\(run)")
      #expect(try Self.names(home, "pictures/april") == ["one-poster.jpg"])
    }

    @Test func timeAfterEndSelectsLastFrame() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait")
      let run = try await home.run("thumbs", clip, "--at", "1:00", "--json")
      #expect(run.status == 0, "\(run)")
      let picture = try #require((try Self.document(run)["pictures"] as? [[String: Any]])?.first, "\(run)")
      let shown = try #require((picture["seconds"] as? [Double])?.first, "\(run)")
      let times = try Tool.ffprobe(clip, stream: "v:0", entries: "packet=pts_time").compactMap { Double($0[0]) }
      #expect(abs(shown - (times.max() ?? 0)) < 0.05, "\(run)")
      #expect((picture["notes"] as? [String])?.isEmpty == false, "\(run)")
    }

    @Test func keyFrameIsReported() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-4k")
      let run = try await home.run("thumbs", clip, "--fast", "--at", "1.3", "--json")
      #expect(run.status == 0, "\(run)")
      let document = try Self.document(run)
      let picture = try #require((document["pictures"] as? [[String: Any]])?.first, "\(run)")
      let shown = try #require((picture["seconds"] as? [Double])?.first, "\(run)")
      let keyFrames = try Tool.ffprobe(clip, stream: "v:0", entries: "packet=pts_time,flags")
        .filter { $0[1].hasPrefix("K") }.compactMap { Double($0[0]) }
      #expect(document["areKeyFrames"] as? Bool == true && keyFrames.contains { abs($0 - shown) < 0.02 }, "\(run)")
    }

    @Test(arguments: [
      ["--at", "2", "--best"], ["--fast", "--best"], ["--grid", "0x4"], ["--kind", "movie"], ["--quality", "0"],
      ["--width", "3"], ["--fps", "0"], ["--length", "99"], ["--image-format", "tiff"], ["--show", "--json"],
      ["--metadata", "x.json"], ["-o", "a.jpg", "--kind", "poster", "--kind", "sheet"], ["-o", "a.mp4"],
      ["--kind", "animated", "--show"], ["--lines", "2"], ["--terminal", "kitty"], ["--grid", "2x2"], ["--fps", "5"],
      ["--at", "1", "--kind", "sheet"], ["-o", "a.gif", "--kind", "animated", "--animated-format", "webp"],
      ["-o", "a.jpg", "--image-format", "png"], ["-o", "rally-portrait.jpg", "--kind", "storyboard"],
      [
        "-o", "a.gif", "--kind", "animated", "--animated-format", "gif", "--animated-format", "webp",
      ],
    ])
    func invalidOptionsAreUsageErrors(flags: [String]) async throws {
      let home = try BSCHome()
      let outcome = try await home.start(["thumbs", try home.clip("rally-portrait")] + flags).outcome()
      #expect(outcome.status == 64, "\(outcome)")
      #expect(try Self.names(home).allSatisfy { !$0.hasSuffix(".jpg") && !$0.hasSuffix(".gif") })
    }

    /// Stdout is not a terminal here, so pictures are drawn as half blocks in true color.
    @Test func picturesAreDrawnAsText() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait")
      for flags in [["--show"], ["--kind", "filmstrip", "--lines", "2"]] {
        let run = try await home.start(["thumbs", clip] + flags).outcome()
        #expect(run.status == 0 && run.output.contains("\u{1B}[38;2;") && run.output.contains("▀"), "\(run)")
        if flags.contains("filmstrip") { #expect(run.output.split(separator: "\n").count == 2) }
      }
      #expect(try Self.names(home).allSatisfy { !$0.contains("poster") && !$0.contains("filmstrip") })
      let kitty = try await home.start(["thumbs", clip, "--show", "--terminal", "kitty"]).outcome()
      #expect(kitty.output.hasPrefix("\u{1B}_Ga=T"))
    }

    @Test func compressDrawsPictures() async throws {
      let home = try BSCHome()
      let clip = try home.clip("no-metadata")
      let run = try await home.run("compress", clip, "--kind", "poster", "--kind", "sheet", "--picture-width", "640")
      #expect(run.status == 0, "\(run)")
      for kind in ["poster", "sheet"] {
        let path = home.folder.path("no-metadata-compressed-\(kind).jpg")
        let width = try #require(Int(try Tool.ffprobe(path, stream: "v:0", entries: "stream=width")[0][0]))
        #expect((600...640).contains(width))
      }
      // An existing picture is an error before any work.
      try FileManager.default.removeItem(atPath: home.folder.path("no-metadata-compressed.mp4"))
      let second = try await home.run("compress", clip, "--kind", "poster")
      #expect(second.status != 0 && second.errors.contains("--force"), "\(second)")
      #expect(!FileManager.default.fileExists(atPath: home.folder.path("no-metadata-compressed.mp4")))
    }

    @Test func shareWritesPictures() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait")
      let run = try await home.run("share", clip, "--allow-no-metadata", "--kind", "poster", "--best")
      #expect(run.status == 0, "\(run)")
      #expect(FileManager.default.fileExists(atPath: home.folder.path("rally-portrait-poster.jpg")))
    }
  }
}
