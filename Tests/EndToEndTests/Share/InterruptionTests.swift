import ClipModel
import Foundation
import Synchronization
import Testing

extension EndToEnd {
  /// SIGINT and SIGTERM, and a second process for the same job.
  @Suite struct InterruptionTests {
    @Test func interruptedProcessingIsResumed() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-4k")
      let share = try home.start(["share", clip, "--progress", "json"]) { event, client in
        // Only once, because a second signal ends the process immediately.
        if event.event == "began", event.stage == "process" { client.send(SIGINT) }
      }
      let interrupted = await share.outcome()
      #expect(interrupted.status == 130 && !interrupted.wasKilled, "\(interrupted)")
      home.expectConventions(of: interrupted)
      try await expectUnfinished(home, at: "planned")
      try await expectResumed(home)
    }

    @Test func terminatedUploadIsResumed() async throws {
      let home = try BSCHome()
      let server = try await ServeProcess(home)
      let isDone = Mutex(false)
      let share = try home.start(["share", try home.clip("rally-portrait"), "--progress", "json"]) { event, client in
        guard KillPoint.upload.fits(event), !isDone.withLock({ $0 }) else { return }
        isDone.withLock { $0 = true }
        // The client must also end if the server has stopped responding.
        server.process.send(SIGSTOP)
        client.send(SIGTERM)
      }
      let terminated = await share.outcome()
      server.process.send(SIGCONT)
      #expect(terminated.status == 143 && !terminated.wasKilled, "\(terminated)")
      home.expectConventions(of: terminated)
      try await expectUnfinished(home, at: "uploading")
      try await expectResumed(home)
    }

    @Test func secondProcessDoesNotRunJob() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait")
      let first = try home.start(["share", clip, "--progress", "json"]) { event, client in
        if event.event == "began", event.stage == "process" { client.send(SIGSTOP) }
      }
      let reached = await first.event { $0.event == "began" && $0.stage == "process" }
      #expect(reached != nil)
      for arguments in [["share", clip], ["resume"]] {
        let second = await (try home.start(arguments)).outcome()
        home.expectConventions(of: second)
        #expect(second.status == 7, "\(second)")
        #expect(second.errors.contains("process \(first.identifier) "), "\(second)")
      }
      first.send(SIGCONT)
      let finished = await first.outcome()
      #expect(finished.status == 0, "\(finished)")
      try await home.expectOneHighlight(of: try #require(try await home.jobs().first))
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func serverEndsOnSignal(_ signal: Int32) async throws {
      let home = try BSCHome()
      let server = try await ServeProcess(home)
      server.process.send(signal)
      let outcome = await server.process.outcome()
      #expect([0, 128 + signal].contains(outcome.status) && !outcome.wasKilled, "\(outcome)")
      // Its folder is unlocked again.
      #expect(try await home.highlights().isEmpty)
    }

    private func expectUnfinished(_ home: BSCHome, at stage: String) async throws {
      #expect(try await home.jobs().map(\.stage.name) == [stage])
      try home.expectNoSecretInState()
    }

    private func expectResumed(_ home: BSCHome) async throws {
      let job = try #require(try await home.jobs().first)
      let resume = try await home.run("resume", "--json")
      #expect(resume.status == 0, "\(resume)")
      try await home.expectOneHighlight(of: job)
    }
  }
}
