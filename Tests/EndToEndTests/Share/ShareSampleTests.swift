import ClipModel
import DurableFiles
import Foundation
import ShareEngine
import TestSupport
import Testing

extension EndToEnd {
  /// Sharing samples: the backend stores the processed clip without location data, and the source is unchanged.
  @Suite struct ShareSampleTests {
    @Test func sharedSampleBecomesHighlight() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-4k")
      let before = try FileIdentity.of(clip)
      let digest = try await FileDigest.sha256(path: clip)

      let share = try await home.run("share", clip, "--caption", "Match point #spike", "--json")
      #expect(share.status == 0, "\(share)")
      let answer = try #require(try ShareAnswer.all(in: share.output).first)
      let highlight = try #require(answer.highlight)
      #expect(answer.schema == "bsc.share/1" && answer.status == "registered")
      #expect(highlight.caption == "Match point #spike" && highlight.tags == ["spike"])
      #expect(highlight.localRallyIndex == 0)
      #expect(answer.removed?.isEmpty == false && answer.removedData?.contains(.location) == true)
      let bytes = try #require(answer.bytes)
      #expect(bytes.before == before.byteCount && bytes.after <= bytes.before)

      #expect(try FileIdentity.of(clip) == before)
      #expect(try await FileDigest.sha256(path: clip) == digest)

      let job = try #require(try await home.jobs().first)
      try await home.expectOneHighlight(of: job)
      try home.expectNoSecretInState()
      #expect(try FileManager.default.contentsOfDirectory(atPath: home.places.jobsFolder).isEmpty)
      let stored = try home.storedClip(highlight)
      let server = try await ServeProcess(home)
      #expect(
        try await server.get("stream/\(highlight.muxPlaybackID ?? "").mp4") == Data(contentsOf: URL(filePath: stored)))
      #expect(
        try await server.get("image/\(highlight.muxPlaybackID ?? "")/thumbnail.jpg").starts(with: [0xFF, 0xD8, 0xFF]))
      #expect(String(decoding: try await server.get("/"), as: UTF8.self).contains("Match point"))
      try Verdicts.expectNoLocation(in: stored, butIn: clip)
      try Verdicts.expectPlayable(stored, width: 1920, height: 1080)
    }

    #if os(Linux)
    /// Returns how often bsc opens each file.
    private func countOpens(of files: [String], in home: BSCHome, _ arguments: [String]) throws -> [Int] {
      let trace = home.folder.path("trace")
      var settings = home.environment.filter { name, _ in
        name == "HOME" || name.hasPrefix("XDG_") || name.hasPrefix("BSC_")
      }
      // The search for leaks needs ptrace, which strace uses.
      settings["ASAN_OPTIONS"] = (ProcessInfo.processInfo.environment["ASAN_OPTIONS"] ?? "") + ":detect_leaks=0"
      let options =
        ["-f", "-qq", "-e", "trace=openat,open", "-o", trace] + settings.flatMap { ["-E", "\($0)=\($1)"] }
      _ = try Tool.run("strace", options + [BuiltProgram.path()] + arguments)
      let lines = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
      return files.map { file in lines.count { $0.contains("\"\(file)\"") } }
    }

    /// Writes a file again, which sets its modification time to the current time.
    private func rewrite(_ file: String) throws {
      try Data(contentsOf: URL(filePath: file)).write(to: URL(filePath: file))
    }

    /// Once for its digest, and once for all other work. Video that is encoded and video that is copied.
    @Test(arguments: [("rally-4k", false, false), ("rally-portrait", true, false), ("rally-portrait", true, true)])
    func sourceIsOpenedTwice(sample: String, isCopied: Bool, isNew: Bool) async throws {
      let home = try BSCHome()
      let clip = try home.clip(sample)
      if isNew {
        try rewrite(clip)
      } else {
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: clip)
      }
      let count = try countOpens(of: [clip], in: home, ["share", clip, "--caption", "Ace"])[0]
      struct Document: Decodable { var plan: ProcessingPlan }
      let planned = try await home.run("plan", clip, "--json").output
      let plan = try JSONDecoder().decode(Document.self, from: Data(planned.utf8)).plan
      #expect((plan.video.encoding == nil) == isCopied)
      // A digest isn't kept if bsc starts so soon after a change that the next change can have the same time.
      #expect(count == 2 || isNew && count == 3, "\(count)")
      #expect(try await home.highlights().map(\.caption) == ["Ace"])
    }

    /// Once for its digest, and once for its plan. The digest finds identical clips and the earlier share.
    @Test func previewOpensSourcesTwice() async throws {
      let home = try BSCHome()
      let clips = try ["a", "bb"].map { try home.distinctClip("rally-portrait", named: $0) }
      let share = ["share", clips[0], clips[1], "--together"]
      #expect(try await home.run(share).status == 0)
      // The stored digests belong to the earlier times.
      for clip in clips { try rewrite(clip) }
      #expect(try countOpens(of: clips, in: home, share + ["--dry-run"]) == [2, 2])
    }
    #endif

    @Test func portraitStaysUprightAndLosesLocation() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait")
      let share = try await home.run("share", clip, "--json")
      #expect(share.status == 0, "\(share)")
      let highlight = try #require(try ShareAnswer.all(in: share.output).first?.highlight)
      let stored = try home.storedClip(highlight)
      try Verdicts.expectNoLocation(in: stored, butIn: clip)
      let server = try await ServeProcess(home)
      let poster = home.folder.path("poster.jpg")
      let thumbnail = try await server.get("image/\(highlight.muxPlaybackID ?? "")/thumbnail.jpg")
      try thumbnail.write(to: URL(filePath: poster))
      try Verdicts.expectUpright(poster)
      guard Verdicts.has("ffmpeg") else { return }
      // ffmpeg rotates the frame as a player does.
      let picture = try Tool.pixels(stored, at: 1)
      #expect(picture.height > picture.width)
    }

    /// The first process hosts the server. When it ends, another process starts a server and continues.
    @Test func concurrentSharesUseOneBackend() async throws {
      let home = try BSCHome()
      let clips = try ["a", "bb", "ccc"].map { try home.distinctClip("rally-portrait", named: $0) }
      let runs = try zip(clips, ["one", "two", "three"]).map { try home.start(["share", $0, "--caption", $1]) }
      for run in runs {
        let outcome = await run.outcome()
        home.expectConventions(of: outcome)
        #expect(outcome.status == 0, "\(outcome)")
      }
      #expect(Set(try await home.highlights().map(\.caption)) == ["one", "two", "three"])
    }

    /// The server ends with the first process. The next process creates the highlight of the stored clip.
    @Test func resumeRegistersUploadedClip() async throws {
      let home = try BSCHome()
      let share = try await home.run("share", try home.clip("rally-portrait"), "--no-wait")
      #expect(share.status == 0 && share.output.contains("bsc resume"), "\(share)")
      let job = try #require(try await home.jobs().first)
      #expect(job.stage.name == "uploaded")
      #expect(try FileManager.default.contentsOfDirectory(atPath: home.places.jobsFolder).isEmpty)
      let resume = try await home.run("resume")
      #expect(
        resume.status == 0 && resume.output.contains("shared \(job.highlightID.uuidString.lowercased())"), "\(resume)")
      #expect(try await home.highlights().map(\.id) == [job.highlightID])
    }

    @Test func dryRunSendsNothing() async throws {
      let home = try BSCHome()
      let plan = try await home.run("share", try home.clip("rally-portrait"), "--dry-run", "--json")
      #expect(plan.status == 0 && plan.output.contains("\"schema\":\"bsc.plan/1\""), "\(plan)")
      #expect(!FileManager.default.fileExists(atPath: try home.places.stateFolder))
      #expect(!FileManager.default.fileExists(atPath: try home.places.localBackendFolder))
    }
  }
}

/// Checks of files by other programs. A check is skipped, with a message, if its program is not installed.
enum Verdicts {
  static func has(_ tool: String, _ what: String = #function) -> Bool {
    if Tool.path(of: tool) != nil { return true }
    FileHandle.standardError.write(Data("SKIPPED \(what): \(tool) is missing (Scripts/bootstrap --tests)\n".utf8))
    return false
  }

  /// Exiftool finds location data in the source, if one is given, and none in the output.
  static func expectNoLocation(in output: String, butIn source: String? = nil) throws {
    guard has("exiftool") else { return }
    #expect(try locations(in: output) == [])
    if let source { #expect(try locations(in: source).count > 0) }
  }

  private static func locations(in path: String) throws -> [String] {
    let text = String(decoding: try Tool.run("exiftool", ["-ee", "-G1", "-a", "-s", path]), as: UTF8.self)
    let words = ["gps", "location", "iso6709", "latitude", "longitude", "coordinates"]
    return text.split(separator: "\n").map(String.init).filter { line in
      // Values are searched too, because a comment can contain a location. File and folder names are not searched.
      !line.hasPrefix("[System]") && !line.hasPrefix("[ExifTool]")
        && words.contains { line.lowercased().contains($0) }
    }
  }

  static func expectPlayable(_ path: String, width: Int, height: Int) throws {
    if has("ffprobe") {
      let size = try Tool.ffprobe(path, stream: "v:0", entries: "stream=codec_name,width,height")
      #expect(size.first == ["h264", "\(width)", "\(height)"])
    }
    if has("mediainfo") {
      let text = try Tool.run("mediainfo", ["--Output=Video;%Format% %Width%x%Height%", path])
      #expect(String(decoding: text, as: UTF8.self).contains("AVC \(width)x\(height)"))
    }
    try expectDecodable(path)
  }

  /// Decodes every frame and sample; ffmpeg fails at the first error.
  static func expectDecodable(_ path: String) throws {
    guard has("ffmpeg") else { return }
    _ = try Tool.run("ffmpeg", ["-v", "error", "-xerror", "-nostdin", "-i", path, "-f", "null", "-"])
  }

  static func expectUpright(_ picture: String) throws {
    guard has("ffprobe") else { return }
    let size = try Tool.ffprobe(picture, stream: "v:0", entries: "stream=width,height").first?.compactMap(Int.init)
    let sides = try #require(size)
    #expect(sides.count == 2 && sides[1] > sides[0], "the poster is \(sides)")
  }
}
