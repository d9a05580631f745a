import ClipMedia
import ClipModel
import Foundation
import ShareEngine
import TestSupport
import Testing

extension EndToEnd {
  /// `bsc highlights edit`, `delete` and `export`.
  @Suite struct HighlightCommandTests {
    private static func home(_ server: ProjectServer) throws -> BSCHome {
      var home = try BSCHome()
      home.environment["BSC_BACKEND"] = "supabase"
      home.environment["BSC_SUPABASE_URL"] = server.auth.url.absoluteString
      home.environment["BSC_SUPABASE_KEY"] = "sb_publishable_abc"
      home.environment["BSC_SUPABASE_REFRESH_TOKEN"] = server.auth.startSession()
      return home
    }

    private static let (own, others) = ("3f2a0000-0000-4000-8000-000000000001", "3f2b0000-0000-4000-8000-000000000002")

    private static func row(_ id: String, author: String, video: String = "pb1") -> String {
      """
      {"id":"\(id)","author_id":"\(author)","mux_playback_id":"\(video)","caption":"Old #ace","tags":["ace"],
      "duration":5.28,"confidence":0.5,"quality":0.25,"detection_count":7,"privacy_level":"public","hide_likes":false,
      "local_video_id":"3B9AC9FF-52D4-4C0E-A7B8-6F1D2E3C4B5A","local_rally_index":4,
      "created_at":"2026-11-22T12:00:00.5+00:00"}
      """
    }

    private static func server() async throws -> ProjectServer {
      let server = try await ProjectServer()
      server.set {
        $0.highlights = [own: row(own, author: AuthServer.userID), others: row(others, author: "another-user")]
      }
      return server
    }

    /// A list that ends at its limit prints the offset of the next part.
    @Test func limitedListPrintsNextOffset() async throws {
      let home = try BSCHome()
      for name in ["first", "another"] {
        let clip = try home.distinctClip("rally-portrait", named: name)
        #expect(try await home.run("share", clip, "--json").status == 0)
      }
      let short = try await home.run("highlights", "list", "--limit", "1")
      #expect(short.status == 0 && short.output.split(separator: "\n").count == 1, "\(short)")
      #expect(short.errors.contains("--offset 1"), "\(short)")
      let whole = try await home.run("highlights", "list", "--limit", "2")
      #expect(whole.status == 0 && whole.output.split(separator: "\n").count == 2, "\(whole)")
      #expect(!whole.errors.contains("--offset"), "\(whole)")
    }

    /// A trimmed highlight keeps its ID, and its file contains only the part.
    @Test func trimShortensTheStoredClip() async throws {
      let home = try BSCHome()
      let share = try await home.run("share", try home.distinctClip("rally-portrait", named: "match"), "--json")
      let answer = try #require(try ShareAnswer.all(in: share.output).first)
      let id = try #require(answer.highlight?.id.uuidString.lowercased())
      let refused = try await home.run("highlights", "trim", id, "--from", "1")
      #expect(refused.status == 64 && refused.errors.contains("--force"), "\(refused)")
      let trim = try await home.run("highlights", "trim", id, "--from", "1", "--to", "4.5", "--force", "--json")
      #expect(trim.status == 0 && trim.output.contains("\"duration\":3.5"), "\(trim)")
      let highlight = try #require(try await home.highlights().first)
      #expect(highlight.id.uuidString.lowercased() == id && highlight.muxAssetID != answer.highlight?.muxAssetID)
      let probe = try await Prober.probe(path: try home.storedClip(highlight))
      #expect(abs((probe.shownSeconds ?? 0) - 3.5) < 0.2)
      for (part, error) in [
        (["--from", "2"], "highlight.trim-length"), (["--from", "9"], "highlight.trim-outside"),
        (["--to", "9"], "highlight.trim-outside"),
      ] {
        let run = try await home.run(["highlights", "trim", id, "--force", "--json"] + part)
        #expect(run.status == 64 && run.failures.map(\.id) == [error], "\(run)")
      }
      #expect(try await home.run("highlights", "trim", id, "--force").status == 64)
    }

    /// The URLs of a highlight that isn't public contain a token.
    @Test func closedHighlightHasSignedURLs() async throws {
      let home = try BSCHome()
      let clip = try home.distinctClip("rally-portrait", named: "match")
      // `run` rejects any token in the output, because tokens of upload URLs must not be printed.
      let share = try await home.start(["share", clip, "--privacy", "followers_only", "--json"]).outcome()
      #expect(share.status == 0, "\(share)")
      let answer = try #require(try ShareAnswer.all(in: share.output).first)
      let highlight = try #require(answer.highlight)
      #expect(highlight.muxPlaybackID == nil && answer.videoURL?.contains(".mp4?token=") == true, "\(share)")
      let export = try await home.run("highlights", "export", home.folder.path("out"), "--json")
      #expect(export.status == 0, "\(export)")
    }

    @Test func editChangesOnlyGivenFields() async throws {
      let server = try await Self.server()
      let home = try Self.home(server)
      let edit = try await home.run("highlights", "edit", "3f2a", "--caption", "New #Spike #spike", "--json")
      #expect(edit.status == 0, "\(edit)")
      let patch = try #require(server.auth.requests.last { $0.method == "PATCH" })
      #expect(patch.body == #"{"caption":"New #Spike #spike","tags":["spike"]}"#)
      #expect(patch.target.contains("id=eq.\(Self.own)"))
      let second = try await home.run("highlights", "edit", Self.own, "--privacy", "private", "--hide-likes")
      #expect(second.status == 0 && second.output.hasPrefix("changed \(Self.own)"), "\(second)")
      #expect(
        server.auth.requests.last { $0.method == "PATCH" }?.body == #"{"hide_likes":true,"privacy_level":"private"}"#)
      #expect(try await home.run("highlights", "edit", "3f2a", "--caption", "").status == 0)
      #expect(server.auth.requests.last { $0.method == "PATCH" }?.body == #"{"caption":null,"tags":[]}"#)
      #expect(try await home.run("highlights", "edit", "3f2a", "--allow-downloads").status == 0)
      #expect(server.auth.requests.last { $0.method == "PATCH" }?.body == #"{"allow_downloads":true}"#)
      #expect(try await home.run("highlights", "edit", "3f2a", "--no-downloads").status == 0)
      #expect(server.auth.requests.last { $0.method == "PATCH" }?.body == #"{"allow_downloads":false}"#)
      #expect(try await home.run("highlights", "edit", "3f2a").status == 64)
      let long = String(repeating: "🇩🇪", count: 2201)
      let changes = server.auth.requests.count { $0.method == "PATCH" }
      let refused = try await home.run("highlights", "edit", "3f2a", "--caption", long, "--json")
      #expect(refused.status == 4 && refused.failures.map(\.id) == ["highlight.caption-too-long"], "\(refused)")
      let facts = try #require(refused.failures.first?.facts, "\(refused)")
      #expect(facts["highlight"] == "3f2a" && facts["count"] == "2201" && facts["limit"] == "2200", "\(refused)")
      #expect(server.auth.requests.count { $0.method == "PATCH" } == changes)
    }

    @Test(arguments: ["edit", "delete"]) func highlightsOfOthersAreUnchanged(verb: String) async throws {
      let server = try await Self.server()
      let home = try Self.home(server)
      let change = verb == "edit" ? ["--caption", "Mine"] : ["--force"]
      let outcome = await (try home.start(["highlights", verb, "3f2b", "--json"] + change)).outcome()
      home.expectConventions(of: outcome)
      #expect(outcome.status == 66 && outcome.failures.map(\.id) == ["highlight.not-yours"], "\(outcome)")
      #expect(server.state.highlights[Self.others] == Self.row(Self.others, author: "another-user"))
      let short = try await home.run("highlights", "open", "3f2", "--json")
      #expect(short.failures.map(\.id) == ["highlight.short-id"], "\(short)")
    }

    /// An exported highlight is shared once on another backend, with the same id.
    @Test func exportIsSharedOnAnotherBackend() async throws {
      let home = try BSCHome()
      let share = try await home.run(
        "share", try home.clip("rally-portrait"), "--caption", "Ace #serve", "--privacy", "followers_only",
        "--hide-likes")
      #expect(share.status == 0, "\(share)")
      let original = try #require(try await home.highlights().first)
      let export = try await home.run("highlights", "export", "backup")
      #expect(export.status == 0, "\(export)")
      let folder = home.folder.path("backup")
      let base = "highlight-\(original.id.uuidString.lowercased())"
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
          == [".jpg", ".json", ".mp4", ".row.json"].map { base + $0 })
      let clip = "\(folder)/\(base).mp4"
      #expect(FileManager.default.contentsEqual(atPath: clip, andPath: try home.storedClip(original)))
      #expect(try Data(contentsOf: URL(filePath: "\(folder)/\(base).jpg")).starts(with: [0xFF, 0xD8, 0xFF]))
      let again = try await home.run("highlights", "export", "backup", String(base.dropFirst(10).prefix(8)), "--json")
      #expect(again.status == 0 && again.output.contains(#""wasThere":true"#), "\(again)")

      let other = try BSCHome()
      for _ in 1...2 {
        let run = try await other.run("share", clip)
        #expect(run.status == 0, "\(run)")
      }
      let rows = try await other.highlights()
      #expect(rows.count == 1)
      let copy = try #require(rows.first)
      #expect(copy.id == original.id && copy.caption == "Ace #serve" && copy.tags == ["serve"])
      #expect(copy.privacy == .followersOnly && copy.hideLikes)
      #expect(copy.localVideoID == original.localVideoID && copy.localRallyIndex == original.localRallyIndex)
      // The original backend recognizes it.
      let reshared = try await home.run("share", clip)
      #expect(reshared.status == 0 && reshared.output.contains(original.id.uuidString.lowercased()), "\(reshared)")
      #expect(try await home.highlights().count == 1)
    }

    /// Mux provides only a stream for this highlight, and no file.
    @Test func failedExportLeavesNoFiles() async throws {
      let server = try await Self.server()
      var home = try Self.home(server)
      home.environment["BSC_MUX_STREAM_URL"] = server.auth.url.absoluteString + "/stream"
      let run = try await home.run("highlights", "export", "backup", "--json")
      #expect(run.status == 3 && run.failures.map(\.id) == ["export.no-file"], "\(run)")
      #expect(!run.errors.contains(Self.others), "only highlights of the user")
      let names = (try? FileManager.default.contentsOfDirectory(atPath: home.folder.path("backup"))) ?? []
      #expect(names.isEmpty, "\(names)")
    }
  }
}
