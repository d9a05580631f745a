import ClipModel
import Foundation
import Highlights
import ShareEngine
import TestSupport
import Testing

extension EndToEnd {
  /// A clip that is already shared is not shared again by accident.
  @Suite struct DuplicateShareTests {
    private func home() throws -> BSCHome {
      let home = try BSCHome()
      for name in ["a", "bb", "ccc"] { _ = try home.distinctClip("rally-portrait", named: name) }
      return home
    }

    /// Shares clips and returns the id of the new highlight.
    private func share(_ home: BSCHome, _ arguments: String...) async throws -> String {
      let before = Set(try await home.highlights().map(\.id))
      let run = try await home.start(["share"] + arguments).outcome()
      #expect(run.status == 0, "\(run)")
      return try #require(try await home.highlights().first { !before.contains($0.id) }).id.uuidString.lowercased()
    }

    private func delete(_ home: BSCHome, _ id: String) async throws {
      #expect(try await home.run("highlights", "delete", id, "--force").status == 0)
    }

    /// The error of a share that an existing highlight prevents.
    private func refusal(
      of run: BSCProcess.Outcome, id: String = "share.exists", sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> ErrorAnswer {
      #expect(run.status == 4 && run.failures.map(\.id) == [id], "\(run)", sourceLocation: sourceLocation)
      return try #require(run.failures.first, "\(run)", sourceLocation: sourceLocation)
    }

    /// The newest highlight of the clip was deleted, but an older private one exists.
    @Test func olderHighlightPreventsShare() async throws {
      let home = try home()
      let first = try await share(home, "a.mp4", "--caption", "X")
      #expect(try await home.run("highlights", "edit", first, "--privacy", "private").status == 0)
      try await delete(home, try await share(home, "a.mp4", "--caption", "Z", "--force"))
      let again = try refusal(of: try await home.run("share", "a.mp4", "--caption", "W", "--json"))
      #expect(again.facts?["highlight"] == String(first.prefix(8)))
      #expect(again.facts?["flags"] == "--caption … --privacy public")
      try await delete(home, first)
      #expect(try await home.run("share", "a.mp4", "--caption", "W").status == 0)
    }

    /// The highlight with the same options was deleted, but one with other options exists.
    @Test func highlightWithOtherOptionsPreventsShare() async throws {
      let home = try home()
      let first = try await share(home, "a.mp4")
      let second = try await share(home, "a.mp4", "--privacy", "private", "--force")
      try await delete(home, first)
      let again = try refusal(of: try await home.run("share", "a.mp4", "--json"))
      #expect(again.facts?["highlight"] == String(second.prefix(8)) && again.facts?["flags"] == "--privacy public")
      #expect(try await home.highlights().count == 1)
    }

    /// The current state of the highlight counts, so that following the advice resolves the refusal.
    @Test func currentStateOfHighlightIsCompared() async throws {
      let home = try home()
      let id = try await share(home, "a.mp4", "--caption", "X", "--hide-likes").prefix(8)
      let refused = try await home.run("share", "a.mp4", "--privacy", "private")
      #expect(refused.status == 4, "\(refused)")
      #expect(
        refused.errors.contains("bsc highlights edit \(id) --caption \"\" --privacy private --show-likes)"),
        "\(refused)")
      let edited = try await home.run(
        "highlights", "edit", String(id), "--caption", "", "--privacy", "private", "--show-likes")
      #expect(edited.status == 0, "\(edited)")
      let unchanged = try await home.run("share", "a.mp4", "--privacy", "private")
      #expect(unchanged.status == 0 && unchanged.output.contains(id), "\(unchanged)")
      // The original options differ from the edited highlight.
      let first = try refusal(of: try await home.run("share", "a.mp4", "--caption", "X", "--hide-likes", "--json"))
      #expect(first.facts?["flags"] == "--caption … --privacy public --hide-likes")
      #expect(try await home.run("highlights", "edit", String(id), "--caption", "X", "--hide-likes").status == 0)
      #expect(try await home.run("highlights", "edit", String(id), "--privacy", "public").status == 0)
      #expect(try await home.run("share", "a.mp4", "--caption", "X", "--hide-likes").status == 0)
      #expect(try await home.highlights().count == 1)
    }

    @Test func postIsNotSharedTwice() async throws {
      let home = try home()
      let id = try await share(home, "a.mp4", "bb.mp4", "--together", "--caption", "X", "--privacy", "private").prefix(
        8)
      for (arguments, flags) in [
        (["a.mp4", "bb.mp4", "--caption", "Y"], "--caption … --privacy public"),
        // No option of an edit changes the order.
        (["bb.mp4", "a.mp4", "--caption", "X", "--privacy", "private"], nil),
      ] as [([String], String?)] {
        let dryRun = try await home.start(["share", "--together", "-n"] + arguments).outcome()
        let again = try refusal(of: try await home.start(["share", "--together", "--json"] + arguments).outcome())
        #expect(again.facts?["highlight"] == String(id) && again.facts?["flags"] == flags, "\(again)")
        // The note of the dry run has the same reason.
        #expect(dryRun.status == 0 && dryRun.errors.contains(again.why), "\(dryRun)")
      }
      let same = ["share", "--together", "a.mp4", "bb.mp4", "--caption", "X", "--privacy", "private"]
      for arguments in [same + ["-n"], same] {
        let unchanged = try await home.start(arguments).outcome()
        #expect(unchanged.status == 0 && unchanged.errors.contains("--force"), "\(unchanged)")
        #expect(!unchanged.errors.contains(id), "\(unchanged)")
      }
      #expect(try await home.highlights().count == 1)
      // Other clips, or one clip alone, are other highlights.
      #expect(try await home.run("share", "--together", "a.mp4", "ccc.mp4").status == 0)
      #expect(try await home.run("share", "a.mp4").status == 0)
      #expect(try await home.highlights().count == 3)
      #expect(try await home.run("highlights", "edit", String(id), "--caption", "Z").status == 0)
      let changed = try refusal(of: try await home.start(same + ["--json"]).outcome())
      #expect(changed.facts?["flags"] == "--caption …", "\(changed)")
      try await delete(home, String(id))
      #expect(try await home.run("share", "--together", "bb.mp4", "a.mp4", "--caption", "Y").status == 0)
    }

    /// While the backend is unreachable, a clip that may be shared already is not sent, without a job and with one wait.
    @Test(.enabled(if: TestScope.isFull, "slow: Scripts/test --all")) func possibleDuplicateRequiresBackend()
      async throws
    {
      let server = try await MuxServer()
      var home = try MuxTests.home(server)
      for name in ["a", "bb"] { _ = try home.distinctClip("rally-portrait", named: name) }
      #expect(try await home.run("share", "a.mp4", "bb.mp4", "--caption", "X").status == 0)
      // Mux has no privacy levels.
      let privately = try await home.run("share", "a.mp4", "--caption", "X", "--privacy", "private")
      #expect(privately.status == 0 && server.assetCount == 2, "\(privately)")
      let other = try await home.run("share", "a.mp4", "--caption", "Y", "--json")
      #expect(try refusal(of: other, id: "share.exists-at-mux").facts?["flags"] == "--caption …", "\(other)")
      #expect(!other.errors.contains("highlights edit"), "\(other)")
      home.environment["BSC_MUX_URL"] = "http://127.0.0.1:9"
      let offline = try await home.run("share", "a.mp4", "bb.mp4", "--caption", "Y", "--json")
      #expect(offline.status == 6 && !offline.errors.contains("bsc resume"), "\(offline)")
      #expect(offline.failures.map(\.id) == Array(repeating: "share.backend-unreachable", count: 2), "\(offline)")
      #expect(Set(offline.failures.map { $0.facts?["file"] }) == ["a.mp4", "bb.mp4"], "\(offline)")
      #expect(offline.errors.ranges(of: "up to 30 s").count == 1, "\(offline)")
      #expect(try await home.jobs().count == 2)
    }
  }
}
