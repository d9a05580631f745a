import ClipModel
import DurableFiles
import Foundation
import ShareEngine
import TestSupport
import Testing

extension EndToEnd {
  /// `bsc share --stream`: the clip is uploaded while it's encoded.
  @Suite struct StreamedShareTests {
    private static let share = ["share", "clip.mp4", "--allow-no-metadata", "--stream"]

    /// A clip whose result is far below its size, so that it's uploaded early.
    private static func home(seconds: Int) throws -> BSCHome {
      let home = try BSCHome()
      let source = try ClipFactory.clip(
        "noise.mp4",
        [
          "-f", "lavfi", "-i", "testsrc2=s=480x270:r=10:d=\(seconds),noise=alls=60:allf=t", "-f", "lavfi", "-i",
          "sine=r=48000:d=\(seconds)", "-c:v", "mpeg4", "-q:v", "2", "-c:a", "aac",
        ])
      try FileManager.default.copyItem(atPath: source, toPath: home.folder.path("clip.mp4"))
      return home
    }

    /// Kills the client at a point, then checks what the journal contains.
    private static func killShare(_ home: BSCHome, at point: StreamedKillPoint, _ server: ServeProcess?) async throws
      -> ShareJob
    {
      let share = try home.start(Self.share + ["--progress", "json"]) { event, client in
        guard point.fits(event) else { return }
        server?.process.send(SIGSTOP)
        client.send(SIGKILL)
      }
      let killed = await share.outcome()
      server?.process.send(SIGCONT)
      #expect(killed.status == 128 + SIGKILL, "\(killed)")
      let job = try #require(try await home.jobs().last)
      #expect(job.stage.name == point.stage)
      #expect((job.startedUpload?.sent != nil) == (point.stage == "planned"))
      try home.expectNoSecretInState()
      return job
    }

    /// Checks that the backend has the one clip, which was uploaded early, and no part of another upload.
    private static func expectStreamedHighlight(of job: ShareJob, _ home: BSCHome) async throws -> ShareJob {
      try await home.expectOneHighlight(of: job)
      let finished = try #require(try await home.jobs().last)
      #expect(finished.stage.processedClip?.probe.isFastStart == false)
      #expect(finished.startedUpload == nil)
      let files = try FileManager.default.subpathsOfDirectory(atPath: home.places.localBackendFolder)
      #expect(files.filter { $0.hasPrefix("uploads/") && !$0.hasSuffix("/") }.isEmpty, "\(files)")
      return finished
    }

    @Test(arguments: TestScope.some(1, of: StreamedKillPoint.allCases), TestScope.some(1, of: Hosting.allCases))
    func resumeContinuesEncodeAndUpload(_ point: StreamedKillPoint, _ hosting: Hosting) async throws {
      let home = try Self.home(seconds: 24)
      let server = hosting == .served ? try await ServeProcess(home) : nil
      let job = try await Self.killShare(home, at: point, server)
      let resume = try await home.run("resume", "--json")
      #expect(resume.status == 0, "\(resume)")
      let finished = try await Self.expectStreamedHighlight(of: job, home)
      // The bytes that were sent are also stored for the encode that continues.
      #expect(finished.attempt == 0)
    }

    /// An encode of less than 20 s starts again. If it has other bytes, so does the upload.
    @Test(arguments: TestScope.some(1, of: [StreamedKillPoint.early, .middle, .nearEnd]))
    func shortEncodeStartsAgain(_ point: StreamedKillPoint) async throws {
      let home = try Self.home(seconds: 9)
      let server = try await ServeProcess(home)
      let job = try await Self.killShare(home, at: point, server)
      let again = try await home.run(Self.share + ["--json"])
      #expect(again.status == 0, "\(again)")
      #expect(try await Self.expectStreamedHighlight(of: job, home).attempt <= 1)
      #expect(try await home.jobs().count == 1)
      _ = server
    }

    @Test(.enabled(if: TestScope.isFull, "slow: Scripts/test --all")) func repeatedKillsCreateOneHighlight()
      async throws
    {
      let home = try Self.home(seconds: 24)
      var arguments = Self.share
      for point in [.early, .early, .middle, .nearEnd, .finished, .sent] as [StreamedKillPoint] {
        let run = try home.start(arguments + ["--progress", "json"]) { event, client in
          if point.fits(event) { client.send(SIGKILL) }
        }
        _ = await run.outcome()
        arguments = ["resume"]
      }
      let job = try #require(try await home.jobs().first)
      let resume = try await home.run("resume")
      #expect(resume.status == 0, "\(resume)")
      _ = try await Self.expectStreamedHighlight(of: job, home)
      #expect(try await home.jobs().count == 1)
    }

    /// The server is killed, too. The next one starts in the client.
    @Test(.enabled(if: TestScope.isFull, "slow: Scripts/test --all")) func shareSurvivesServerKill() async throws {
      let home = try Self.home(seconds: 24)
      let server = try await ServeProcess(home)
      let share = try home.start(Self.share + ["--progress", "json", "--json"]) { event, _ in
        if StreamedKillPoint.middle.fits(event) { server.process.send(SIGKILL) }
      }
      let shared = await share.outcome()
      #expect(shared.status == 0, "\(shared)")
      #expect(await server.process.outcome().status == 128 + SIGKILL)
      _ = try await Self.expectStreamedHighlight(of: try #require(try await home.jobs().last), home)
    }

    /// `jobs cancel` removes what the backend has.
    @Test func cancelledShareLeavesNothing() async throws {
      let home = try Self.home(seconds: 24)
      let server = try await ServeProcess(home)
      let job = try await Self.killShare(home, at: .middle, server)
      // The job's plan is the plan of a preview.
      let preview = try await home.run(Self.share + ["-n", "--json"])
      guard case .planned(let plan, _) = job.stage else { throw ClipFactory.Failure(description: job.stage.name) }
      #expect(try Self.uploadDecision(preview) == plan.upload)
      let cancel = try await home.run("jobs", "cancel", job.id.uuidString.lowercased())
      #expect(cancel.status == 0, "\(cancel)")
      #expect(try await home.highlights().isEmpty)
      let files = try FileManager.default.subpathsOfDirectory(atPath: home.places.localBackendFolder)
      #expect(!files.contains { $0.hasPrefix("uploads/") || $0.hasPrefix("assets/") }, "\(files)")
      #expect(try !home.storedUploadURL(of: job))
      _ = server
    }

    private static func uploadDecision(_ preview: BSCProcess.Outcome) throws -> ProcessingPlan.Decision {
      struct Document: Decodable {
        var plan: Plan
        struct Plan: Decodable { var upload: ProcessingPlan.Decision }
      }
      return try JSONDecoder().decode(Document.self, from: Data(preview.output.utf8)).plan.upload
    }

    /// The events of the encode contain the progress of the upload, and the plan has the decision and its reason.
    @Test func previewAndEventsShowTheUpload() async throws {
      let home = try Self.home(seconds: 9)
      let early = try await home.run(Self.share + ["-n", "--json"])
      let late = try await home.run("share", "clip.mp4", "--allow-no-metadata", "--no-stream", "-n", "--json")
      #expect(try Self.uploadDecision(early).what != Self.uploadDecision(late).what, "\(late)")
      // By default, small clips and clips for the local backend are uploaded when they are finished.
      let byDefault = try await home.run("share", "clip.mp4", "--allow-no-metadata", "-n", "--json")
      #expect(try Self.uploadDecision(byDefault).what == Self.uploadDecision(late).what, "\(byDefault)")
      let share = try home.start(Self.share + ["--progress", "json"])
      var fractions: [Double] = []
      for await event in share.events where event.stage == "process" {
        if let fraction = event.uploadFraction { fractions.append(fraction) }
      }
      let outcome = await share.outcome()
      #expect(outcome.status == 0, "\(outcome)")
      #expect(!fractions.isEmpty && fractions.allSatisfy { (0..<1).contains($0) })
    }
  }
}

/// The point at which the client of a streamed share is killed.
enum StreamedKillPoint: String, CaseIterable, Sendable {
  case early, middle, nearEnd, finished, sent

  func fits(_ event: ProgressEvent) -> Bool {
    func isEncoding(from fraction: Double) -> Bool {
      event.event == "progress" && event.stage == "process" && event.uploadFraction != nil
        && event.fraction ?? 0 >= fraction
    }
    return switch self {
    case .early: isEncoding(from: 0.1)
    case .middle: isEncoding(from: 0.5)
    case .nearEnd: isEncoding(from: 0.97)
    case .finished: event.event == "ended" && event.stage == "process"
    case .sent: event.event == "ended" && event.detail == "uploaded"
    }
  }

  /// The stage in the journal at that point.
  var stage: String {
    switch self {
    case .early, .middle, .nearEnd: "planned"
    case .finished: "uploading"
    case .sent: "uploaded"
    }
  }
}
