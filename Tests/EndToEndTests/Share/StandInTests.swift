import ClipModel
import Foundation
import ShareEngine
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension EndToEnd {
  /// `bsc serve` replaces a Supabase project and Mux for bsc in another environment.
  @Suite struct StandInTests {
    @Test func projectHighlightIsSharedEditedAndDeleted() async throws {
      let project = try await StandInProject(try BSCHome())
      let (ann, bob) = (try await project.member("ann"), try await project.member("bob"))

      // `run` rejects any token in the output, but the URL of a private video has one.
      let shared = try await ann.start([
        "share", try ann.clip("rally-portrait"), "--caption", "Ace #serve", "--privacy", "private", "--json",
      ]).outcome()
      #expect(shared.status == 0, "\(shared)")
      let answer = try #require(try ShareAnswer.all(in: shared.output).first)
      let id = try #require(answer.highlight).id.uuidString.lowercased()
      let address = try #require(answer.videoURL)
      let video = try #require(URL(string: address))
      let playlist = try await URLSession.shared.data(from: video).0
      #expect(String(decoding: playlist, as: UTF8.self).hasPrefix("#EXTM3U"))

      // It stays private until its author changes that.
      #expect(try await bob.run("highlights", "list").output.isEmpty)
      #expect(try await bob.run("highlights", "delete", id, "--force").status != 0)
      let edited = try await ann.run("highlights", "edit", id, "--caption", "For all #beach", "--privacy", "public")
      #expect(edited.status == 0, "\(edited)")
      #expect(try await bob.run("highlights", "list").output.contains("For all #beach"))
      let stolen = try await bob.run("highlights", "delete", id, "--force")
      #expect(stolen.status != 0, "\(stolen)")

      let folder = ann.folder.path("export")
      let exported = try await ann.run("highlights", "export", folder)
      #expect(exported.status == 0, "\(exported)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).contains { $0.hasSuffix(".mp4") })

      #expect(try await ann.run("highlights", "delete", id, "--force").status == 0)
      #expect(try await bob.run("highlights", "list").output.isEmpty)
    }

    /// Two users of one machine can share the same clip, each with a separate highlight.
    @Test func highlightsOfAccountsAreSeparate() async throws {
      let project = try await StandInProject(try BSCHome())
      let ann = try await project.member("ann")
      var bob = ann
      bob.environment = try await project.member("bob").environment.merging(
        ann.environment.filter { $0.key == "HOME" || $0.key.hasPrefix("XDG_") }
      ) { $1 }
      let clip = try ann.clip("rally-portrait")
      #expect(try await ann.run("share", clip, "--caption", "A").status == 0)
      let run = try await bob.run("share", clip, "--caption", "A", "--json")
      #expect(run.status == 0, "\(run)")
      let ids = try await ann.run("highlights", "list").output.split(separator: "\n")
      #expect(ids.count == 2, "\(ids)")
      // Now both users have a highlight.
      for person in [ann, bob] {
        let again = try await person.run("share", clip, "--caption", "A")
        #expect(again.status == 0 && again.errors.contains("--force"), "\(again)")
      }
    }

    /// While the backend is unreachable, an exported clip with other options is not shared.
    @Test func changedOptionsOfExportedClipRequireBackend() async throws {
      let project = try await StandInProject(try BSCHome())
      var ann = try await project.member("ann")
      #expect(try await ann.run("share", try ann.clip("rally-portrait"), "--caption", "one").status == 0)
      #expect(try await ann.run("highlights", "export", "backup").status == 0)
      let name = try #require(
        try FileManager.default.contentsOfDirectory(atPath: ann.folder.path("backup")).first { $0.hasSuffix(".mp4") })
      let list = try await ann.run("highlights", "list", "--json").output
      let id = try JSONDecoder().decode(Highlight.self, from: Data(list.utf8)).id.uuidString
      #expect(try await ann.run("highlights", "delete", id, "--force").status == 0)
      #expect(try await ann.run("share", "backup/\(name)").status == 0)
      ann.environment["BSC_SUPABASE_URL"] = "http://127.0.0.1:9"
      let offline = try await ann.run("share", "backup/\(name)", "--caption", "two", "--privacy", "private", "--json")
      #expect(offline.status == 6 && offline.failures.map(\.category) == [.remote], "\(offline)")
      #expect(!offline.errors.contains("bsc resume"), "\(offline)")
      ann.environment["BSC_SUPABASE_URL"] = project.server.baseURL.absoluteString
      let refused = try await ann.run("share", "backup/\(name)", "--caption", "two", "--privacy", "private")
      #expect(refused.status == 4 && refused.errors.contains("--caption … --privacy private"), "\(refused)")
    }

    @Test func accountDeletionIsRequestedAndCancelled() async throws {
      let project = try await StandInProject(try BSCHome())
      let ann = try await project.member("ann")
      let asked = try await ann.run("account", "delete", "--yes-delete", "ann@example.org")
      #expect(asked.status == 0, "\(asked)")
      let cancel = try await ann.run("account", "delete", "--cancel")
      #expect(cancel.status == 0, "\(cancel)")
    }

    @Test func muxClipIsUploadedOnceAndPlays() async throws {
      let project = try await StandInProject(try BSCHome())
      let (server, keys) = (project.server, project.keys)
      var home = try BSCHome()
      home.environment["BSC_BACKEND"] = "mux"
      home.environment["BSC_MUX_URL"] = server.baseURL.absoluteString
      home.environment["BSC_MUX_STREAM_URL"] = server.baseURL.absoluteString + "/stream"
      home.environment["BSC_MUX_IMAGE_URL"] = server.baseURL.absoluteString + "/image"
      home.environment["BSC_MUX_TOKEN_ID"] = keys["mux_token_id"]
      home.environment["BSC_MUX_TOKEN_SECRET"] = keys["mux_token_secret"]
      let clip = try home.clip("rally-portrait")
      for _ in 0..<2 {
        let run = try await home.run("share", clip, "--caption", "Ace", "--json")
        #expect(run.status == 0, "\(run)")
        let answer = try #require(try ShareAnswer.all(in: run.output).first)
        for address in [answer.videoURL, answer.thumbnailURL] {
          let url = try #require(URL(string: address ?? ""))
          let response = try await URLSession.shared.data(from: url).1
          #expect((response as? HTTPURLResponse)?.statusCode == 200, "\(url)")
        }
      }
      let assets = try await URLSession.shared.data(
        for: Self.muxRequest(server.baseURL.appending(path: "video/v1/assets"), keys)
      ).0
      struct List: Decodable {
        struct Asset: Decodable { var id: String }
        var data: [Asset]
      }
      #expect(try JSONDecoder().decode(List.self, from: assets).data.count == 1)
    }

    private static func muxRequest(_ url: URL, _ keys: [String: String]) -> URLRequest {
      var request = URLRequest(url: url)
      let pair = "\(keys["mux_token_id"] ?? ""):\(keys["mux_token_secret"] ?? "")"
      request.setValue("Basic " + Data(pair.utf8).base64EncodedString(), forHTTPHeaderField: "Authorization")
      return request
    }
  }
}
