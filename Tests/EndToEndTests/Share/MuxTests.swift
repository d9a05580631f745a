import ClipModel
import Foundation
import ShareEngine
import TestSupport
import Testing

extension EndToEnd {
  /// `backend = "mux"` with a server that behaves as Mux documents it.
  @Suite struct MuxTests {
    static func home(_ server: MuxServer) throws -> BSCHome {
      var home = try BSCHome()
      home.environment["BSC_BACKEND"] = "mux"
      home.environment["BSC_MUX_URL"] = server.url
      home.environment["BSC_MUX_TOKEN_ID"] = MuxServer.tokenID
      home.environment["BSC_MUX_TOKEN_SECRET"] = MuxServer.tokenSecret
      return home
    }

    private static func expectNoToken(in home: BSCHome, _ runs: BSCProcess.Outcome...) throws {
      for run in runs { #expect(!(run.output + run.errors).contains("hush"), "\(run)") }
      let places = try home.places
      for file in try FileManager.default.subpathsOfDirectory(atPath: places.stateFolder) {
        guard let data = FileManager.default.contents(atPath: "\(places.stateFolder)/\(file)") else { continue }
        #expect(data.range(of: Data(MuxServer.tokenSecret.utf8)) == nil, "\(file)")
      }
    }

    @Test func uploadPrintsURLs() async throws {
      let server = try await MuxServer()
      let home = try Self.home(server)
      let clip = try home.clip("rally-portrait")
      let run = try await home.run(
        "share", clip, "--caption", "Ace #serve", "--privacy", "private", "--hide-likes", "--json")
      #expect(run.status == 0, "\(run)")
      let answer = try #require(try ShareAnswer.all(in: run.output).first)
      #expect(answer.status == "ready" && answer.playbackID == "play0" && answer.highlight == nil)
      #expect(answer.videoURL == "https://stream.mux.com/play0.m3u8" && answer.watch == "https://player.mux.com/play0")
      #expect(answer.thumbnailURL == "https://image.mux.com/play0/thumbnail.jpg?time=2")
      #expect(answer.animatedURL == "https://image.mux.com/play0/animated.gif")
      #expect(run.errors.contains("--privacy") && run.errors.contains("--hide-likes"), "\(run)")
      #expect(server.stores[0].isComplete && server.uploads.map(\.title) == ["Ace #serve"])
      // The clip stays shared until its asset is deleted.
      let again = try await home.run("share", clip, "--caption", "Ace #serve", "--privacy", "private", "--hide-likes")
      #expect(again.status == 0 && again.errors.contains("--force") && server.assetCount == 1, "\(again)")
      #expect(
        again.output.contains("uploaded play0") && again.output.contains("watch      https://player.mux.com/play0")
      )
      server.deleteAsset(ofUpload: 0)
      let new = try await home.run("share", clip, "--caption", "Ace #serve", "--privacy", "private", "--hide-likes")
      #expect(new.status == 0 && new.output.contains("uploaded play1"), "\(new)")
      try Self.expectNoToken(in: home, run, again, new)
      #expect(try await home.run("highlights", "list").status == 5)
    }

    @Test(arguments: ["BSC_MUX_TOKEN_ID", "BSC_MUX_TOKEN_SECRET"])
    func missingTokenIsReported(name: String) async throws {
      let server = try await MuxServer()
      var home = try Self.home(server)
      home.environment[name] = ""
      let run = try await home.run("share", try home.clip("rally-portrait"), "--json")
      #expect(run.status == 5 && run.failures.map(\.id) == ["settings.mux"] && server.requests.isEmpty, "\(run)")
      #expect(run.failures.first?.facts?["settings"]?.contains(name) == true, "\(run)")
    }

    @Test func invalidTokenKeepsJob() async throws {
      let server = try await MuxServer()
      var home = try Self.home(server)
      home.environment["BSC_MUX_TOKEN_SECRET"] = "hush-wrong"
      let run = try await home.run("share", try home.clip("rally-portrait"))
      #expect(run.status == 5 && run.errors.contains("BSC_MUX_TOKEN_SECRET"), "\(run)")
      home.environment["BSC_MUX_TOKEN_SECRET"] = MuxServer.tokenSecret
      let resume = try await home.run("resume")
      #expect(resume.status == 0 && resume.output.contains("uploaded play0"), "\(resume)")
      try Self.expectNoToken(in: home, run, resume)
    }

    /// After a kill at any point, resuming leads to one asset and no unfinished upload.
    @Test(arguments: TestScope.some(2, of: KillPoint.allCases)) func killedShareIsResumedOnce(point: KillPoint)
      async throws
    {
      let server = try await MuxServer()
      let home = try Self.home(server)
      let clip = try home.clip("rally-portrait")
      let share = try home.start(["share", clip, "--progress", "json"]) { event, client in
        if point.fits(event) { client.send(SIGKILL) }
      }
      _ = await share.outcome()
      let resume = try await home.run("resume")
      #expect(resume.status == 0, "\(resume)")
      #expect(server.assetCount == 1 && server.uploads.count { $0.status == "waiting" } == 0, "\(server.uploads)")
      let rest = try await home.run("resume")
      #expect(rest.status == 0 && rest.output.isEmpty, "\(rest)")
    }

    @Test func lostResponseDoesNotDuplicateUpload() async throws {
      var traits = MuxServer.Traits()
      traits.lostCreations = 1
      let server = try await MuxServer(traits)
      let home = try Self.home(server)
      let run = try await home.run("share", try home.clip("rally-portrait"))
      #expect(run.status == 0 && server.uploads.count == 1, "\(run)")
    }

    @Test func failedAssetIsRejection() async throws {
      var traits = MuxServer.Traits()
      traits.assetErrors = ["The file has no video"]
      let server = try await MuxServer(traits)
      let home = try Self.home(server)
      let run = try await home.run("share", try home.clip("rally-portrait"))
      #expect(run.status == 4 && run.errors.contains("The file has no video"), "\(run)")
      #expect(try await home.jobs().first?.stage.name == "rejected")
    }

    @Test func jobIsCancelled() async throws {
      let server = try await MuxServer(
        MuxServer.Traits(), stores: [try await FaultServer([FaultScript.Rule(.stall(after: 0), .always, skip: 1)])])
      let home = try Self.home(server)
      let share = try home.start(["share", try home.clip("rally-portrait"), "--progress", "json"]) { event, client in
        if KillPoint.upload.fits(event) { client.send(SIGKILL) }
      }
      _ = await share.outcome()
      let id = try #require(try await home.jobs().first).id.uuidString.lowercased()
      let cancel = try await home.run("jobs", "cancel", String(id.prefix(8)))
      #expect(cancel.status == 0 && server.uploads.map(\.status) == ["cancelled"], "\(cancel)")
    }

    /// The asset is never ready. With `--no-wait` the command ends, and a later `resume` finishes the job.
    @Test func noWaitEndsAfterUpload() async throws {
      var traits = MuxServer.Traits()
      traits.requestsUntilReady = 1_000_000
      traits.nonStandardInputReasons = ["video_gop_size": "high"]
      let server = try await MuxServer(traits)
      let home = try Self.home(server)
      let run = try await home.run("share", try home.clip("rally-portrait"), "--no-wait", "--json")
      #expect(run.status == 0 && server.stores[0].isComplete, "\(run)")
      let answer = try #require(try ShareAnswer.all(in: run.output).first)
      #expect(answer.status == "uploaded" && answer.look == "bsc resume \(answer.job.prefix(8))")
      let jobs = try await home.run("jobs")
      #expect(jobs.output.contains("uploaded"), "\(jobs)")
      server.setTraits { $0.requestsUntilReady = 0 }
      let resume = try await home.run("resume", String(answer.job.prefix(8)))
      #expect(resume.status == 0 && resume.output.contains("uploaded play0"), "\(resume)")
      #expect(resume.errors.contains("warning: ") && resume.errors.contains("video_gop_size"), "\(resume)")
    }
  }
}
