import ClipModel
import DurableFiles
import Foundation
import ShareEngine
import TestSupport
import Testing

extension EndToEnd {
  /// `kill -9` at each step, then `bsc resume`: the backend stores the processed clip and has one highlight.
  @Suite struct KillTests {
    @Test(arguments: KillPoint.allCases, TestScope.some(1, of: Hosting.allCases))
    func resumeFinishesKilledShare(_ point: KillPoint, _ hosting: Hosting) async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait")
      let server = hosting == .served ? try await ServeProcess(home) : nil
      let share = try home.start(["share", clip, "--caption", "Kill #ace", "--progress", "json"]) { event, client in
        guard point.fits(event) else { return }
        // The server is stopped while the client is killed, so that no step after the event can complete.
        server?.process.send(SIGSTOP)
        client.send(SIGKILL)
      }
      let killed = await share.outcome()
      #expect(killed.status == 128 + SIGKILL, "\(killed)")
      server?.process.send(SIGCONT)
      let job = try #require(try await home.jobs().last)
      #expect(job.stage.name == point.stage)
      try home.expectNoSecretInState()
      #expect(try home.storedUploadURL(of: job) == (point == .upload || point == .register))

      let resume = try await home.run("resume", "--json")
      #expect(resume.status == 0, "\(resume)")
      let answer = try #require(try ShareAnswer.all(in: resume.output).last)
      #expect(answer.highlight?.id == job.highlightID)
      try await home.expectOneHighlight(of: job)
      #expect(try !home.storedUploadURL(of: job))
    }

    @Test func sharingAfterKillContinuesSameJob() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait")
      let share = try home.start(["share", clip, "--progress", "json"]) { event, client in
        if KillPoint.upload.fits(event) { client.send(SIGKILL) }
      }
      _ = await share.outcome()
      let job = try #require(try await home.jobs().last)
      let again = try await home.run("share", clip, "--json")
      #expect(again.status == 0, "\(again)")
      #expect(try ShareAnswer.all(in: again.output).last?.job == job.id.uuidString.lowercased())
      #expect(try await home.jobs().count == 1)
      try await home.expectOneHighlight(of: job)
    }

    /// Repeated kills of client and server still lead to one job and one highlight.
    @Test(.enabled(if: TestScope.isFull, "slow: Scripts/test --all")) func repeatedKillsCreateOneHighlight()
      async throws
    {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait")
      var arguments = ["share", clip]
      for point in KillPoint.allCases + [.upload, .register] {
        let run = try home.start(arguments + ["--progress", "json"]) { event, client in
          if point.fits(event) { client.send(SIGKILL) }
        }
        _ = await run.outcome()
        arguments = ["resume"]
      }
      let job = try #require(try await home.jobs().first)
      let resume = try await home.run("resume")
      #expect(resume.status == 0, "\(resume)")
      #expect(try await home.jobs().count == 1)
      try await home.expectOneHighlight(of: job)
    }

    @Test func shareSurvivesServerKill() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait")
      let server = try await ServeProcess(home)
      let share = try home.start(["share", clip, "--progress", "json", "--json"]) { event, _ in
        if KillPoint.upload.fits(event) { server.process.send(SIGKILL) }
      }
      let shared = await share.outcome()
      #expect(shared.status == 0, "\(shared)")
      #expect(await server.process.outcome().status == 128 + SIGKILL)
      let job = try #require(try await home.jobs().last)
      try await home.expectOneHighlight(of: job)

      let restarted = try await ServeProcess(home)
      let highlight = try #require(try ShareAnswer.all(in: shared.output).last?.highlight)
      let stored = try Data(contentsOf: URL(filePath: home.storedClip(highlight)))
      #expect(try await restarted.get("stream/\(highlight.muxPlaybackID ?? "").mp4") == stored)
    }

    @Test func resumeWithoutJobsSucceeds() async throws {
      let resume = try await (try BSCHome()).run("resume", "--json")
      #expect(resume.status == 0 && resume.output.isEmpty, "\(resume)")
    }
  }
}

/// The point at which the client is killed, as shown by its events.
enum KillPoint: String, CaseIterable, Sendable {
  case probe, plan, process, openUpload, upload, register

  func fits(_ event: ProgressEvent) -> Bool {
    switch self {
    case .probe: event.event == "began" && event.stage == "probe"
    case .plan: event.event == "began" && event.stage == "plan"
    case .process: event.event == "progress" && event.stage == "process"
    case .openUpload: event.event == "ended" && event.stage == "process"
    // Only some chunks are confirmed.
    case .upload: event.event == "progress" && event.stage == "upload" && (0.15...0.8).contains(event.fraction ?? 0)
    case .register: event.event == "ended" && event.detail == "uploaded"
    }
  }

  /// The stages in the journal at that point.
  var stage: String {
    switch self {
    case .probe: "queued"
    case .plan: "probed"
    case .process: "planned"
    case .openUpload: "processed"
    case .upload: "uploading"
    case .register: "uploaded"
    }
  }
}

/// The process of the local backend.
enum Hosting: String, CaseIterable, Sendable {
  /// In `bsc share`: the server is killed with the client.
  case embedded
  /// In a separate `bsc serve`.
  case served
}

extension BSCHome {
  /// The job is registered, its highlight is the only one, and the backend stores exactly the processed bytes.
  func expectOneHighlight(of job: ShareJob, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let highlights = try await highlights(sourceLocation: sourceLocation)
    #expect(highlights.map(\.id) == [job.highlightID], sourceLocation: sourceLocation)
    let highlight = try #require(highlights.first, sourceLocation: sourceLocation)
    let finished = try #require(try await jobs().first { $0.id == job.id }, sourceLocation: sourceLocation)
    guard case .registered(_, let clip) = finished.stage else {
      Issue.record("the job is \(finished.stage.name)", sourceLocation: sourceLocation)
      return
    }
    let digest = try await FileDigest.sha256(path: storedClip(highlight))
    #expect(digest == clip.sha256, sourceLocation: sourceLocation)
    // The clip processed before the interruption is the uploaded one.
    if let before = job.stage.processedClip { #expect(digest == before.sha256, sourceLocation: sourceLocation) }
  }

  /// Whether a secret of the job is stored.
  func storedUploadURL(of job: ShareJob) throws -> Bool {
    try FileManager.default.fileExists(
      atPath: "\(places.secretsFolder)/upload-url-\(job.id.uuidString.lowercased())")
  }
}

extension ShareStage {
  var processedClip: ProcessedClip? {
    switch self {
    case .processed(let clip), .uploading(let clip, _), .uploaded(let clip, _), .registered(_, let clip): clip
    case .queued, .probed, .planned, .rejected, .cancelled: nil
    }
  }
}
