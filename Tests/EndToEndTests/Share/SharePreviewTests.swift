import ClipModel
import Foundation
import ShareEngine
import TestSupport
import Testing

extension EndToEnd {
  /// `bsc share -n` with several clips: lists of captions, and clips that become one highlight.
  @Suite struct SharePreviewTests {
    private struct Line: Decodable {
      var input: String
      var inputs: [String]?
      var caption: String?
      var tags: [String]?

      static func all(in output: String) throws -> [Line] {
        try output.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
      }
    }

    private func home() throws -> BSCHome {
      let home = try BSCHome()
      for name in ["a", "bb", "ccc"] { _ = try home.distinctClip("rally-portrait", named: name) }
      return home
    }

    @Test func eachClipIsShownWithItsCaption() async throws {
      let home = try home()
      try home.folder.write("bb.mp4,\"Up, and\r\ndown #dig\"\r\na.mp4,Ace #serve #ACE", to: "captions.csv")
      let run = try await home.run("share", "a.mp4", "bb.mp4", "-n", "--captions", "captions.csv")
      #expect(run.status == 0, "\(run)")
      #expect(run.output.contains("  caption    Ace #serve #ACE\n  tags       serve, ace\n"), "\(run)")
      #expect(run.output.contains("  caption    Up, and\n             down #dig\n  tags       dig\n"), "\(run)")
      let lines = try Line.all(
        in: try await home.run("share", "a.mp4", "bb.mp4", "-n", "--captions", "captions.csv", "--json").output)
      #expect(lines.map(\.caption) == ["Ace #serve #ACE", "Up, and\ndown #dig"])
      #expect(lines.map(\.tags) == [["serve", "ace"], ["dig"]] && lines.allSatisfy { $0.inputs == nil })
      #expect(try await home.jobs().isEmpty)
    }

    /// As with the share itself.
    @Test func invalidCaptionListIsRefused() async throws {
      let home = try home()
      try home.folder.write("a.mp4,x\nother.mp4,y\n", to: "captions.csv")
      let run = try await home.run("share", "a.mp4", "bb.mp4", "-n", "--captions", "captions.csv", "--json")
      #expect(run.status == 64 && run.failures.map(\.id) == ["share.captions"], "\(run)")
      #expect(run.failures.first?.why.contains("line 2: other.mp4") == true, "\(run)")
      let long = String(repeating: "x", count: 2300)
      try home.folder.write("a.mp4,\(long)\nbb.mp4,y\n", to: "captions.csv")
      let refused = try await home.run("share", "a.mp4", "bb.mp4", "-n", "--captions", "captions.csv")
      #expect(refused.status == 4 && refused.errors.contains(#/ a\.mp4: .* 2300 .*\[share\.caption\]/#), "\(refused)")
      #expect(!refused.output.contains("a.mp4\n") && refused.output.contains("bb.mp4\n"), "\(refused)")
      #expect(try await home.run("share", "a.mp4", "-n", "--captions", "missing.csv").status == 66)
    }

    /// The preview shows that a clip is already shared.
    @Test func previousShareIsReported() async throws {
      let home = try home()
      let new = try await home.run("share", "a.mp4", "-n")
      #expect(new.status == 0 && new.errors.isEmpty, "\(new)")
      // A dry run creates no journal.
      #expect(!FileManager.default.fileExists(atPath: try home.places.journalFile))
      #expect(try await home.run("share", "a.mp4").status == 0)
      let id = try #require(try await home.highlights().first).id.uuidString.lowercased().prefix(8)
      let same = try await home.run("share", "a.mp4", "-n")
      #expect(same.status == 0 && same.errors.split(separator: "\n").count == 1, "\(same)")
      #expect(same.errors.contains("a.mp4") && same.errors.contains("--force"), "\(same)")
      let other = try await home.run("share", "a.mp4", "-n", "--caption", "X", "--json")
      for arguments in [["a.mp4", "-n", "--force"], ["bb.mp4", "-n"], ["a.mp4", "-n", "--from", "0", "--to", "4"]] {
        let run = try await home.start(["share"] + arguments).outcome()
        #expect(run.errors.isEmpty, "\(arguments): \(run)")
      }
      #expect(try await home.jobs().count == 1)
      let second = try await home.run("share", "a.mp4", "--caption", "X", "--json")
      let error = try #require(second.failures.first, "\(second)")
      #expect(second.status == 4 && error.id == "share.exists", "\(second)")
      #expect(error.facts?["highlight"] == String(id) && error.facts?["flags"] == "--caption …", "\(second)")
      // The note of the dry run has the same reason.
      #expect(other.status == 0 && other.errors.contains("a.mp4: \(error.why)"), "\(other)")
      #expect(second.errors.contains("(bsc highlights edit \(id) --caption …)"), "\(second)")
      let forced = try await home.run("share", "a.mp4", "--caption", "X", "--force")
      #expect(forced.status == 0, "\(forced)")
      #expect(try await home.highlights().count == 2)
    }

    /// A private highlight prevents a public share until it is deleted.
    @Test func privateHighlightPreventsPublicShare() async throws {
      let home = try home()
      #expect(try await home.run("share", "a.mp4", "--privacy", "private").status == 0)
      let id = try #require(try await home.highlights().first).id.uuidString.lowercased()
      let again = try await home.run("share", "a.mp4", "--json")
      #expect(again.status == 4 && again.failures.map(\.id) == ["share.exists"], "\(again)")
      #expect(again.failures.first?.facts?["flags"] == "--privacy public", "\(again)")
      #expect(again.errors.contains("--privacy public)"), "\(again)")
      #expect(try await home.highlights().count == 1)
      #expect(try await home.run("highlights", "delete", id, "--force").status == 0)
      #expect(try await home.run("share", "a.mp4").status == 0)
    }

    /// The pattern `*` of a shell includes them.
    @Test func rallyMetadataIsNotAClip() async throws {
      let home = try home()
      let run = try await home.run("share", "a.mp4", "a.json", "bb.mp4", "bb.json")
      #expect(run.status == 0 && run.errors.contains("note: skipped 2 "), "\(run)")
      #expect(try await home.jobs().count == 2)
    }

    /// A refused clip is not offered for review, and reported once.
    @Test func refusedClipIsReportedOnceInReview() async throws {
      let home = try home()
      _ = try home.clip("too-short")
      let run = try TerminalRun(
        ["share", "--review", "too-short.mp4", "missing.mp4"], environment: home.environment, folder: home.folder.path)
      let status = try await run.end().status
      let screen = run.screen
      #expect(status == 3, "\(screen)")
      // A question would wait for an answer until the run is terminated.
      let errors = screen.split(whereSeparator: \.isNewline).filter { $0.contains("error") }
      for name in ["too-short.mp4", "missing.mp4"] {
        #expect(errors.count { $0.contains(" \(name): ") } == 1, "\(screen)")
      }
    }

    /// A job whose metadata has disappeared is not sent unless its plan was confirmed.
    @Test func unconfirmedPlanIsNotSent() async throws {
      let home = try home()
      let share = try home.start(["share", "a.mp4", "--progress", "json"]) { event, client in
        if KillPoint.openUpload.fits(event) { client.send(SIGKILL) }
      }
      _ = await share.outcome()
      #expect(try await home.jobs().count == 1)
      // Other options are refused by a dry run as by the share.
      let rival = try await home.run("share", "a.mp4", "-n", "--caption", "other", "--json")
      #expect(rival.status == 4 && rival.failures.map(\.id) == ["share.rival-job"], "\(rival)")
      try FileManager.default.removeItem(atPath: home.folder.path("a.json"))
      let run = try TerminalRun(
        ["share", "--review", "a.mp4"], environment: home.environment, folder: home.folder.path)
      let status = try await run.end().status
      // A question would wait for an answer until the run is terminated.
      #expect(status == 4, "\(run.screen)")
      #expect(try await home.highlights().isEmpty)
    }

    /// The clip, or its metadata file, disappears while its job is unfinished.
    @Test(arguments: ["a.mp4", "m.json"])
    func missingFileIsNamed(gone: String) async throws {
      let home = try home()
      let (clip, metadata) = (home.folder.path("a.mp4"), home.folder.path("m.json"))
      try FileManager.default.moveItem(atPath: home.folder.path("a.json"), toPath: metadata)
      let share = try home.start(["share", "a.mp4", "--metadata", "m.json", "--progress", "json"]) { event, client in
        if KillPoint.plan.fits(event) { client.send(SIGKILL) }
      }
      _ = await share.outcome()
      let away = home.folder.path("away")
      try FileManager.default.moveItem(atPath: home.folder.path(gone), toPath: away)
      let resume = try await home.run("resume", "--json")
      let error = try #require(resume.failures.first, "\(resume)")
      #expect(resume.status == 66 && error.id == "job.source-gone", "\(resume)")
      #expect(error.facts?["file"]?.hasSuffix("a.mp4") == true, "\(resume)")
      #expect(resume.errors.contains(gone), "\(resume)")
      try FileManager.default.moveItem(atPath: away, toPath: gone == "a.mp4" ? clip : metadata)
      #expect(try await home.run("resume").status == 0)
    }

    @Test func postIsAnnounced() async throws {
      let home = try home()
      let run = try await home.run(
        "share", "a.mp4", "bb.mp4", "ccc.mp4", "-n", "--together", "--caption", "Three #aces")
      let heading = try #require(run.output.split(separator: "\n").first, "\(run)")
      #expect(run.status == 0 && heading.hasSuffix(": a.mp4, bb.mp4, ccc.mp4") && heading.contains("3"), "\(run)")
      #expect(run.output.split(separator: "\n").count { $0 == "  caption    Three #aces" } == 3, "\(run)")
      let lines = try Line.all(
        in: try await home.run("share", "a.mp4", "bb.mp4", "-n", "--together", "--json").output)
      #expect(lines.map(\.input) == ["a.mp4", "bb.mp4"] && lines.allSatisfy { $0.inputs == ["a.mp4", "bb.mp4"] })
      _ = try home.clip("too-short")
      let refused = try await home.run("share", "a.mp4", "too-short.mp4", "-n", "--together", "--json")
      let failure = try #require(refused.failures.first, "\(refused)")
      #expect(refused.status == 4 && failure.id == "share.post-refused", "\(refused)")
      #expect(failure.facts?["clips"] == "2" && failure.facts?["refused"] == "1", "\(refused)")
      let same = try await home.run("share", "a.mp4", "./a.mp4", "-n", "--together", "--json")
      #expect(same.status == 64 && same.failures.map(\.id) == ["share.same-clips"], "\(same)")
      let missing = try await home.run("share", "a.mp4", "none.mp4", "-n", "--together")
      #expect(missing.status == 66, "\(missing)")
      #expect(try await home.jobs().isEmpty)
    }
  }
}
