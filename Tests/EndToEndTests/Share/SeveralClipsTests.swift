import ClipModel
import Foundation
import ShareEngine
import Synchronization
import TestSupport
import Testing

extension EndToEnd {
  /// `bsc share A B C`: several clips at once.
  @Suite struct SeveralClipsTests {
    @Test(arguments: TestScope.some(1, of: [2, 1, 5])) func goodClipsAreSharedDespiteBadOnes(jobs: Int) async throws {
      let home = try BSCHome()
      let clips = try ["a", "bb", "ccc"].map { try home.distinctClip("rally-portrait", named: $0) }
      let bad = try home.clip("too-short")
      let missing = home.folder.path("missing.mp4")
      let share = try home.start(["share", clips[0], bad, missing, clips[1], clips[2], "--json", "-j", "\(jobs)"])
      let outcome = await share.outcome()
      home.expectConventions(of: outcome)
      #expect(outcome.status == 3, "\(outcome)")
      let lines = outcome.output.split(separator: "\n")
      #expect(lines.count == 5)
      #expect(lines.count { $0.contains("\"status\":\"registered\"") } == 3)
      #expect(lines.count { $0.contains("\"status\":\"rejected\"") && $0.contains("too-short.mp4") } == 1)
      #expect(lines.count { $0.contains("bsc.error/1") && $0.contains("missing.mp4") } == 1)
      #expect(try await home.highlights().count == 3)
      #expect(try FileManager.default.contentsOfDirectory(atPath: home.places.jobsFolder).isEmpty)
    }

    /// The next clip is processed during uploads, and `-j` limits concurrent uploads.
    @Test(arguments: TestScope.some(1, of: [2, 1])) func processingOverlapsUploads(jobs: Int) async throws {
      let home = try BSCHome()
      let clips = try ["a", "bb", "ccc", "dddd"].map { try home.distinctClip("rally-portrait", named: $0) }
      let log = Mutex<[ProgressEvent]>([])
      let share = try home.start(
        ["share"] + clips + ["-j", "\(jobs)", "--limit-rate", "600KB", "--progress", "json"]
      ) { event, _ in
        log.withLock { $0.append(event) }
      }
      let outcome = await share.outcome()
      #expect(outcome.status == 0, "\(outcome)")
      var (processing, uploading) = (Set<String>(), Set<String>())
      var (maxProcessing, maxUploading, overlaps) = (0, 0, 0)
      for event in log.withLock({ $0 }) where ["began", "ended"].contains(event.event) {
        switch (event.stage, event.event) {
        case ("process", "began"):
          processing.insert(event.job)
          if !uploading.isEmpty { overlaps += 1 }
        case ("process", _): processing.remove(event.job)
        case ("upload", "began"): uploading.insert(event.job)
        // The step has two parts; the upload session ends only the first one.
        case ("upload", _) where event.detail == "uploaded": uploading.remove(event.job)
        default: break
        }
        (maxProcessing, maxUploading) = (max(maxProcessing, processing.count), max(maxUploading, uploading.count))
      }
      #expect(maxProcessing == 1 && maxUploading == jobs, "\(maxProcessing) processing, \(maxUploading) uploading")
      // Sequential work would have no overlap; the exact number depends on the load.
      #expect(overlaps >= 1)
      #expect(try await home.highlights().count == 4)
    }

    /// The limit applies to all uploads together.
    @Test(.enabled(if: TestScope.isFull, "slow: Scripts/test --all")) func rateLimitIsShared() async throws {
      let home = try BSCHome()
      let clips = try ["a", "bb", "ccc"].map { try home.distinctClip("rally-portrait", named: $0) }
      let outcome = try await home.run(
        "share", clips[0], clips[1], clips[2], "-j", "3", "--limit-rate", "400KB", "--json")
      #expect(outcome.status == 0, "\(outcome)")
      // The times in the journal, to the second.
      let jobs = try await home.jobs()
      let (begin, end) = (try #require(jobs.map(\.createdAt).min()), try #require(jobs.map(\.updatedAt).max()))
      let seconds = Double(end - begin + 1)
      let bytes = try ShareAnswer.all(in: outcome.output).compactMap(\.bytes?.after).reduce(0, +)
      // Libcurl does not limit the start of each connection.
      #expect(Double(bytes) / seconds < 1.3 * 400_000, "\(bytes) bytes in \(seconds) s")
    }

    @Test func identicalClipsAreSharedOnce() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait")
      let copy = try home.clip("rally-portrait", named: "copy")
      let outcome = try await home.run("share", clip, copy, clip)
      #expect(outcome.status == 0, "\(outcome)")
      // One note for the copy, and one for the repeated path.
      let notes = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("note: ") }
      #expect(notes.count { $0.contains("rally-portrait.mp4") } == 2 && notes.contains { $0.contains("copy.mp4") })
      #expect(try await home.highlights().count == 1)
    }

    /// The same command again sends nothing and prints the same highlight.
    @Test func sharedClipIsNotSharedAgain() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait")
      let first = try ShareAnswer.all(in: try await home.run("share", clip, "--json").output)
      let again = try await home.run("share", clip, "--json")
      #expect(again.status == 0 && again.errors.contains("--force"), "\(again)")
      #expect(try ShareAnswer.all(in: again.output).map(\.highlight?.id) == first.map(\.highlight?.id))
      #expect(try await home.highlights().count == 1)
      #expect(try await home.run("share", clip, "--force").status == 0)
      #expect(try await home.highlights().count == 2)
      // After the highlight is deleted, the clip can be shared again.
      for highlight in try await home.highlights() {
        #expect(try await home.run("highlights", "delete", highlight.id.uuidString, "--force").status == 0)
      }
      #expect(try await home.run("share", clip).status == 0)
      #expect(try await home.highlights().count == 1)
    }

    /// A corrected caption after an interruption would otherwise lead to two highlights.
    @Test func otherOptionsForUnfinishedClipAreRefused() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait")
      let share = try home.start(["share", clip, "--caption", "Ase", "--progress", "json"]) { event, client in
        if KillPoint.upload.fits(event) { client.send(SIGKILL) }
      }
      _ = await share.outcome()
      let id = try #require(try await home.jobs().first).id.uuidString.lowercased().prefix(8)
      let refused = try await home.run("share", clip, "--caption", "Ace")
      #expect(refused.status == 4 && refused.errors.contains("bsc jobs cancel \(id)"), "\(refused)")
      #expect(try await home.run("jobs", "cancel", String(id)).status == 0)
      #expect(try await home.run("share", clip, "--caption", "Ace").status == 0)
      #expect(try await home.highlights().map(\.caption) == ["Ace"])
    }

    /// All jobs are stored, in the given order, before the first clip is processed.
    @Test func killedShareKeepsAllJobs() async throws {
      let home = try BSCHome()
      let clips = try ["ccc", "a", "eeeee", "bb", "dddd"].map { try home.distinctClip("rally-portrait", named: $0) }
      let share = try home.start(["share"] + clips + ["--progress", "json"]) { event, client in
        if event.event == "began" { client.send(SIGKILL) }
      }
      _ = await share.outcome()
      #expect(Set(try await home.jobs().map(\.source.path)) == Set(clips))
      let resume = try await home.run("resume", "--json", "--progress", "json")
      #expect(resume.status == 0, "\(resume)")
      #expect(try await home.highlights().count == 5)
      // Events name the clip of a job.
      let begun = resume.errors.split(separator: "\n").compactMap { line in
        (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["file"] as? String
      }
      #expect(Set(begun) == Set(clips))
    }

    @Test func clipsAreProcessedInOrder() async throws {
      let home = try BSCHome()
      let clips = try ["ccc", "a", "eeeee", "bb"].map { try home.distinctClip("rally-portrait", named: $0) }
      let share = try await home.run("share", clips[0], clips[1], clips[2], clips[3], "-j", "1", "--json")
      #expect(share.status == 0 && share.errors.hasSuffix("\n4 shared\n"), "\(share)")
      let inputs = share.output.split(separator: "\n").compactMap { line in
        (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["input"] as? String
      }
      #expect(inputs == clips)
    }

    @Test func interruptedJobsAreResumedTogether() async throws {
      let home = try BSCHome()
      let clips = try ["a", "bb", "ccc"].map { try home.distinctClip("rally-portrait", named: $0) }
      let done = Mutex(false)
      let share = try home.start(
        ["share"] + clips + ["--limit-rate", "100KB", "--progress", "json"]
      ) { event, client in
        guard KillPoint.upload.fits(event), !done.withLock({ $0 }) else { return }
        done.withLock { $0 = true }
        client.send(SIGINT)
      }
      let outcome = await share.outcome()
      #expect(outcome.status == 130 && !outcome.wasKilled, "\(outcome)")
      let jobs = try await home.jobs()
      let resume = try await home.run("resume", "--json")
      #expect(resume.status == 0, "\(resume)")
      #expect(try ShareAnswer.all(in: resume.output).count == jobs.count)
      #expect(Set(try await home.highlights().map(\.id)) == Set(jobs.map(\.highlightID)))
    }
  }
}
