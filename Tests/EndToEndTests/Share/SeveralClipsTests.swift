import ClipModel
import Foundation
import ShareEngine
import Synchronization
import TestSupport
import Testing

extension EndToEnd {
  /// `bsc share A B C`: several clips at once.
  @Suite struct SeveralClipsTests {
    @Test(arguments: [1, 2, 5]) func eachMakesItsHighlightAndABadOneStopsNobody(jobs: Int) async throws {
      let home = try BSCHome()
      let clips = try ["a", "bb", "ccc"].map { try home.distinctClip("rally-portrait", named: $0) }
      let bad = try home.clip("too-short")
      let missing = home.folder.path("missing.mp4")
      let share = try home.start(["share", clips[0], bad, missing, clips[1], clips[2], "--json", "-j", "\(jobs)"])
      let outcome = await share.outcome()
      home.expectManners(of: outcome)
      #expect(outcome.status == 3, "\(outcome)")
      let lines = outcome.output.split(separator: "\n")
      #expect(lines.count == 5)
      #expect(lines.count { $0.contains("\"status\":\"registered\"") } == 3)
      #expect(lines.count { $0.contains("\"status\":\"rejected\"") && $0.contains("too-short.mp4") } == 1)
      #expect(lines.count { $0.contains("bsc.error/1") && $0.contains("missing.mp4") } == 1)
      #expect(try await home.highlights().count == 3)
      #expect(try FileManager.default.contentsOfDirectory(atPath: home.places.jobsFolder).isEmpty)
    }

    /// The next clip is made while the last one is sent, and no more are sent at once than asked for.
    @Test(arguments: [1, 2]) func makingGoesOnWhileOthersAreSent(jobs: Int) async throws {
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
      var (making, sending) = (Set<String>(), Set<String>())
      var (mostMade, mostSent, overlaps) = (0, 0, 0)
      for event in log.withLock({ $0 }) where ["began", "ended"].contains(event.event) {
        switch (event.stage, event.event) {
        case ("process", "began"):
          making.insert(event.job)
          if !sending.isEmpty { overlaps += 1 }
        case ("process", _): making.remove(event.job)
        case ("upload", "began"): sending.insert(event.job)
        // The ticket ends half of the arrow; the other half begins at once.
        case ("upload", _) where event.detail == "uploaded": sending.remove(event.job)
        default: break
        }
        (mostMade, mostSent) = (max(mostMade, making.count), max(mostSent, sending.count))
      }
      #expect(mostMade == 1 && mostSent == jobs, "made \(mostMade), sent \(mostSent)")
      // One after the other would be none; how many there are depends on the machine's load.
      #expect(overlaps >= 1)
      #expect(try await home.highlights().count == 4)
    }

    /// All uploads together keep the limit.
    @Test func theLimitIsForAllTogether() async throws {
      let home = try BSCHome()
      let clips = try ["a", "bb", "ccc"].map { try home.distinctClip("rally-portrait", named: $0) }
      let begin = ContinuousClock.now
      let outcome = try await home.run(
        "share", clips[0], clips[1], clips[2], "-j", "3", "--limit-rate", "400KB", "--json")
      let seconds = (ContinuousClock.now - begin) / .seconds(1)
      #expect(outcome.status == 0, "\(outcome)")
      let bytes = try ShareAnswer.all(in: outcome.output).compactMap(\.bytes?.after).reduce(0, +)
      // The first moments of each connection are not counted by libcurl.
      #expect(Double(bytes) / seconds < 1.3 * 400_000, "\(bytes) bytes in \(seconds) s")
    }

    @Test func theSameClipTwiceIsSharedOnce() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait")
      let copy = try home.clip("rally-portrait", named: "copy")
      let outcome = try await home.run("share", clip, copy, clip)
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.errors.split(separator: "\n").count { $0.contains("is the same clip as") } == 2)
      #expect(try await home.highlights().count == 1)
    }

    /// The same command again posts nothing twice, and tells the same.
    @Test func whatWasSharedIsNotSharedAgain() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait")
      let first = try ShareAnswer.all(in: try await home.run("share", clip, "--json").output)
      let again = try await home.run("share", clip, "--json")
      #expect(again.status == 0 && again.errors.contains("was shared before"), "\(again)")
      #expect(try ShareAnswer.all(in: again.output).map(\.highlight?.id) == first.map(\.highlight?.id))
      #expect(try await home.highlights().count == 1)
      #expect(try await home.run("share", clip, "--force").status == 0)
      #expect(try await home.highlights().count == 2)
      // Taken back, it may be shared again.
      for highlight in try await home.highlights() {
        #expect(try await home.run("highlights", "delete", highlight.id.uuidString, "--force").status == 0)
      }
      #expect(try await home.run("share", clip).status == 0)
      #expect(try await home.highlights().count == 1)
    }

    /// A caption that was put right after an interruption: both would be posted.
    @Test func anotherWishForAnUnfinishedClipIsRefused() async throws {
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

    /// All jobs are there before the first clip is touched, in the order that was asked for.
    @Test func aKilledShareForgetsNoClip() async throws {
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
      // Whoever reads events learns which clip a job is about.
      let begun = resume.errors.split(separator: "\n").compactMap { line in
        (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["file"] as? String
      }
      #expect(Set(begun) == Set(clips))
    }

    @Test func clipsAreMadeInTheirOrder() async throws {
      let home = try BSCHome()
      let clips = try ["ccc", "a", "eeeee", "bb"].map { try home.distinctClip("rally-portrait", named: $0) }
      let share = try await home.run("share", clips[0], clips[1], clips[2], clips[3], "-j", "1", "--json")
      #expect(share.status == 0 && share.errors.hasSuffix("\n4 shared\n"), "\(share)")
      let inputs = share.output.split(separator: "\n").compactMap { line in
        (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["input"] as? String
      }
      #expect(inputs == clips)
    }

    @Test func interruptedOnesAreResumedTogether() async throws {
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
