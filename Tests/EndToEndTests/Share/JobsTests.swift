import ClipModel
import Foundation
import GRDB
import ShareEngine
import TestSupport
import Testing

extension EndToEnd {
  /// `bsc jobs`: listing, cancelling and removing unfinished jobs.
  @Suite struct JobsTests {
    /// Kills a share during its upload and returns the id of its job.
    private static func interrupted(_ home: BSCHome) async throws -> String {
      let share = try home.start(["share", try home.clip("rally-portrait"), "--progress", "json"]) { event, client in
        if KillPoint.upload.fits(event) { client.send(SIGKILL) }
      }
      _ = await share.outcome()
      return try #require(try await home.jobs().last).id.uuidString.lowercased()
    }

    private static func row(_ run: BSCProcess.Outcome) throws -> [String: Any] {
      try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any], "\(run)")
    }

    @Test func interruptedJobIsListedWithProgress() async throws {
      let home = try BSCHome()
      let id = try await Self.interrupted(home)
      let row = try Self.row(try await home.run("jobs", "--json"))
      #expect(row["id"] as? String == id && row["state"] as? String == "uploading")
      let bytes = try #require(row["byteCount"] as? Int)
      #expect((0..<bytes).contains(try #require(row["confirmedByteCount"] as? Int)))
      #expect(try #require(row["diskByteCount"] as? Int) >= bytes)
      let list = try await home.run("jobs")
      #expect(list.output.contains(id.prefix(8)) && list.output.contains("uploading") && list.output.contains(" %"))
      let show = try await home.run("jobs", "show", String(id.prefix(6)))
      #expect(show.status == 0 && show.output.contains("next       bsc resume \(id.prefix(8))"), "\(show)")
      #expect(!(list.output + show.output).contains("token"))
    }

    /// A share that was killed while its clip was encoded.
    @Test func jobShowsHowFarItsEncodeIs() async throws {
      let home = try BSCHome()
      let clip = try ClipFactory.clip(
        "long.mp4",
        [
          "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=26", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt",
          "yuv422p",
        ])
      let share = try home.start(["share", clip, "--allow-no-metadata", "--progress", "json"]) { event, client in
        if event.event == "progress", event.stage == "process", event.fraction ?? 0 > 0.6 { client.send(SIGKILL) }
      }
      #expect(await share.outcome().status == 128 + SIGKILL)
      let row = try Self.row(try await home.run("jobs", "--json"))
      let encoding = try #require(row["encoding"] as? [String: Any], "\(row)")
      let seconds = try #require(encoding["seconds"] as? Double)
      #expect(row["state"] as? String == "planned" && (10..<26).contains(seconds), "\(row)")
      #expect(encoding["durationSeconds"] as? Double == 26)
      let stored = EncodingProgress(seconds: seconds, durationSeconds: 26)
      let id = try #require(row["id"] as? String)
      let texts = [try await home.run("jobs").output, try await home.run("jobs", "show", id).output]
      #expect(texts.allSatisfy { $0.contains("\(Int(stored.fraction * 100)) %") } && texts[1].contains(stored.text))
      let resume = try await home.run("resume", "--progress", "json")
      #expect(resume.status == 0 && resume.errors.contains(stored.text), "\(resume)")
      #expect(try Self.row(try await home.run("jobs", "--all", "--json"))["encoding"] == nil)
    }

    /// Unfinished jobs of a backend that is not the current one.
    @Test func jobsOfAnotherBackendAreListedWithCommand() async throws {
      var home = try BSCHome()
      let id = try await Self.interrupted(home)
      let own = try await home.run("jobs")
      #expect(own.output.contains("\(id.prefix(8))  local") && own.errors.isEmpty, "\(own)")
      home.environment["BSC_BACKEND"] = "mux"
      home.environment["BSC_MUX_TOKEN_ID"] = "id"
      home.environment["BSC_MUX_TOKEN_SECRET"] = "very-secret"
      home.environment["BSC_MUX_URL"] = "http://127.0.0.1:\(FreePort.next())"
      let jobs = try await home.run("jobs")
      #expect(jobs.status == 0 && jobs.errors.contains("BSC_BACKEND=local bsc resume"), "\(jobs)")
      let show = try await home.run("jobs", "show", String(id.prefix(8)))
      #expect(show.output.contains("next       BSC_BACKEND=local bsc resume \(id.prefix(8))"), "\(show)")
      let resume = try await home.run("resume", "--json")
      let error = try #require(resume.failures.first, "\(resume)")
      #expect(resume.status == 5 && error.id == "job.backend-not-selected", "\(resume)")
      #expect(error.facts?["backend"] == "local" && error.facts?["jobs"] == "1 job", "\(resume)")
      #expect(error.next?.contains("BSC_BACKEND=local bsc resume") == true, "\(resume)")
      home.environment["BSC_BACKEND"] = "local"
      #expect(try await home.run("resume").status == 0)
    }

    @Test func cancelledJobIsFinished() async throws {
      let home = try BSCHome()
      let id = try await Self.interrupted(home)
      let run = try await home.run("jobs", "cancel", String(id.prefix(8)))
      #expect(run.status == 0 && run.output == "canceled \(id)\n", "\(run)")
      let resume = try await home.run("resume")
      #expect(resume.status == 0 && resume.output.isEmpty, "\(resume)")
      #expect(try await home.highlights().isEmpty)
      let again = try await home.run("jobs", "cancel", String(id.prefix(8)), "--json")
      #expect(again.status == 64 && again.failures.map(\.id) == ["job.finished"], "\(again)")
      #expect(again.failures.first?.facts?["state"] == "cancelled", "\(again)")
      #expect(try await home.jobs().first?.stage == .cancelled)
      let share = try await home.run("share", home.folder.path("rally-portrait.mp4"))
      #expect(share.status == 0, "\(share)")
    }

    /// Whether there is a note with the time until the next attempt.
    private static func hasWaited(_ errors: String) -> Bool { errors.contains(/note: .* \d+ s\n/) }

    /// The server is stopped and continues; `--watch` reports the wait and finishes the job.
    @Test func resumeWaitsForNetwork() async throws {
      var home = try BSCHome()
      let server = try await ServeProcess(home)
      let share = try home.start(["share", try home.clip("rally-portrait"), "--progress", "json"]) { event, client in
        if KillPoint.upload.fits(event) { client.send(SIGKILL) }
      }
      _ = await share.outcome()
      server.process.send(SIGSTOP)
      home.environment["BSC_NETWORK_STALL_SECONDS"] = "1"
      home.environment["BSC_UPLOAD_RETRY_SECONDS"] = "0"
      let resume = try home.start(["resume", "--watch"])
      try await TestTimeout.wait { resume.isOver || Self.hasWaited(resume.errorsSoFar) }
      server.process.send(SIGCONT)
      let outcome = await resume.outcome()
      #expect(outcome.status == 0 && Self.hasWaited(outcome.errors), "\(outcome)")
      #expect(try await home.highlights().count == 1)
    }

    /// An invalid journal entry is reported, and other jobs are resumed.
    @Test func damagedEntryIsReported() async throws {
      let home = try BSCHome()
      let id = try await Self.interrupted(home)
      let damaged = UUID().uuidString.lowercased()
      // This process may still be closing the journal that it has read.
      var configuration = GRDB.Configuration()
      configuration.busyMode = .timeout(10)
      try await DatabaseQueue(path: home.places.journalFile, configuration: configuration).write { database in
        try database.execute(
          sql: """
            INSERT INTO job SELECT ?, '/clips/gone.mp4', sourceSHA256, backend, stage, isFinal, createdAt, updatedAt, '{}'
            FROM job WHERE id = ?
            """, arguments: [damaged, id])
      }
      let list = try await home.run("jobs", "--json")
      #expect(list.status == 1 && list.output.contains(id), "\(list)")
      let resume = try await home.run("resume", "--json")
      #expect(resume.status == 1, "\(resume)")
      for run in [list, resume] {
        #expect(run.failures.map(\.id) == ["job.unreadable"], "\(run)")
        #expect(run.errors.contains("bsc jobs forget \(damaged)"), "\(run)")
      }
      #expect(try await home.highlights().count == 1)
      #expect(try await home.run("jobs", "forget", damaged).status == 0)
      #expect(try await home.run("jobs").status == 0)
    }

    @Test func finishedJobsAreRemoved() async throws {
      let home = try BSCHome()
      #expect(try await home.run("share", try home.clip("rally-portrait")).status == 0)
      #expect(try await home.run("share", try home.clip("too-short")).status == 4)
      let leftover = try home.places.jobFolder(UUID())
      try FileManager.default.createDirectory(atPath: leftover, withIntermediateDirectories: true)
      try Data(count: 5000).write(to: URL(filePath: leftover + "/clip.mp4"))
      let dry = try Self.row(try await home.run("jobs", "prune", "--days", "0", "--dry-run", "--json"))
      #expect(dry["jobCount"] as? Int == 2 && dry["byteCount"] as? Int == 5000)
      #expect(try await home.jobs().count == 2)
      #expect(try Self.row(try await home.run("jobs", "prune", "--json"))["jobCount"] as? Int == 0)
      let run = try await home.run("jobs", "prune", "--days", "0", "--json")
      #expect(try Self.row(run)["jobCount"] as? Int == 2, "\(run)")
      #expect(try await home.jobs().isEmpty && !FileManager.default.fileExists(atPath: leftover))
      #expect(try await home.highlights().count == 1)
    }

    @Test(arguments: [
      (["show", "zzz"], 66), (["cancel", "zzz"], 66), (["forget", "zzz"], 66), (["prune", "--days", "-1"], 64),
    ])
    func invalidArgumentsAreRefused(arguments: [String], status: Int) async throws {
      let home = try BSCHome()
      let run = await (try home.start(["jobs"] + arguments)).outcome()
      #expect(Int(run.status) == status, "\(run)")
    }
  }
}
