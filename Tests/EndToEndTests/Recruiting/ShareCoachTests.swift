import ClipModel
import Foundation
import Recruiting
import ShareEngine
import TestSupport
import Testing

extension EndToEnd {
  /// `bsc share --coach`: the highlight is sent to coaches once it exists, exactly once.
  @Suite struct ShareCoachTests {
    private let family: RecruitingProject
    private let athlete: BSCHome

    init() async throws {
      family = try await RecruitingProject()
      var athlete = family.athlete
      athlete.environment["BSC_SHARE_BASE_URL"] = "https://clips.example.org"
      self.athlete = athlete
      try await family.run(athlete, "coaches", "add", "Bo", "Diaz")
      try await family.run(athlete, "coaches", "add", "Cy", "Wu")
    }

    private func clip() throws -> String { try athlete.distinctClip("rally-portrait", named: "clip") }

    private func answers(_ run: BSCProcess.Outcome) throws -> [ShareAnswer] {
      #expect(run.status == 0, "\(run)")
      return try ShareAnswer.all(in: run.output)
    }

    private func pendingSecrets() throws -> [String] {
      let names = try? FileManager.default.contentsOfDirectory(atPath: try athlete.places.secretsFolder)
      return (names ?? []).filter { $0.hasPrefix("link-") }
    }

    /// The IDs of the family's links. Each has an interaction with its address.
    private func storedLinks() async throws -> Set<String> {
      let links = try await family.run(athlete, "links").compactMap(\.link?.id)
      #expect(try await family.run(athlete, "interactions").last?.figures?.outbound == links.count)
      return Set(links)
    }

    @Test func coachesGetLinks() async throws {
      let clip = try clip()
      let arguments = ["share", clip, "--caption", "Ace", "--coach", "cy wu", "--coach", "Diaz", "--via", "dm"]
      let answer = try #require(try answers(try await athlete.run(arguments + ["--coach", "Cy Wu", "--json"])).first)
      let links = try #require(answer.links)
      #expect(links.map(\.coach) == ["Bo Diaz", "Cy Wu"] && answer.status == "registered")
      let interactions = try await family.run(family.parent, "interactions").compactMap(\.interaction)
      for link in links {
        let address = try #require(link.address)
        #expect(address.hasPrefix("https://clips.example.org/s/"))
        let contact = try #require(interactions.first { $0.content?.contains(address) == true })
        #expect(contact.type == "dm" && contact.direction == "outbound" && contact.subject == "Ace")
      }
      #expect(try await storedLinks() == Set(links.map(\.linkID)))
      #expect(try pendingSecrets().isEmpty)
      #expect(try await athlete.jobs().first?.linksSentAt != nil)

      // The same command again sends nothing.
      let again = try await athlete.run(arguments)
      #expect(again.status == 0 && !again.output.contains("/s/"), "\(again)")
      #expect(try await storedLinks().count == 2)
      let withoutCoach = try await athlete.run("share", clip, "--caption", "Ace")
      #expect(withoutCoach.status == 0, "\(withoutCoach)")
      #expect(try await athlete.highlights().count == 1)
    }

    @Test func textShowsEachLink() async throws {
      let run = try await athlete.run("share", try clip(), "--coach", "Bo Diaz", "--coach", "Cy Wu")
      #expect(run.status == 0, "\(run)")
      #expect(
        run.output.matches(of: /(Bo Diaz|Cy Wu): https:\/\/clips\.example\.org\/s\/[A-Za-z0-9_-]{32}\n/).count == 2)
      // The addresses are secrets: they are only in the result.
      #expect(!run.errors.contains("/s/"), "\(run)")
      try athlete.expectNoSecretInState()
    }

    @Test func eachHighlightIsSent() async throws {
      let clips = try ["a", "bb"].map { try athlete.distinctClip("rally-portrait", named: $0) }
      let run = try await athlete.run("share", clips[0], clips[1], "--coach", "Bo Diaz", "--json")
      let links = try answers(run).compactMap(\.links).flatMap(\.self)
      #expect(links.count == 2)
      #expect(try await storedLinks() == Set(links.map(\.linkID)))
      let post = try await athlete.run("share", clips[0], clips[1], "--together", "--coach", "Bo Diaz", "--json")
      #expect(try answers(post).first?.links?.count == 1)
      #expect(try await storedLinks().count == 3)
    }

    enum Obstacle: CaseIterable, Sendable {
      case unknownCoach, ambiguousCoach, noBaseURL, parent, unknownFamily
    }

    /// Nothing is created, because the coaches are found before any work is done.
    @Test(arguments: TestScope.some(2, of: Obstacle.allCases)) func unsendableShareIsRefused(_ obstacle: Obstacle)
      async throws
    {
      var home = athlete
      var arguments = ["--coach", "Bo Diaz"]
      let expected: (id: String, status: Int32)
      switch obstacle {
      case .unknownCoach:
        arguments += ["--coach", "Di Fox"]
        expected = ("recruiting.unknown-name", 66)
      case .ambiguousCoach:
        try await family.run(athlete, "coaches", "add", "Bo", "Lee")
        arguments += ["--coach", "Bo"]
        expected = ("recruiting.ambiguous-name", 64)
      case .noBaseURL:
        home.environment["BSC_SHARE_BASE_URL"] = nil
        expected = ("recruiting.no-base-url", 5)
      case .parent:
        home = family.parent
        home.environment["BSC_SHARE_BASE_URL"] = "https://clips.example.org"
        expected = ("recruiting.forbidden", 4)
      case .unknownFamily:
        arguments += ["--family", "Okafor"]
        expected = ("recruiting.unknown-name", 66)
      }
      let clip = try home.distinctClip("rally-portrait", named: "clip")
      for options in [[], ["--dry-run"]] {
        let run = try await home.run(["share", clip, "--json"] + options + arguments)
        #expect(run.status == expected.status && run.failures.map(\.id) == [expected.id], "\(run)")
      }
      #expect(try await home.jobs().isEmpty)
      #expect(try await home.highlights().isEmpty)
      #expect(try await family.run(athlete, "links").isEmpty)
    }

    @Test(arguments: [["--via", "dm"], ["--family", "Silva"]]) func optionsNeedCoach(options: [String]) async throws {
      let run = try await athlete.run(["share", "clip.mp4", "--json"] + options)
      #expect(run.status == 64 && run.failures.map(\.id) == ["usage.arguments"], "\(run)")
    }

    @Test func previewListsCoaches() async throws {
      let clip = try clip()
      let text = try await athlete.run("share", clip, "--dry-run", "--coach", "Wu", "--coach", "Diaz")
      #expect(text.status == 0 && text.output.contains("send to    Bo Diaz, Cy Wu\n"), "\(text)")
      let run = try await athlete.run("share", clip, "--dry-run", "--coach", "Wu", "--json")
      let plan = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
      #expect(plan["coaches"] as? [String] == ["Cy Wu"])
      #expect(try await storedLinks().isEmpty)
      #expect(try await athlete.jobs().isEmpty)
    }

    /// Another share of the clip would create a second highlight.
    @Test func earlierHighlightIsNotSentAsNew() async throws {
      let clip = try clip()
      #expect(try answers(try await athlete.run("share", clip, "--json")).first?.links == nil)
      let run = try await athlete.run("share", clip, "--coach", "Bo Diaz", "--json")
      let failure = try #require(run.failures.first, "\(run)")
      #expect(run.status == 4 && failure.id == "share.exists" && failure.facts?["coaches"] == "other")
      #expect(try await storedLinks().isEmpty)
      #expect(try await athlete.highlights().count == 1)
    }

    /// Kills a command after the highlight exists and before it is sent.
    private func killBeforeSending(_ command: [String]? = nil) async throws -> ShareJob {
      let server = family.project.server.process
      let arguments = try command ?? ["share", clip(), "--coach", "Bo Diaz", "--coach", "Cy Wu"]
      let share = try athlete.start(arguments + ["--progress", "json"]) { event, client in
        guard event.event == "ended", event.detail == "registered" else { return }
        // No request after the event can complete.
        server.send(SIGSTOP)
        client.send(SIGKILL)
      }
      let killed = await share.outcome()
      #expect(killed.status == 128 + SIGKILL, "\(killed)")
      server.send(SIGCONT)
      let job = try #require(try await athlete.jobs().last)
      #expect(job.stage.name == "registered" && job.linksSentAt == nil)
      return job
    }

    @Test func killedShareIsSentOnce() async throws {
      let job = try await killBeforeSending()
      let listed = try await athlete.run("jobs", "--json")
      let row = try #require(try JSONSerialization.jsonObject(with: Data(listed.output.utf8)) as? [String: Any])
      #expect(row["id"] as? String == job.id.uuidString.lowercased() && row["unsentLinkCount"] as? Int == 2)

      let answer = try #require(try answers(try await athlete.run("resume", "--json")).first)
      let links = try #require(answer.links)
      #expect(links.map(\.coach) == ["Bo Diaz", "Cy Wu"] && links.allSatisfy { $0.address != nil })
      #expect(try await storedLinks() == Set(links.map(\.linkID)))
      #expect(try pendingSecrets().isEmpty)

      let again = try await athlete.run("resume", "--json")
      #expect(again.status == 0 && again.output.isEmpty, "\(again)")
      #expect(try await storedLinks().count == 2)
      #expect(try await athlete.jobs().count == 1)
    }

    /// A share that doesn't wait removes the job's files. The job remains unfinished until the highlight was sent.
    @Test func killedResumeOfUploadedClipIsSentOnce() async throws {
      let share = try await athlete.run("share", try clip(), "--coach", "Bo Diaz", "--no-wait", "--json")
      #expect(share.status == 0, "\(share)")
      _ = try await killBeforeSending(["resume"])
      let links = try #require(try answers(try await athlete.run("resume", "--json")).first?.links)
      #expect(links.count == 1 && links.first?.address != nil)
      #expect(try await storedLinks() == Set(links.map(\.linkID)))
    }

    /// A highlight that the user sent in the meantime is not sent again.
    @Test func linkOfAnotherCommandCounts() async throws {
      let job = try await killBeforeSending()
      let highlight = job.highlightID.uuidString.lowercased()
      try await family.run(athlete, "send", highlight, "--to", "Bo Diaz")
      let links = try #require(try answers(try await athlete.run("resume", "--json")).first?.links)
      #expect(links.map { $0.address == nil } == [true, false])
      #expect(try await storedLinks() == Set(links.map(\.linkID)))
    }

    /// The family no longer allows it: the highlight is shared, and the rejection is reported once.
    @Test func rejectedLinkIsReported() async throws {
      _ = try await killBeforeSending()
      try await family.run(athlete, "family", "leave", "--force")
      let run = try await athlete.run("resume", "--json")
      #expect(run.status == 4 && run.failures.map(\.id) == ["recruiting.forbidden", "recruiting.forbidden"], "\(run)")
      #expect(run.output.contains("\"status\":\"registered\""), "\(run)")
      #expect(try pendingSecrets().isEmpty)
      let again = try await athlete.run("resume", "--json")
      #expect(again.status == 0 && again.output.isEmpty, "\(again)")
    }

    #if os(Linux)
    /// The backend has stored the links, but the process ends before it has shown them to the user.
    @Test func lostResultIsShownAgain() async throws {
      let arguments = ["share", try clip(), "--coach", "Bo Diaz", "--json"]
      #expect(try await SendCommandTests.runWithFullOutput(athlete, arguments) == 74)
      let stored = try await storedLinks()
      #expect(stored.count == 1)
      let links = try #require(try answers(try await athlete.run(arguments)).first?.links)
      #expect(Set(links.map(\.linkID)) == stored && links.first?.address != nil)
      #expect(try await storedLinks() == stored)
      #expect(try pendingSecrets().isEmpty)
    }
    #endif
  }
}
