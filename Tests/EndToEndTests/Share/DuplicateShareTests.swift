import ClipModel
import Foundation
import Highlights
import ShareEngine
import TestSupport
import Testing

extension EndToEnd {
  /// What is a highlight already is not posted a second time by accident, however it came to be as it is.
  @Suite struct DuplicateShareTests {
    private func home() throws -> BSCHome {
      let home = try BSCHome()
      for name in ["a", "bb", "ccc"] { _ = try home.distinctClip("rally-portrait", named: name) }
      return home
    }

    /// Shares, and tells which highlight came of it.
    private func share(_ home: BSCHome, _ arguments: String...) async throws -> String {
      let before = Set(try await home.highlights().map(\.id))
      let run = try await home.start(["share"] + arguments).outcome()
      #expect(run.status == 0, "\(run)")
      return try #require(try await home.highlights().first { !before.contains($0.id) }).id.uuidString.lowercased()
    }

    private func delete(_ home: BSCHome, _ id: String) async throws {
      #expect(try await home.run("highlights", "delete", id, "--force").status == 0)
    }

    /// The newest was taken back; an older one, for its owner alone, is there all the same.
    @Test func anOlderHighlightCounts() async throws {
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

    /// The one of the same wish was taken back; one with another wish is there.
    @Test func aHighlightOfAnotherWishCounts() async throws {
      let home = try home()
      let first = try await share(home, "a.mp4")
      let second = try await share(home, "a.mp4", "--privacy", "private", "--force")
      try await delete(home, first)
      let again = try await home.run("share", "a.mp4")
      #expect(
        again.status == 4 && again.errors.contains("highlight \(second.prefix(8)), with privacy private"), "\(again)")
      #expect(try await home.highlights().count == 1)
    }

    /// Whoever does as they were told is content: what counts is what the highlight says by now.
    @Test func theHighlightAsItIsByNowCounts() async throws {
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
      let content = try await home.run("share", "a.mp4", "--privacy", "private")
      #expect(content.status == 0 && content.output.contains("shared before \(id)"), "\(content)")
      // Also when it is not as it was shared any more.
      let first = try await home.run("share", "a.mp4", "--caption", "X", "--hide-likes")
      #expect(first.status == 4 && first.errors.contains("with another caption, privacy private"), "\(first)")
      #expect(try await home.run("highlights", "edit", String(id), "--caption", "X", "--hide-likes").status == 0)
      #expect(try await home.run("highlights", "edit", String(id), "--privacy", "public").status == 0)
      #expect(try await home.run("share", "a.mp4", "--caption", "X", "--hide-likes").status == 0)
      #expect(try await home.highlights().count == 1)
    }

    @Test func clipsTogetherAreNotPostedTwice() async throws {
      let home = try home()
      let id = try await share(home, "a.mp4", "bb.mp4", "--together", "--caption", "X", "--privacy", "private").prefix(
        8)
      for (arguments, why) in [
        (["a.mp4", "bb.mp4", "--caption", "Y"], "another caption, privacy private"),
        (["bb.mp4", "a.mp4", "--caption", "X", "--privacy", "private"], "another order"),
      ] {
        let look = try await home.start(["share", "--together", "-n"] + arguments).outcome()
        #expect(look.status == 0 && look.errors.contains("highlight \(id), with \(why)"), "\(look)")
        let again = try await home.start(["share", "--together"] + arguments).outcome()
        #expect(again.status == 4 && again.errors.contains("highlight \(id), with \(why)\n"), "\(again)")
      }
      let same = ["share", "--together", "a.mp4", "bb.mp4", "--caption", "X", "--privacy", "private"]
      #expect(try await home.start(same + ["-n"]).outcome().errors.contains("were shared together before"))
      #expect(try await home.start(same).outcome().errors.contains("were shared together before"))
      #expect(try await home.highlights().count == 1)
      // Other clips, and one by itself, are other highlights.
      #expect(try await home.run("share", "--together", "a.mp4", "ccc.mp4").status == 0)
      #expect(try await home.run("share", "a.mp4").status == 0)
      #expect(try await home.highlights().count == 3)
      #expect(try await home.run("highlights", "edit", String(id), "--caption", "Z").status == 0)
      let changed = try await home.start(same).outcome()
      #expect(changed.status == 4 && changed.errors.contains("with another caption\n"), "\(changed)")
      try await delete(home, String(id))
      #expect(try await home.run("share", "--together", "bb.mp4", "a.mp4", "--caption", "Y").status == 0)
    }

    /// What may be there already is not sent while nobody can tell; no job is left of it, and nobody waits twice.
    @Test func withoutTheBackendNobodyCanTell() async throws {
      let server = try await MuxServer()
      var home = try MuxTests.home(server)
      for name in ["a", "bb"] { _ = try home.distinctClip("rally-portrait", named: name) }
      #expect(try await home.run("share", "a.mp4", "bb.mp4", "--caption", "X").status == 0)
      // Who may see it means nothing there.
      let privately = try await home.run("share", "a.mp4", "--caption", "X", "--privacy", "private")
      #expect(privately.status == 0 && privately.output.contains("shared before"), "\(privately)")
      let other = try await home.run("share", "a.mp4", "--caption", "Y")
      #expect(
        other.status == 4 && other.errors.contains("a video at Mux, with another caption"), "\(other)")
      #expect(!other.errors.contains("highlights edit"), "\(other)")
      home.environment["BSC_MUX_URL"] = "http://127.0.0.1:9"
      let away = try await home.run("share", "a.mp4", "bb.mp4", "--caption", "Y")
      #expect(away.status == 6 && away.errors.contains("couldn't check"), "\(away)")
      #expect(
        away.errors.contains("next: run the same command again") && !away.errors.contains("bsc resume"), "\(away)")
      #expect(away.errors.ranges(of: "couldn't check").count == 2, "\(away)")
      #expect(away.errors.contains("cannot share bb.mp4"), "\(away)")
      #expect(away.errors.ranges(of: "trying again for half a minute").count == 1, "\(away)")
      #expect(try await home.jobs().count == 2)
    }
  }
}
