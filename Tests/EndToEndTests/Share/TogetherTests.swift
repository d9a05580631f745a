import ClipModel
import Foundation
import ShareEngine
import Synchronization
import TestSupport
import Testing

extension EndToEnd {
  /// `bsc share A B C --together`: one highlight of several clips, or no highlight.
  @Suite struct TogetherTests {
    private static func clips(_ home: BSCHome) throws -> [String] {
      try ["a", "bb", "ccc"].map { try home.distinctClip("rally-portrait", named: $0) }
    }

    /// There is one highlight, and the backend has exactly the processed clips in their order.
    private static func expectOnePost(_ home: BSCHome, of jobs: [ShareJob]) async throws {
      let highlight = try #require(try await home.highlights().first)
      #expect(try await home.highlights().count == 1)
      let stored = try await Self.jobs(home)
      #expect(stored.map(\.id) == jobs.map(\.id) && stored.allSatisfy { $0.highlightID == highlight.id })
      let server = try await ServeProcess(home)
      let videos = try #require(highlight.videoURLs)
      #expect(videos.count == jobs.count && videos.first == "/stream/\(highlight.muxPlaybackID ?? "").m3u8")
      let page = String(decoding: try await server.get("h/\(highlight.id.uuidString.lowercased())"), as: UTF8.self)
      for (video, job) in zip(videos, stored) {
        let path = video.dropFirst().replacing(".m3u8", with: ".mp4")
        let bytes = try await server.get(String(path))
        #expect(bytes.count == job.stage.processedClip.map { Int($0.byteCount) })
        #expect(try await String(decoding: server.get(String(video.dropFirst())), as: UTF8.self).hasPrefix("#EXTM3U"))
        #expect(page.contains("src=\"/\(path)\""))
      }
      #expect(Set(videos).count == jobs.count)
      #expect(try FileManager.default.contentsOfDirectory(atPath: home.places.jobsFolder).isEmpty)
      #expect(try FileManager.default.contentsOfDirectory(atPath: home.places.secretsFolder).isEmpty)
    }

    /// In the order of the post, because their creation times can be equal.
    private static func jobs(_ home: BSCHome) async throws -> [ShareJob] {
      try await home.jobs().sorted { ($0.post?.part ?? 0) < ($1.post?.part ?? 0) }
    }

    private static func assets(_ home: BSCHome) throws -> [String] {
      (try? FileManager.default.contentsOfDirectory(atPath: home.places.localBackendFolder + "/assets")) ?? []
    }

    @Test(arguments: TestScope.some(1, of: ["1", "3"])) func threeClipsBecomeOneHighlight(width: String) async throws {
      let home = try BSCHome()
      let clips = try Self.clips(home)
      let share = try await home.run(
        "share", clips[0], clips[1], clips[2], "--together", "--caption", "Three #aces", "--json", "-j", width)
      #expect(share.status == 0, "\(share)")
      let answers = try ShareAnswer.all(in: share.output)
      let answer = try #require(answers.first)
      #expect(answers.count == 1 && answer.status == "registered" && answer.inputs == clips)
      #expect(answer.jobs?.count == 3 && answer.videoURLs?.count == 3 && answer.videoURLs?.first == answer.videoURL)
      let highlight = try #require(answer.highlight)
      #expect(highlight.caption == "Three #aces" && highlight.tags == ["aces"])
      #expect(highlight.localVideoID != nil && highlight.localRallyIndex == nil)
      try await Self.expectOnePost(home, of: try await Self.jobs(home))

      // The same command again finds the highlight; `--force` creates another one.
      let again = try await home.run(
        "share", clips[0], clips[1], clips[2], "--together", "--caption", "Three #aces", "--json")
      #expect(again.status == 0 && again.errors.contains("--force"), "\(again)")
      #expect(try ShareAnswer.all(in: again.output).first?.highlight?.id == highlight.id)
      #expect(try await home.highlights().count == 1)
      let list = try await home.run("highlights", "list")
      #expect(list.output.contains("3 videos"), "\(list)")
      let open = try await home.run("highlights", "open", highlight.id.uuidString, "--json")
      #expect(open.output.contains("\"videoURLs\":["), "\(open)")

      #expect(try Self.assets(home).count == 3)
      let delete = try await home.run("highlights", "delete", highlight.id.uuidString, "--force")
      #expect(delete.status == 0, "\(delete)")
      // Files are deleted once the server is running.
      let server = try await ServeProcess(home)
      #expect(try await TestTimeout.wait { try Self.assets(home).isEmpty })
      withExtendedLifetime(server) {}
    }

    /// A deleted post is shared again; `--force` adds another one.
    @Test(.enabled(if: TestScope.isFull, "slow: Scripts/test --all")) func forceSharesPostAgain() async throws {
      let home = try BSCHome()
      let clips = try Self.clips(home)
      for (arguments, count) in [([], 1), (["--force"], 2), ([], 2)] {
        let run = await (try home.start(["share", clips[0], clips[1], "--together"] + arguments)).outcome()
        #expect(run.status == 0, "\(run)")
        #expect(try await home.highlights().count == count)
      }
      for highlight in try await home.highlights() {
        _ = try await home.run("highlights", "delete", highlight.id.uuidString, "--force")
      }
      let anew = try await home.run("share", clips[0], clips[1], "--together")
      #expect(anew.status == 0, "\(anew)")
      #expect(try await home.highlights().count == 1)
      // A single clip of the post becomes another highlight.
      let alone = try await home.run("share", clips[0])
      #expect(alone.status == 0, "\(alone)")
      #expect(try await home.highlights().count == 2)
    }

    @Test(arguments: TestScope.some(1, of: [2, 1, 3])) func postContinuesAfterKill(uploads: Int) async throws {
      let home = try BSCHome()
      let clips = try Self.clips(home)
      let count = Mutex(0)
      let share = try home.start(["share"] + clips + ["--together", "-j", "1", "--progress", "json"]) { event, client in
        guard event.event == "ended", event.detail == "uploaded" else { return }
        let sent = count.withLock { count -> Int in
          count += 1
          return count
        }
        if sent == uploads { client.send(SIGKILL) }
      }
      let killed = await share.outcome()
      #expect(killed.status == 128 + SIGKILL, "\(killed)")
      let jobs = try await Self.jobs(home)
      #expect(jobs.count == 3)
      #expect(try await home.highlights().isEmpty || uploads == 3)
      // One job identifies the whole post.
      let resume = try await home.run("resume", String(jobs[1].id.uuidString.prefix(8)), "--json")
      #expect(resume.status == 0, "\(resume)")
      #expect(try ShareAnswer.all(in: resume.output).map(\.inputs) == [clips])
      try await Self.expectOnePost(home, of: jobs)
    }

    /// Repeated kills of client and server still lead to one post.
    @Test(.enabled(if: TestScope.isFull, "slow: Scripts/test --all")) func repeatedKillsCreateOneHighlight()
      async throws
    {
      let home = try BSCHome()
      let clips = try Self.clips(home)
      let share = ["share"] + clips + ["--together"]
      for (point, arguments) in zip(
        KillPoint.allCases + [.upload, .register],
        [share, ["resume"], share, ["resume"]] + [share, ["resume"], share, ["resume"]])
      {
        let run = try home.start(arguments + ["--progress", "json"]) { event, client in
          if point.fits(event) { client.send(SIGKILL) }
        }
        _ = await run.outcome()
      }
      let jobs = try await Self.jobs(home)
      #expect(jobs.count == 3)
      let resume = try await home.run("resume")
      #expect(resume.status == 0, "\(resume)")
      try await Self.expectOnePost(home, of: jobs)
    }

    @Test func rejectedClipStopsPostBeforeUpload() async throws {
      let home = try BSCHome()
      let clips = try Self.clips(home)
      let bad = try home.clip("too-short")
      let log = Mutex<[ProgressEvent]>([])
      let share = try home.start(
        ["share", clips[0], clips[1], bad, "--together", "--json", "--progress", "json"]
      ) { event, _ in log.withLock { $0.append(event) } }
      let outcome = await share.outcome()
      home.expectConventions(of: outcome)
      #expect(outcome.status == 4, "\(outcome)")
      let failure = try #require(outcome.failures.first, "\(outcome)")
      #expect(failure.id == "share.post-refused" && failure.facts?["clips"] == "3", "\(outcome)")
      #expect(outcome.output.contains("\"status\":\"rejected\"") && outcome.output.contains("too-short.mp4"))
      // The good clips are not even processed.
      #expect(!log.withLock { $0 }.contains { $0.stage == "upload" || $0.stage == "process" })
      #expect(try await Self.jobs(home).map(\.stage.name) == ["cancelled", "cancelled", "rejected"])
      #expect(try await home.highlights().isEmpty)
      #expect(try Self.assets(home).isEmpty)
      #expect(try FileManager.default.contentsOfDirectory(atPath: home.places.locksFolder).isEmpty)
      // The path is printed as given.
      let named = try await home.run("share", "a.mp4", "too-short.mp4", "--together", "--json")
      #expect(named.output.contains(#""input":"too-short.mp4""#), "\(named)")
      #expect(named.errors.contains(" too-short.mp4: "), "\(named)")
      let resume = try await home.run("resume")
      #expect(resume.status == 0 && resume.output.isEmpty, "\(resume)")
      let without = try await home.run("share", clips[0], clips[1], "--together")
      #expect(without.status == 0, "\(without)")
      #expect(try await home.highlights().first?.videoURLs?.count == 2)
    }

    @Test func cancellingJobCancelsPost() async throws {
      let home = try BSCHome()
      let clips = try Self.clips(home)
      let server = try await ServeProcess(home)
      let share = try home.start(["share"] + clips + ["--together", "-j", "1", "--progress", "json"]) { event, client in
        if event.event == "ended", event.detail == "uploaded" { client.send(SIGKILL) }
      }
      _ = await share.outcome()
      let jobs = try await Self.jobs(home)
      #expect(jobs.contains { $0.stage.name == "uploaded" })
      // A single rally of the unfinished post is refused.
      let rival = try await home.run("share", clips[2], "--json")
      #expect(rival.status == 4 && rival.failures.map(\.id) == ["share.rival-post"], "\(rival)")
      let cancel = try await home.run("jobs", "cancel", String(jobs[2].id.uuidString.prefix(8)))
      #expect(cancel.status == 0, "\(cancel)")
      let lines = cancel.output.split(separator: "\n")
      #expect(lines.count == 3, "\(cancel)")
      #expect(jobs.allSatisfy { job in lines.contains { $0.contains("\(job.id)".lowercased()) } }, "\(cancel)")
      #expect(try await Self.jobs(home).allSatisfy { $0.stage == .cancelled })
      #expect(try await TestTimeout.wait { try Self.assets(home).isEmpty })
      #expect(try FileManager.default.contentsOfDirectory(atPath: home.places.secretsFolder).isEmpty)
      let again = try await home.run("jobs", "cancel", String(jobs[0].id.uuidString.prefix(8)), "--json")
      #expect(again.status == 64 && again.failures.map(\.id) == ["job.finished"], "\(again)")
      #expect(again.failures.first?.facts?["state"] == "cancelled", "\(again)")
      let resume = try await home.run("resume")
      #expect(resume.status == 0 && resume.output.isEmpty, "\(resume)")
      #expect(try await home.highlights().isEmpty)
      withExtendedLifetime(server) {}
    }

    /// A post without all of its jobs cannot be completed.
    @Test func incompletePostIsCancelled() async throws {
      let home = try BSCHome()
      let share = try home.start(["share"] + (try Self.clips(home)) + ["--together", "--progress", "json"]) {
        event, client in
        if KillPoint.openUpload.fits(event) { client.send(SIGKILL) }
      }
      _ = await share.outcome()
      let jobs = try await Self.jobs(home)
      for job in jobs.dropFirst() { _ = try await home.run("jobs", "forget", String(job.id.uuidString.prefix(8))) }
      let resume = try await home.run("resume", "--json")
      #expect(resume.status == 4 && resume.failures.map(\.id) == ["share.post-incomplete"], "\(resume)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: home.places.locksFolder).isEmpty)
      #expect(try await Self.jobs(home).allSatisfy { $0.stage == .cancelled })
      #expect(try await home.highlights().isEmpty)
    }

    @Test func noWaitIsFinishedByResume() async throws {
      let home = try BSCHome()
      let clips = try Self.clips(home)
      let share = try await home.run("share", clips[0], clips[1], "--together", "--no-wait", "--json")
      #expect(share.status == 0, "\(share)")
      #expect(try ShareAnswer.all(in: share.output).map(\.status) == ["uploaded", "uploaded"])
      let resume = try await home.run("resume", "--json")
      #expect(resume.status == 0, "\(resume)")
      #expect(try ShareAnswer.all(in: resume.output).first?.videoURLs?.count == 2)
      #expect(try await home.highlights().count == 1)
    }

    /// An exported post is shared as one highlight on another backend, and recognized on the original one.
    @Test func exportedPostIsSharedAsOne() async throws {
      let home = try BSCHome()
      let clips = try Self.clips(home)
      let share = try await home.run(
        "share", clips[0], clips[1], clips[2], "--together", "--caption", "Three #aces", "--privacy", "followers_only")
      #expect(share.status == 0, "\(share)")
      let original = try #require(try await home.highlights().first)
      let export = try await home.run("highlights", "export", "backup", "--json")
      #expect(export.status == 0, "\(export)")
      let folder = home.folder.path("backup")
      let base = "highlight-\(original.id.uuidString.lowercased())"
      let names = ["-2.json", "-2.mp4", "-3.json", "-3.mp4", ".jpg", ".json", ".mp4", ".row.json"]
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == names.map { base + $0 })
      let again = try await home.run("highlights", "export", "backup", "--json")
      let document = try JSONSerialization.jsonObject(with: Data(again.output.utf8)) as? [String: Any]
      #expect(again.status == 0 && document?["wasThere"] as? Bool == true, "\(again)")
      #expect((document?["clips"] as? [String])?.count == 3, "\(again)")

      let other = try BSCHome()
      // In the order of a shell's file list.
      let files = ["-3.mp4", "-2.mp4", ".mp4"].map { "\(folder)/\(base)\($0)" }
      for _ in 1...2 {
        let run = try await other.run("share", files[0], files[1], files[2])
        #expect(run.status == 0, "\(run)")
      }
      let copy = try #require(try await other.highlights().first)
      #expect(try await other.highlights().count == 1)
      #expect(copy.id == original.id && copy.caption == "Three #aces" && copy.privacy == .followersOnly)
      #expect(copy.localVideoID == original.localVideoID && copy.duration == original.duration)
      // Rows of closed highlights contain no URLs, so an export shows the clips.
      let copies = other.folder.path("copies")
      let exported = try await other.run("highlights", "export", copies)
      #expect(exported.status == 0, "\(exported)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: copies).count { $0.hasSuffix(".mp4") } == 3)
      let sourceNames = try await other.jobs().sorted { ($0.post?.part ?? 0) < ($1.post?.part ?? 0) }.map(\.source.name)
      #expect(sourceNames == [".mp4", "-2.mp4", "-3.mp4"].map { base + $0 })
      // A single clip of the post becomes another highlight.
      let alone = try await other.run("share", files[1])
      #expect(alone.status == 0, "\(alone)")
      #expect(try await other.highlights().count == 2)
      let reshared = try await home.run("share", files[0], files[1], files[2])
      #expect(reshared.status == 0 && reshared.output.contains(original.id.uuidString.lowercased()), "\(reshared)")
      #expect(try await home.highlights().count == 1)
    }

    @Test func invalidPostIsRefused() async throws {
      var home = try BSCHome()
      let clips = try Self.clips(home)
      let copy = try home.distinctClip("rally-portrait", named: "a", in: "copy")
      for (arguments, id, fact) in [
        ([clips[0]], "usage.arguments", " 2 to 10 "),
        (Array(repeating: clips[0], count: 11), "usage.arguments", " 2 to 10 "),
        ([clips[0], copy], "share.same-clips", "a.mp4"),
        (clips + ["--captions", "x.csv"], "usage.arguments", "--captions"),
      ] {
        let run = await (try home.start(["share", "--together", "--json"] + arguments)).outcome()
        #expect(run.status == 64 && run.failures.map(\.id) == [id], "\(run)")
        #expect(run.failures.first?.why.contains(fact) == true, "\(run)")
      }
      let missing = await (try home.start(["share", "--together", clips[0], "missing.mp4", "--json"])).outcome()
      #expect(missing.status == 66 && missing.failures.map(\.id) == ["file.not-found"], "\(missing)")
      #expect(missing.output.contains(#""input":"missing.mp4""#), "\(missing)")
      home.environment["BSC_BACKEND"] = "mux"
      let mux = await (try home.start(["share", "--together", "--json"] + clips)).outcome()
      #expect(mux.status == 64 && mux.failures.map(\.id) == ["share.no-posts"], "\(mux)")
      #expect(try await Self.jobs(home).isEmpty)
    }
  }

  /// `--captions FILE`: a caption for each clip.
  @Suite struct CaptionsTests {
    @Test func eachClipGetsItsCaption() async throws {
      let home = try BSCHome()
      let clips = try ["a", "bb"].map { try home.distinctClip("rally-portrait", named: $0) }
      let text = "\u{FEFF}path,caption\r\n\(clips[1]),\"Two lines,\r\n \"\"quoted\"\" #dig\"\r\n./a.mp4,Ace #serve\r\n"
      try home.folder.write(text, to: "captions.csv")
      let share = try await home.run("share", clips[0], clips[1], "--captions", "captions.csv")
      #expect(share.status == 0, "\(share)")
      let captions = try await Set(home.highlights().map(\.caption))
      #expect(captions == ["Ace #serve", "Two lines,\n \"quoted\" #dig"])
      let again = try await home.run("share", clips[0], clips[1], "--captions", "captions.csv")
      #expect(again.status == 0, "\(again)")
      #expect(try await home.highlights().count == 2)
    }

    @Test func invalidCaptionFileIsRefusedWithLine() async throws {
      let home = try BSCHome()
      let clips = try ["a", "bb"].map { try home.distinctClip("rally-portrait", named: $0) }
      for (text, fact) in [
        ("a.mp4,x\nother.mp4,y\n", "line 2: other.mp4"), ("a.mp4,x\n", "bb.mp4"), ("a.mp4,x\nbb.mp4\n", "line 2: "),
        ("a.mp4,x\na.mp4,y\nbb.mp4,z", "line 2: a.mp4"), ("a.mp4,\"x\nbb.mp4,y\n", "line 1: "),
      ] {
        try home.folder.write(text, to: "captions.csv")
        let run = try await home.run("share", clips[0], clips[1], "--captions", "captions.csv", "--json")
        #expect(run.status == 64 && run.failures.map(\.id) == ["share.captions"], "\(run)")
        #expect(run.failures.first?.why.contains(fact) == true, "\(run)")
      }
      let missing = try await home.run("share", clips[0], "--captions", "missing.csv")
      #expect(missing.status == 66, "\(missing)")
      #expect(try await home.jobs().isEmpty)
    }
  }
}
