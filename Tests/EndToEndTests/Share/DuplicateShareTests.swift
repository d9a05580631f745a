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

    /// The newest highlight of the clip was deleted, but an older private one exists.
    @Test func olderHighlightPreventsShare() async throws {
      let home = try home()
      let first = try await share(home, "a.mp4", "--caption", "X")
      #expect(try await home.run("highlights", "edit", first, "--privacy", "private").status == 0)
      try await delete(home, try await share(home, "a.mp4", "--caption", "Z", "--force"))
      let again = try await home.run("share", "a.mp4", "--caption", "W")
      #expect(again.status == 4 && again.errors.contains("privacy private"), "\(again)")
      #expect(again.errors.contains(first.prefix(8)), "\(again)")
      try await delete(home, first)
      #expect(try await home.run("share", "a.mp4", "--caption", "W").status == 0)
    }

    /// The highlight with the same options was deleted, but one with other options exists.
    @Test func highlightWithOtherOptionsPreventsShare() async throws {
      let home = try home()
      let first = try await share(home, "a.mp4")
      let second = try await share(home, "a.mp4", "--privacy", "private", "--force")
      try await delete(home, first)
      let again = try await home.run("share", "a.mp4")
      #expect(
        again.status == 4 && again.errors.contains("highlight \(second.prefix(8)), with privacy private"), "\(again)")
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
      #expect(unchanged.status == 0 && unchanged.output.contains("already shared \(id)"), "\(unchanged)")
      // The original options differ from the edited highlight.
      let first = try await home.run("share", "a.mp4", "--caption", "X", "--hide-likes")
      #expect(first.status == 4 && first.errors.contains("with a different caption and privacy private"), "\(first)")
      #expect(try await home.run("highlights", "edit", String(id), "--caption", "X", "--hide-likes").status == 0)
      #expect(try await home.run("highlights", "edit", String(id), "--privacy", "public").status == 0)
      #expect(try await home.run("share", "a.mp4", "--caption", "X", "--hide-likes").status == 0)
      #expect(try await home.highlights().count == 1)
    }

    @Test func postIsNotSharedTwice() async throws {
      let home = try home()
      let id = try await share(home, "a.mp4", "bb.mp4", "--together", "--caption", "X", "--privacy", "private").prefix(
        8)
      for (arguments, why) in [
        (["a.mp4", "bb.mp4", "--caption", "Y"], "a different caption and privacy private"),
        (["bb.mp4", "a.mp4", "--caption", "X", "--privacy", "private"], "a different order"),
      ] {
        let dryRun = try await home.start(["share", "--together", "-n"] + arguments).outcome()
        #expect(dryRun.status == 0 && dryRun.errors.contains("highlight \(id), with \(why)"), "\(dryRun)")
        let again = try await home.start(["share", "--together"] + arguments).outcome()
        #expect(again.status == 4 && again.errors.contains("highlight \(id), with \(why)\n"), "\(again)")
      }
      let same = ["share", "--together", "a.mp4", "bb.mp4", "--caption", "X", "--privacy", "private"]
      #expect(try await home.start(same + ["-n"]).outcome().errors.contains("are already shared together"))
      #expect(try await home.start(same).outcome().errors.contains("are already shared together"))
      #expect(try await home.highlights().count == 1)
      // Other clips, or one clip alone, are other highlights.
      #expect(try await home.run("share", "--together", "a.mp4", "ccc.mp4").status == 0)
      #expect(try await home.run("share", "a.mp4").status == 0)
      #expect(try await home.highlights().count == 3)
      #expect(try await home.run("highlights", "edit", String(id), "--caption", "Z").status == 0)
      let changed = try await home.start(same).outcome()
      #expect(changed.status == 4 && changed.errors.contains("with a different caption\n"), "\(changed)")
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
      #expect(privately.status == 0 && privately.output.contains("already shared"), "\(privately)")
      let other = try await home.run("share", "a.mp4", "--caption", "Y")
      #expect(
        other.status == 4 && other.errors.contains("a video in Mux, with a different caption"), "\(other)")
      #expect(!other.errors.contains("highlights edit"), "\(other)")
      home.environment["BSC_MUX_URL"] = "http://127.0.0.1:9"
      let offline = try await home.run("share", "a.mp4", "bb.mp4", "--caption", "Y")
      #expect(offline.status == 6 && offline.errors.contains("couldn't check"), "\(offline)")
      #expect(
        offline.errors.contains("next: run the same command again") && !offline.errors.contains("bsc resume"),
        "\(offline)")
      #expect(offline.errors.ranges(of: "couldn't check").count == 2, "\(offline)")
      #expect(offline.errors.contains("cannot share bb.mp4"), "\(offline)")
      #expect(offline.errors.ranges(of: "retrying for up to 30 s").count == 1, "\(offline)")
      #expect(try await home.jobs().count == 2)
    }
  }
}
