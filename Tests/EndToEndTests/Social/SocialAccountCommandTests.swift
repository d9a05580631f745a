import ClipModel
import Foundation
import Social
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension EndToEnd {
  /// Polls, search, notifications, settings, reports and moderation of `bsc social`, with accounts of a local backend.
  @Suite struct SocialAccountCommandTests {
    private static func run(
      _ home: BSCHome, _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [SocialAnswer] {
      try await SocialAnswer.all(of: home, ["social"] + arguments, sourceLocation: sourceLocation)
    }

    private static func share(_ home: BSCHome, _ caption: String, _ more: String...) async throws -> String {
      // The addresses of a video that isn't public contain tokens.
      let run = await
        (try home.start(["share", try home.clip("rally-portrait"), "--caption", caption, "--json"] + more)).outcome()
      #expect(run.status == 0, "\(run)")
      return try #require(try ShareAnswer.all(in: run.output).first?.highlight).id.uuidString.lowercased()
    }

    private static func profile(_ home: BSCHome) async throws -> Profile {
      try #require(try await run(home, "profile").first?.profile)
    }

    @Test func voteIsCountedAndMoved() async throws {
      let project = try await StandInProject(try BSCHome())
      let (ann, bob) = (try await project.member("ann"), try await project.member("bob"))
      let id = try await Self.share(ann, "Who?")
      let (poll, first, second) = (UUID().uuidString.lowercased(), UUID().uuidString, UUID().uuidString)
      try await project.postAsService(
        "rest/v1/polls", #"{"id":"\#(poll)","highlight_id":"\#(id)","question":"Who?"}"#)
      try await project.postAsService(
        "rest/v1/poll_options",
        """
        [{"id":"\(first)","poll_id":"\(poll)","text":"Ann","sort_order":0},
        {"id":"\(second)","poll_id":"\(poll)","text":"Bob","sort_order":1}]
        """)
      #expect(try await Self.run(bob, "poll", "vote", id, "1").first?.poll?.options.map(\.voteCount) == [1, 0])
      #expect(try await Self.run(bob, "poll", "vote", id, "2").first?.poll?.options.map(\.voteCount) == [0, 1])
      let shown = try #require(try await Self.run(ann, "poll", "show", id).first?.poll)
      #expect(shown.totalVotes == 1 && shown.options.map(\.text) == ["Ann", "Bob"])
      let none = try await bob.run("social", "poll", "vote", id, "3", "--json")
      #expect(none.status == 64 && none.failures.map(\.id) == ["social.no-poll-option"], "\(none)")
    }

    @Test func peopleTagsAndHighlightsAreFound() async throws {
      let project = try await StandInProject(try BSCHome())
      let (ann, bob) = (try await project.member("ann"), try await project.member("bob"))
      let id = try await Self.share(ann, "Matchball am Strand #beachfinale")
      _ = try await Self.run(ann, "profile", "edit", "--username", "annafinder", "--team", "Strandclub")
      #expect(
        try await Self.run(bob, "search", "annafinder", "--in", "people").map(\.profile?.username) == ["annafinder"])
      let found = try await Self.run(bob, "search", "matchball", "--in", "highlights")
      #expect(found.map { $0.highlight?.id.uuidString.lowercased() } == [id])
      #expect(try await Self.run(bob, "search", "nothinglikethis").isEmpty)
    }

    @Test func pictureIsStoredWithoutMetadataAndRemoved() async throws {
      let project = try await StandInProject(try BSCHome())
      let ann = try await project.member("ann")
      let jpeg: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xFE, 0, 8] + Array("secret".utf8) + [0xFF, 0xDA, 0, 2, 1, 2, 0xFF, 0xD9]
      let path = ann.folder.path("me.jpg")
      try Data(jpeg).write(to: URL(filePath: path))
      let profile = try #require(try await Self.run(ann, "profile", "edit", "--avatar", path).first?.profile)
      let address = try #require(profile.avatarURL.flatMap { URL(string: $0) })
      let (stored, _) = try await URLSession.shared.data(from: address)
      #expect(stored.count == jpeg.count - 10 && stored.starts(with: [0xFF, 0xD8]))
      #expect(try await Self.run(ann, "profile", "edit", "--avatar", "").first?.profile?.avatarURL == nil)
      let (_, response) = try await URLSession.shared.data(from: address)
      #expect((response as? HTTPURLResponse)?.statusCode == 404)
      try Data("text".utf8).write(to: URL(filePath: path))
      let text = try await ann.run("social", "profile", "edit", "--avatar", path, "--json")
      #expect(text.status == 4 && text.failures.map(\.id) == ["social.picture-unreadable"], "\(text)")
      let missing = try await ann.run("social", "profile", "edit", "--avatar", path + "x", "--json")
      #expect(missing.failures.map(\.id) == ["file.not-found"], "\(missing)")
    }

    @Test func notificationsAreListedAndRead() async throws {
      let project = try await StandInProject(try BSCHome())
      let (ann, bob) = (try await project.member("ann"), try await project.member("bob"))
      let id = try await Self.share(ann, "Ace")
      let name = try await Self.profile(bob).username
      let comment = try #require(try await Self.run(bob, "comment", "add", id, "Nice").first?.id)
      _ = try await Self.run(bob, "like", id)
      let list = try await Self.run(ann, "notifications")
      #expect(Set(list.compactMap(\.notification?.kind)) == ["like", "comment"])
      #expect(list.allSatisfy { $0.actors == [name] && $0.notification?.isRead == false })
      #expect(list.compactMap(\.notification?.commentID) == [comment])
      _ = try await Self.run(ann, "notifications", "read")
      #expect(try await Self.run(ann, "notifications", "list", "--unread").isEmpty)
      #expect(try await Self.run(ann, "notifications").allSatisfy { $0.notification?.isRead == true })
      // A reaction is removed like it was added.
      _ = try await Self.run(ann, "react", comment.uuidString, "🔥")
      #expect(try await Self.run(bob, "notifications").map(\.notification?.kind) == ["reaction"])
      _ = try await Self.run(ann, "react", comment.uuidString, "🔥", "--remove")
      #expect(try await Self.run(bob, "notifications").isEmpty)
    }

    /// `--privacy` takes precedence over the account's setting.
    @Test func newHighlightsHaveTheAccountsPrivacyLevel() async throws {
      let project = try await StandInProject(try BSCHome())
      var ann = try await project.member("ann")
      _ = try await Self.run(ann, "settings", "--share-privacy", "private")
      for (options, level) in [([], PrivacyLevel.onlyMe), (["--privacy", "followers_only"], .followersOnly)] {
        let clip = try ann.distinctClip("rally-portrait", named: "clip \(level)")
        let run = await (try ann.start(["share", clip, "--json"] + options)).outcome()
        #expect(try ShareAnswer.all(in: run.output).first?.highlight?.privacy == level, "\(run)")
      }
      // The account's level is the same as that of the earlier share. Another level is different.
      let again = await (try ann.start(["share", "clip onlyMe.mp4", "--json"])).outcome()
      #expect(again.status == 0, "\(again)")
      let open = await (try ann.start(["share", "clip onlyMe.mp4", "--privacy", "public"])).outcome()
      #expect(open.status == 4, "\(open)")
      #expect(try await ann.highlights().count == 2)
      ann.environment["BSC_SHARE_PRIVACY"] = "public"
      let clip = try ann.distinctClip("rally-portrait", named: "clip of the environment")
      let run = try await ann.run("share", clip, "--json")
      #expect(try ShareAnswer.all(in: run.output).first?.highlight?.privacy == .everyone, "\(run)")
    }

    @Test func settingsAreStored() async throws {
      let project = try await StandInProject(try BSCHome())
      let ann = try await project.member("ann")
      #expect(try await Self.run(ann, "settings").first?.settings == AccountSettings())
      var expected = AccountSettings()
      (expected.allowsDownloads, expected.sharePrivacy) = (true, .followersOnly)
      let change = try await Self.run(ann, "settings", "--downloads", "on", "--share-privacy", "followers_only")
      #expect(change.first?.settings == expected)
      #expect(try await Self.run(ann, "settings", "--push", "off").first?.settings?.allowsDownloads == true)
      expected.isPushEnabled = false
      #expect(try await Self.run(ann, "settings").first?.settings == expected)
    }

    /// The account of a young person is protected from then on.
    @Test func dateOfBirthIsSetOnce() async throws {
      let project = try await StandInProject(try BSCHome())
      let ann = try await project.member("ann")
      func set(_ date: String) async throws -> (Int32, [String]) {
        let run = try await ann.run("social", "settings", "--birth-date", date, "--json")
        return (run.status, run.failures.map(\.id))
      }
      let year = Calendar(identifier: .gregorian).component(.year, from: .now)
      #expect(try await set("31.5.2012").0 == 64)
      #expect(try await set("\(year - 3)-01-01") == (4, ["social.forbidden"]))
      #expect(try await Self.run(ann, "profile", "show").first?.profile?.privacy == .everyone)
      #expect(try await set("\(year - 15)-01-01") == (0, []))
      #expect(try await Self.run(ann, "profile", "show").first?.profile?.privacy == .followersOnly)
      #expect(try await set("1990-01-01") == (4, ["social.conflict"]))
    }

    @Test func accountIsExportedAsFiles() async throws {
      let project = try await StandInProject(try BSCHome())
      let (ann, bob) = (try await project.member("ann"), try await project.member("bob"))
      let id = try await Self.share(ann, "Ace")
      _ = try await Self.run(bob, "comment", "add", id, "Mine")
      _ = try await Self.run(ann, "comment", "add", id, "Not mine")
      let export = try await bob.run("account", "export", "data", "--json")
      #expect(export.status == 0, "\(export)")
      let comments = try Data(contentsOf: URL(filePath: bob.folder.path("data/comments.json")))
      let texts = try #require(try JSONSerialization.jsonObject(with: comments) as? [[String: Any]])
      #expect(texts.map { $0["text"] as? String } == ["Mine"])
      let path = bob.folder.path("data/profiles.json")
      #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
      let again = try await bob.run("account", "export", "data", "--json")
      #expect(again.failures.map(\.id) == ["file.exists"], "\(again)")
      #expect(try await bob.run("account", "export", "data", "--force").status == 0)
    }

    @Test func analyticsListOwnHighlights() async throws {
      let project = try await StandInProject(try BSCHome())
      let (ann, bob) = (try await project.member("ann"), try await project.member("bob"))
      let id = try await Self.share(ann, "Ace")
      _ = try await Self.run(bob, "like", id)
      let row = try #require(try await Self.run(ann, "analytics").first?.analytics)
      #expect(row.highlightID.uuidString.lowercased() == id && row.likesCount == 1 && row.views == 0)
      #expect(try await Self.run(bob, "analytics").isEmpty)
    }

    @Test func moderatorsOpenReportedHighlightsThatAreNotPublic() async throws {
      let project = try await StandInProject(try BSCHome())
      let (ann, bob, mod) = (
        try await project.member("ann"), try await project.member("bob"), try await project.member("mod")
      )
      let moderator = try await Self.profile(mod).id.uuidString.lowercased()
      try await project.postAsService("rest/v1/moderators", #"{"user_id":"\#(moderator)"}"#)
      let id = try await Self.share(ann, "For followers", "--privacy", "followers_only")
      func wantHidden(from home: BSCHome) async throws {
        let run = try await home.run("social", "moderate", "open", id, "--json")
        #expect(run.status == 66 && run.failures.map(\.id) == ["social.not-found"], "\(run)")
      }
      try await wantHidden(from: mod)
      _ = try await Self.run(bob, "follow", try await Self.profile(ann).username)
      _ = try await Self.run(bob, "report", "highlight", id, "--reason", "spam")
      let opened = await (try mod.start(["social", "moderate", "open", id, "--json"])).outcome()
      let playback = try #require(try JSONDecoder().decode(SocialAnswer.self, from: Data(opened.output.utf8)).playback)
      #expect(playback.id.uuidString.lowercased() == id && playback.isSigned && playback.clips.count == 1)
      #expect(playback.clips.first?.video.contains(".m3u8?token=") == true && playback.clips.first?.file == nil)
      _ = try await Self.run(mod, "moderate", "act", "dismiss", "highlight", id, "--reason", "Volleyball")
      try await wantHidden(from: mod)
    }

    @Test func reportedCommentIsRemoved() async throws {
      let project = try await StandInProject(try BSCHome())
      let (ann, bob, mod) = (
        try await project.member("ann"), try await project.member("bob"), try await project.member("mod")
      )
      let moderator = try await Self.profile(mod).id.uuidString.lowercased()
      try await project.postAsService("rest/v1/moderators", #"{"user_id":"\#(moderator)"}"#)
      let id = try await Self.share(ann, "Ace")
      let comment = try #require(try await Self.run(bob, "comment", "add", id, "Insult").first?.id)
      let report = try #require(
        try await Self.run(ann, "report", "comment", comment.uuidString, "--reason", "harassment").first?.report)
      // A second report is the first one. A withdrawn one is no longer in the queue.
      let again = try await Self.run(ann, "report", "comment", comment.uuidString, "--reason", "harassment")
      #expect(again.first?.report?.id == report.id)
      _ = try await Self.run(ann, "withdraw", report.id.uuidString)
      #expect(try await Self.run(mod, "moderate", "queue").isEmpty)
      _ = try await Self.run(ann, "report", "comment", comment.uuidString, "--reason", "harassment")

      let denied = try await bob.run("social", "moderate", "queue", "--json")
      #expect(denied.status == 4 && denied.failures.map(\.id) == ["social.forbidden"], "\(denied)")
      let item = try #require(try await Self.run(mod, "moderate", "queue").first?.item)
      #expect(item.targetID == comment && item.content == "Insult" && item.reportCount == 1)
      let early = try await mod.run(
        "social", "moderate", "act", "restrict", "comment", comment.uuidString, "--reason", "No", "--json")
      #expect(early.status == 4 && early.failures.map(\.id) == ["social.conflict"], "\(early)")
      let misplaced = try await mod.run(
        "social", "moderate", "act", "lift", "person", "bob", "--reason", "No", "--json")
      #expect(misplaced.status == 64 && misplaced.failures.map(\.id) == ["usage.arguments"], "\(misplaced)")
      let outcome = try await Self.run(
        mod, "moderate", "act", "remove", "comment", comment.uuidString, "--reason", "Insult")
      #expect(outcome.first?.outcome?.action == "warn")
      #expect(try await Self.run(ann, "comment", "list", id).isEmpty)
      #expect(try await Self.run(mod, "moderate", "queue").isEmpty)
      let notice = try await Self.run(bob, "notifications").compactMap(\.notification?.details)
      #expect(notice.map(\.action) == ["warn"] && notice.first?.isRemoved == true)
      #expect(notice.first?.reason == "Insult")
      let lift = try await mod.run(
        "social", "moderate", "lift", try await Self.profile(bob).username, "--reason", "Fine", "--json")
      #expect(lift.status == 4 && lift.failures.map(\.id) == ["social.conflict"], "\(lift)")
    }
  }
}
