import ClipModel
import Foundation
import Highlights
import TestSupport
import Testing

extension EndToEnd {
  /// `bsc highlights export` on one machine, and `bsc share` of it on another.
  @Suite struct RestoreTests {
    /// Privacy is restored, also without rally metadata, and two highlights of the same bytes stay separate.
    @Test func highlightsAreRestoredUnchanged() async throws {
      let (home, other) = (try BSCHome(), try BSCHome())
      let plain = SharedMedia.sample("no-metadata.mp4")
      #expect(
        try await home.run(
          "share", plain, "--allow-no-metadata", "--privacy", "private", "--hide-likes", "--caption", "only us #team"
        ).status == 0)
      let rally = SharedMedia.sample("rally-portrait.mp4")
      for caption in ["first", "second"] {
        #expect(try await home.run("share", rally, "--caption", caption, "--force").status == 0)
      }
      #expect(try await home.highlights().count == 3)
      #expect(try await home.run("highlights", "export", "backup").status == 0)
      let folder = home.folder.path("backup")
      let clips = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".mp4") }.sorted()
      #expect(clips.count == 3)
      let outcome = try await other.start(
        ["share"] + clips.map { "\(folder)/\($0)" } + ["--allow-no-metadata"]
      ).outcome()
      #expect(outcome.status == 0, "\(outcome)")
      let before = try await home.highlights().sorted { ($0.caption ?? "") < ($1.caption ?? "") }
      let after = try await other.highlights().sorted { ($0.caption ?? "") < ($1.caption ?? "") }
      #expect(after.map(\.caption) == ["first", "only us #team", "second"], "\(outcome)")
      #expect(after.map(\.privacy) == before.map(\.privacy) && after.map(\.hideLikes) == before.map(\.hideLikes))
      #expect([after.first?.id, after.last?.id] == [before.first?.id, before.last?.id])
      // If the highlights still exist, exported rallies are not sent again.
      let rallies = clips.filter { FileManager.default.fileExists(atPath: "\(folder)/\($0.dropLast(3))json") }
      #expect(rallies.count == 2)
      let again = try await home.start(["share"] + rallies.map { "\(folder)/\($0)" }).outcome()
      #expect(again.status == 0, "\(again)")
      let json = try await home.start(["share", "--json"] + rallies.map { "\(folder)/\($0)" }).outcome()
      let lines = json.output.split(separator: "\n")
      #expect(lines.count == 2 && lines.allSatisfy { $0.contains("\"status\":\"existing\"") }, "\(json)")
      #expect(try await home.highlights().count == 3)
      // Other options are still applied, and a part of the clip becomes another highlight.
      let backup = "\(folder)/\(rallies[0])"
      let dryRun = try await home.run("share", "-n", backup)
      // The note names the highlight that the clip was exported from.
      let id = rallies[0].dropFirst("highlight-".count).prefix(8)
      #expect(dryRun.status == 0 && dryRun.errors.contains(" \(id);"), "\(dryRun)")
      let changed = try await home.run("share", backup, "--caption", "Two", "--privacy", "private")
      #expect(changed.status == 4 && changed.errors.contains("--caption … --privacy private"), "\(changed)")
      let several = try await home.start(["share", backup, home.folder.path("gone.mp4")]).outcome()
      #expect(several.status == 3, "\(several)")
      let part = try await home.run("share", backup, "--from", "0", "--to", "3.5")
      #expect(part.status == 0, "\(part)")
      #expect(try await home.highlights().count == 4)
    }

    /// One run restores a clip with its own highlight and the same clip in a highlight of several.
    @Test func clipIsRestoredAlongsidePost() async throws {
      let home = try BSCHome()
      for name in ["bb", "c"] { _ = try home.distinctClip("rally-portrait", named: name) }
      #expect(try await home.run("share", "c.mp4", "--caption", "alone").status == 0)
      #expect(try await home.run("share", "c.mp4", "bb.mp4", "--together", "--caption", "both").status == 0)
      #expect(try await home.run("highlights", "export", "backup").status == 0)
      for highlight in try await home.highlights() {
        #expect(try await home.run("highlights", "delete", highlight.id.uuidString, "--force").status == 0)
      }
      let folder = home.folder.path("backup")
      let clips = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".mp4") }.sorted()
      let outcome = try await home.start(["share"] + clips.map { "\(folder)/\($0)" }).outcome()
      #expect(outcome.status == 0, "\(outcome)")
      #expect(Set(try await home.highlights().map(\.caption)) == ["alone", "both"])
    }
  }
}
