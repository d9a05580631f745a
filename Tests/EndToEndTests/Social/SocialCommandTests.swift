import ClipModel
import Foundation
import GRDB
import ShareEngine
import Social
import TestSupport
import Testing

extension EndToEnd {
  /// `bsc social` with two accounts of a local backend.
  @Suite struct SocialCommandTests {
    private static func run(
      _ home: BSCHome, _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [SocialAnswer] {
      try await SocialAnswer.all(of: home, arguments, sourceLocation: sourceLocation)
    }

    private static func share(_ home: BSCHome, _ caption: String, privacy: String = "public") async throws -> String {
      // The addresses of a video that isn't public contain tokens.
      let clip = try home.distinctClip("rally-portrait", named: "clip \(caption)")
      let run = await (try home.start(["share", clip, "--caption", caption, "--privacy", privacy, "--json"])).outcome()
      #expect(run.status == 0, "\(run)")
      return try #require(try ShareAnswer.all(in: run.output).first?.highlight).id.uuidString.lowercased()
    }

    private static func item(_ home: BSCHome, _ id: String) async throws -> FeedItem {
      try #require(try await run(home, "social", "show", id).first?.highlight)
    }

    private static func username(_ home: BSCHome) async throws -> String {
      try #require(try await run(home, "social", "profile", "show").first?.profile).username
    }

    /// The action is done, even if the relation can't be read afterward.
    @Test func followSucceedsWithoutItsRelation() async throws {
      let server = try await ProjectServer()
      var home = try BSCHome()
      home.environment["BSC_BACKEND"] = "supabase"
      home.environment["BSC_SUPABASE_URL"] = server.auth.url.absoluteString
      home.environment["BSC_SUPABASE_KEY"] = "sb_publishable_abc"
      home.environment["BSC_SUPABASE_REFRESH_TOKEN"] = server.auth.startSession()
      let answer = try #require(try await Self.run(home, "social", "follow", UUID().uuidString).first)
      #expect(answer.status == "performed" && answer.relation == nil)
      #expect(server.state.followRequests.count == 1)
    }

    @Test func likesAndCommentsAreShown() async throws {
      let project = try await StandInProject(try BSCHome())
      let (ann, bob) = (try await project.member("ann"), try await project.member("bob"))
      let id = try await Self.share(ann, "Ace #serve")
      let hidden = try await Self.share(ann, "Mine #serve", privacy: "private")
      for arguments in [["--tag", "#Serve"], ["--discover"], []] {
        let feed = try await bob.run(["social", "feed", "--json"] + arguments)
        let ids = feed.output.lowercased()
        #expect(feed.status == 0 && ids.contains(id) && !ids.contains(hidden), "\(feed)")
      }
      // A second like changes nothing.
      for _ in 1...2 {
        let like = try #require(try await Self.run(bob, "social", "like", String(id.prefix(8))).first)
        #expect(like.action == "like" && like.status == "performed" && like.id?.uuidString.lowercased() == id)
      }
      let text = "Great dig 🏐 @ann"
      let added = try #require(try await Self.run(bob, "social", "comment", "add", id, text).first?.id)
      let seen = try await Self.item(bob, id)
      #expect(seen.likesCount == 1 && seen.isLiked && seen.commentsCount == 1 && seen.author != nil)
      let comment = try #require(try await Self.run(ann, "social", "comment", "list", id).first?.comment)
      #expect(comment.id == added && comment.text == text && comment.author != nil)
      #expect(try await !Self.item(ann, id).isLiked)
      _ = try await Self.run(ann, "social", "comment", "like", added.uuidString)
      #expect(try await Self.run(bob, "social", "comment", "list", id).first?.comment?.likesCount == 1)
      // Only the author of a comment deletes it.
      let stolen = try await ann.run("social", "comment", "delete", added.uuidString, "--json")
      #expect(stolen.status == 4 && stolen.failures.map(\.id) == ["social.forbidden"], "\(stolen)")
      _ = try await Self.run(bob, "social", "comment", "delete", added.uuidString)
      _ = try await Self.run(bob, "social", "unlike", id)
      let end = try await Self.item(bob, id)
      #expect(end.likesCount == 0 && !end.isLiked && end.commentsCount == 0)
    }

    @Test func peopleWhomFollowedPeopleFollowAreSuggested() async throws {
      let project = try await StandInProject(try BSCHome())
      let ann = try await project.member("ann")
      let bob = try await project.member("bob")
      let cy = try await project.member("cy")
      let (annName, cyName) = (try await Self.username(ann), try await Self.username(cy))
      func suggested() async throws -> [String] {
        try await Self.run(bob, "social", "suggestions").compactMap(\.profile?.username)
      }
      _ = try await Self.run(ann, "social", "follow", cyName)
      #expect(try await !suggested().contains(cyName))
      _ = try await Self.run(bob, "social", "follow", annName)
      let names = try await suggested()
      #expect(names.contains(cyName) && !names.contains(annName))
      _ = try await Self.run(bob, "social", "follow", cyName)
      #expect(try await suggested().isEmpty)
    }

    @Test func requestToFollowIsAcceptedOrRefused() async throws {
      let project = try await StandInProject(try BSCHome())
      let (ann, bob) = (try await project.member("ann"), try await project.member("bob"))
      let id = try await Self.share(ann, "For followers", privacy: "followers_only")
      let edit = try await Self.run(
        ann, "social", "profile", "edit", "--username", "ann.b", "--bio", "Libero", "--privacy", "followers_only")
      #expect(edit.first?.profile?.bio == "Libero" && edit.first?.profile?.privacy == .followersOnly)
      let bobName = try await Self.username(bob)

      let asked = try await Self.run(bob, "social", "follow", "@ANN.b")
      #expect(asked.first?.relation == "requested", "\(asked)")
      #expect(try await Self.run(bob, "social", "profile", "show", "ann.b").first?.relation == "requested")
      #expect(try await Self.run(ann, "social", "requests").first?.request?.requester?.username == bobName)
      _ = try await Self.run(ann, "social", "refuse", bobName)
      #expect(try await Self.run(ann, "social", "requests").isEmpty)
      #expect(try await Self.run(bob, "social", "feed").isEmpty)

      _ = try await Self.run(bob, "social", "follow", "ann.b")
      _ = try await Self.run(ann, "social", "accept", bobName)
      #expect(try await Self.run(bob, "social", "follow", "ann.b").first?.relation == "following")
      #expect(
        try await Self.run(bob, "social", "feed", "--person", "ann.b").first?.highlight?.id.uuidString.lowercased()
          == id)
      #expect(try await Self.run(ann, "social", "followers").map(\.person?.username) == [bobName])
      #expect(try await Self.run(bob, "social", "following").map(\.person?.username) == ["ann.b"])
      #expect(try await Self.run(ann, "social", "following", bobName).map(\.relation) == ["followed"])
      #expect(try await Self.run(ann, "social", "followers", "--offset", "1").isEmpty)
      let removed = try await Self.run(ann, "social", "remove-follower", bobName)
      #expect(removed.map(\.action) == ["remove-follower"])
      #expect(try await Self.run(bob, "social", "profile", "show", "ann.b").first?.relation == "none")
      _ = try await Self.run(bob, "social", "follow", "ann.b")
      _ = try await Self.run(ann, "social", "accept", bobName)
      #expect(try await Self.run(bob, "social", "feed").count == 1)
      #expect(try await Self.run(bob, "social", "unfollow", "ann.b").first?.relation == "none")
      #expect(try await Self.run(bob, "social", "feed").isEmpty)
      let none = try await ann.run("social", "accept", bobName, "--json")
      #expect(none.status == 66 && none.failures.map(\.id) == ["social.not-found"], "\(none)")
    }

    @Test func mutedAndBlockedPeopleAreHiddenUntilUndone() async throws {
      let project = try await StandInProject(try BSCHome())
      let (ann, bob) = (try await project.member("ann"), try await project.member("bob"))
      let id = try await Self.share(ann, "Ace")
      let name = try await Self.username(ann)
      _ = try await Self.run(bob, "social", "mute", name)
      #expect(try await Self.run(bob, "social", "feed").isEmpty)
      #expect(try await Self.run(bob, "social", "list").map(\.relation) == ["muted"])
      _ = try await Self.run(bob, "social", "unmute", name)
      _ = try await Self.run(bob, "social", "block", name)
      let blocked = try await Self.run(bob, "social", "list")
      #expect(blocked.map(\.relation) == ["blocked"] && blocked.first?.person?.username == name)
      let show = try await bob.run("social", "show", id, "--json")
      #expect(show.status == 66 && show.failures.map(\.id) == ["social.not-found"], "\(show)")
      let like = try await bob.run("social", "like", id, "--json")
      #expect(like.status == 4 && like.failures.map(\.id) == ["social.forbidden"], "\(like)")
      _ = try await Self.run(bob, "social", "unblock", name)
      #expect(try await Self.run(bob, "social", "feed").count == 1)
      #expect(try await Self.run(bob, "social", "list").isEmpty)
    }

    /// Without a connection, actions wait, and the feed is the one that was shown last.
    @Test func waitingActionsAreSentByResume() async throws {
      let place = try BSCHome()
      var project: StandInProject? = try await StandInProject(place)
      let ann = try #require(try await project?.member("ann"))
      let bob = try #require(try await project?.member("bob"))
      let id = try await Self.share(ann, "Ace")
      #expect(try await Self.run(bob, "social", "feed").count == 1)
      let server = try #require(project?.server)
      server.process.send(SIGKILL)
      _ = await server.process.outcome()
      project = nil

      let like = try await Self.run(bob, "social", "like", id)
      #expect(like.map(\.status) == ["queued"])
      for text in ["First", "Second"] {
        #expect(try await Self.run(bob, "social", "comment", "add", id, text).first?.status == "queued")
      }
      // A comment that was never sent is deleted without a connection.
      let third = try #require(try await Self.run(bob, "social", "comment", "add", id, "Third").first?.id)
      let deletion = try await Self.run(bob, "social", "comment", "delete", third.uuidString)
      #expect(deletion.map(\.status) == ["performed"])
      // The highlight doesn't exist, which only the backend can decide.
      let refusedLike = try await Self.run(bob, "social", "like", UUID().uuidString)
      #expect(refusedLike.map(\.status) == ["queued"])
      #expect(try await Self.run(bob, "social", "feed").first?.highlight?.id.uuidString.lowercased() == id)
      let early = try await bob.run("resume", "--json")
      #expect(early.status == 6 && early.failures.map(\.id) == ["backend.unreachable"], "\(early)")
      // A damaged entry is reported and doesn't block the others.
      #expect(try await Self.run(bob, "social", "comment", "add", id, "Damaged").first?.status == "queued")
      try await DatabaseQueue(path: bob.places.socialQueueFile).write {
        try $0.execute(sql: "UPDATE action SET action = '' WHERE action LIKE '%Damaged%'")
      }

      let again = try await ServeProcess(place, ["--password-rounds", "64"])
      defer { withExtendedLifetime(again) {} }
      let resumed = try await SocialAnswer.all(of: bob, ["resume"], status: 4)
      #expect(resumed.map(\.schema) == ["bsc.error/1", "bsc.error/1", "bsc.social-queue/1"])
      #expect(resumed.last?.sent == 3 && resumed.last?.refused == 2 && resumed.last?.waiting == 0)
      let item = try await Self.item(ann, id)
      #expect(item.likesCount == 1 && item.commentsCount == 2)
      #expect(try await Self.run(ann, "social", "comment", "list", id).map(\.comment?.text) == ["Second", "First"])
      let nothing = try await bob.run("resume")
      #expect(nothing.status == 0 && nothing.output.isEmpty, "\(nothing)")
    }

    @Test func invalidRequestsAreReported() async throws {
      let home = try BSCHome()
      let id = UUID().uuidString
      let cases: [([String], Int32, String)] = [
        (["social", "comment", "add", id, " "], 64, "social.no-text"),
        (["social", "comment", "add", id, String(repeating: "x", count: 501)], 4, "social.text-too-long"),
        (["social", "search", ""], 64, "social.empty-search"),
        (["social", "search", "#", "--in", "highlights"], 64, "social.empty-search"),
        (["social", "like", id], 4, "social.forbidden"),
        (["social", "follow", "no.such.name"], 66, "social.no-person"),
        (["social", "show", id], 66, "social.not-found"), (["social", "like", "3f2a"], 66, "highlight.not-found"),
        (["social", "feed", "--discover", "--following"], 64, "usage.arguments"),
        (["social", "comment", "like", "3f2a"], 64, "usage.arguments"),
      ]
      for (arguments, status, error) in cases {
        let run = try await home.run(arguments + ["--json"])
        #expect(run.status == status && run.failures.map(\.id) == [error], "\(run)")
      }
      // Nothing waits.
      #expect(try await home.run("resume").output.isEmpty)
    }
  }
}
