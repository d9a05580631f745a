import Foundation
import Recruiting
import Synchronization
import TestSupport
import Testing

@testable import LocalBackend

/// The pages of posts, of a coach's posts, and analytics.
@Suite(.timeLimit(.minutes(10))) struct PostPageTests {
  private static func run(_ test: (RecruitingStage, _ coach: String) async throws -> Void) async throws {
    try await RecruitingStage.run { stage in
      let school = try await stage.addSchool("Stanford")
      let coach = try await stage.addCoach("John", "Smith", ["school": school, "twitter": "coachsmith"])
      let posts = [
        RecruitingStage.post(
          1, "<script>alert(1)</script> 100% camp", sentiment: "very_positive", recruiting: true),
        RecruitingStage.post(
          2, "Great practice", platform: "instagram", handle: "other.coach", date: "2020-01-01T10:00:00Z"),
        RecruitingStage.post(3, "Sad loss", sentiment: "negative", date: "2020-01-02T10:00:00Z"),
      ]
      try await stage.ingest("[\(posts.joined(separator: ","))]")
      try await test(stage, coach)
    }
  }

  private static func count(_ page: String) -> Int { page.matches(of: /<article class="card socialpost/).count }

  @Test func filtersSelectPosts() async throws {
    try await Self.run { stage, _ in
      for (query, found) in [
        ("", 3), ("?platform=instagram", 1), ("?type=recruiting", 1), ("?type=flagged", 0), ("?sentiment=negative", 1),
        ("?q=PRACTICE", 1), ("?q=100%25", 1), ("?q=_", 0), ("?q=%40coachsm", 2), ("?q=%40mith", 0), ("?q=mith", 2),
        ("?school=x", 0), ("?platform=twitter&sentiment=negative", 1),
      ] {
        let page = try await stage.parent.get("/social" + query).text
        #expect(Self.count(page) == found, "\(query)")
        #expect(page.contains("id=\"nothing\"") == (found == 0) && page.contains(">Total Posts: 3<"), "\(query)")
      }
      let page = try await stage.parent.get("/social").text
      #expect(page.contains("&lt;script&gt;") && !page.contains("<script>alert"))
      #expect(try await stage.parent.get("/social?platform=myspace").status == 400)
      #expect(try await stage.stranger.get("/social").status == 303)
    }
  }

  /// The feed shows the number of results only with filters.
  @Test func theFeedCountsTheResultsOfFilters() async throws {
    try await Self.run { stage, _ in
      let found = /id="found" role="status">([^<]*)</
      #expect(try await stage.parent.get("/social").text.firstMatch(of: found) == nil)
      for (query, text) in [("?platform=twitter", "2 posts found"), ("?q=practice", "1 post found")] {
        let page = try await stage.parent.get("/social" + query).text
        #expect(page.firstMatch(of: found)?.output.1 == text[...], "\(query)")
      }
      #expect(try await stage.parent.get("/social?q=zzz").text.firstMatch(of: found) == nil)
    }
  }

  @Test func postsAreFlaggedNotedAndDeleted() async throws {
    try await Self.run { stage, _ in
      let page = try await stage.parent.get("/social?q=camp").text
      let id = String(try #require(page.firstMatch(of: /id="post-([0-9a-f-]+)"/)).output.1)
      let forms = "/social/posts/\(id)"
      let flagged = try await stage.parent.submit("\(forms)/flag", on: "/social?q=camp")
      #expect(flagged.headers["location"] == "/social?q=camp#post-\(id)")
      #expect(Self.count(try await stage.athlete.get("/social?type=flagged").text) == 1)
      #expect(try await stage.athlete.submit("\(forms)/notes", on: "/social", ["notes": "Ask <her>"]).status == 303)
      #expect(try await stage.parent.get("/social").text.contains("Ask &lt;her&gt;"))
      let long = String(repeating: "x", count: 5001)
      #expect(try await stage.athlete.submit("\(forms)/notes", on: "/social", ["notes": long]).status == 422)
      let token = try PageBrowser.fields(of: "/family/create", in: try await stage.stranger.get("/family").text)
      for form in ["flag", "notes", "delete"] {
        #expect(try await stage.stranger.post("\(forms)/\(form)", token).status == 404)
      }
      #expect(try await stage.parent.submit("\(forms)/delete", on: "/social").status == 303)
      #expect(Self.count(try await stage.parent.get("/social").text) == 2)
      try await stage.ingest("[\(RecruitingStage.post(1, "Back again"))]")
      #expect(Self.count(try await stage.parent.get("/social").text) == 2)
    }
  }

  @Test func newPostsAreCountedUntilTheyAreMarkedAsRead() async throws {
    try await Self.run { stage, coach in
      let page = try await stage.parent.get("/social").text
      #expect(page.contains(">3 new posts</h2>") && page.contains("John Smith</a>: 2 new posts, 1 about recruiting"))
      #expect(page.contains("href=\"/social/coach/\(coach)\"") && page.contains("Other accounts: 1 new post<"))
      let older = try await stage.parent.get("/social?before=2027-01-01T00:00:00~\(UUID().uuidString)").text
      #expect(Self.count(older) == 3 && !older.contains("id=\"notices\""))

      // More posts arrive before the form is sent: those of the coach stay unread.
      let form = try PageBrowser.fields(of: "/social/notices/read", in: page)
      try await stage.ingest("[\(RecruitingStage.post(4, "Open gym"))]")
      #expect(try await stage.parent.post("/social/notices/read", form).headers["location"] == "/social")
      let later = try await stage.parent.get("/social").text
      #expect(later.contains("John Smith</a>: 3 new posts") && !later.contains("Other accounts"))
      #expect(try await stage.parent.submit("/social/notices/read", on: "/social").status == 303)
      #expect(try await stage.parent.get("/social").text.contains("id=\"notices\"") == false)

      // Each member reads for themselves, and no one for others.
      let athletes = try await stage.athlete.get("/social").text
      #expect(athletes.contains(">4 new posts</h2>"))
      let own = try PageBrowser.fields(of: "/social/notices/read", in: athletes)
      let token = try PageBrowser.fields(of: "/family/create", in: try await stage.stranger.get("/family").text)
      #expect(try await stage.stranger.post("/social/notices/read", own.merging(token) { $1 }).status == 404)
      for seen in ["", "x", "\(UUID().uuidString):1", "' OR 1=1:2"] {
        #expect(try await stage.athlete.post("/social/notices/read", own.merging(["seen": seen]) { $1 }).status == 303)
      }
      #expect(try await stage.athlete.get("/social").text.contains(">4 new posts</h2>"))

      try await stage.ingest("[\(RecruitingStage.post(5, "Tryouts"))]")
      #expect(try await stage.parent.get("/social").text.contains(">1 new post</h2>"))
    }
  }

  @Test func aPostIsLoggedAsAnInteraction() async throws {
    try await Self.run { stage, coach in
      let page = try await stage.athlete.get("/social?q=camp").text
      let path = String(try #require(page.firstMatch(of: /href="(\/interactions\/add\?post=[^"]+)"/)).output.1)
      #expect(try await stage.parent.get("/social?q=camp").text.contains("/interactions/add") == false)
      let form = try await stage.athlete.get(path).text
      for selected in ["tweet", "inbound", coach] { #expect(form.contains("value=\"\(selected)\" selected")) }
      #expect(form.contains("https://twitter.com/coachsmith/status/1</textarea>"))
    }
  }

  @Test func aCoachsPageShowsThatCoachsPosts() async throws {
    try await Self.run { stage, coach in
      let page = try await stage.parent.get("/social/coach/\(coach)").text
      #expect(Self.count(page) == 2 && page.contains(">Total Posts: 2<") && page.contains("John Smith. Stanford."))
      #expect(page.contains("href=\"https://twitter.com/coachsmith\""))
      let missing = try await stage.parent.get("/social/coach/\(UUID().uuidString)")
      #expect(missing.status == 404 && missing.text.contains("id=\"nothing\""))
      #expect(try await stage.stranger.get("/social/coach/\(coach)").status == 303)
    }
  }

  @Test func analyticsCountTheRange() async throws {
    try await Self.run { stage, _ in
      for (query, total, positive, bars) in [
        ("", 1, "1. 100% of analyzed", 30), ("?days=7", 1, "1. 100% of analyzed", 7),
        ("?days=all", 3, "1. 50% of analyzed", 30),
      ] {
        let page = try await stage.parent.get("/social/analytics" + query).text
        #expect(
          page.contains(">Total Posts: \(total)<") && page.contains(">Positive Sentiment: \(positive)<"), "\(query)")
        #expect(page.matches(of: /<rect class="hit"/).count == bars, "\(query)")
        #expect(page.contains("Rank 1. Stanford. \(total == 3 ? 2 : 1) posts."), "\(query)")
      }
      #expect(try await stage.parent.get("/social/analytics?days=8").status == 400)
      let table = try await stage.parent.get("/social/analytics.csv?days=all").text
      #expect(table.contains("summary,Total Posts,3,") && table.contains("sentiment,Negative,1,50"))
    }
  }

  /// Only the owner of the server has the tokens for X and Instagram.
  @Test func accountsThatCannotBeReadAreListed() async throws {
    try await Self.run { stage, _ in
      func save(_ error: String) async throws {
        let reply = try await stage.backend.send(
          "POST", "/rest/v1/rpc/save_sync_state",
          headers: AuthRoutesTests.bearer(stage.backend.server.address.ownerToken),
          body: Array(
            #"{"family": "\#(stage.family)", "platform": "twitter", "handle": "CoachSmith", "error": \#(error)}"#.utf8))
        #expect(reply.status == 204)
      }
      let entry = "@coachsmith on Twitter/X: "
      #expect(try await !stage.parent.get("/social").text.contains("id=\"unread\""))
      try await save("\"protected-account\"")
      let page = try await stage.parent.get("/social").text
      #expect(page.contains("<bdi>\(entry)\(RecruitingTexts.reason(.protectedAccount))</bdi>"))
      try await save("\"<b>other</b>\"")
      let other = try await stage.parent.get("/social").text
      #expect(other.contains("<bdi>\(entry)") && !other.contains("<b>other"))
      try await save("null")
      #expect(try await !stage.parent.get("/social").text.contains("id=\"unread\""))
    }
  }

  @Test(arguments: [nil, RecruitingError.ID.rateLimited, .syncLost, .unreachable])
  func onlyTheOwnerSyncs(problem: RecruitingError.ID?) async throws {
    let synced = Mutex<[String]>([])
    var options = TestBackend.Options()
    options.change = {
      $0.syncPosts = { family in
        if let problem {
          throw RecruitingError(problem, ["operation": "sync", "reason": "no answer", "seconds": "60"])
        }
        return synced.withLock { families in
          families.append(family)
          return 3
        }
      }
    }
    try await RecruitingStage.run(options: options) { stage in
      #expect(try await stage.parent.get("/social").text.contains("/social/sync") == false)
      let empty = try await stage.athlete.get("/social").text
      #expect(empty.contains("<form class=\"tools\" id=\"sync-form\"") && empty.contains(" form=\"sync-form\""))
      #expect(try await !stage.athlete.get("/social?platform=twitter").text.contains(" form=\"sync-form\""))
      #expect(try await !stage.parent.get("/social").text.contains(" form=\"sync-form\""))
      let token = try PageBrowser.fields(of: "/family/create", in: try await stage.parent.get("/family").text)
      #expect(try await stage.parent.post("/social/sync", token).status == 403)
      let reply = try await stage.athlete.submit("/social/sync", on: "/social")
      let owner = AuthRoutesTests.bearer(stage.backend.server.address.ownerToken)
      let answer = try await stage.backend.send("POST", "/api/social/sync", headers: owner)
      let foreign = "/api/social/sync?family=\(UUID().uuidString)"
      #expect(try await stage.backend.send("POST", foreign, headers: owner).status == 404)
      let other = AuthRoutesTests.bearer(try await AuthRoutesTests.signUp(stage.backend, "kim@example.org").accessToken)
      #expect(try await stage.backend.send("POST", "/api/social/sync", headers: other).status == 403)
      switch problem {
      case nil:
        #expect(reply.headers["location"] == "/social?synced=3" && answer.text.contains("\"newPostCount\":3"))
        #expect(try await stage.athlete.get("/social?synced=3").text.contains("Synced 3 new posts"))
        #expect(synced.withLock { $0 } == [stage.family, stage.family])
      case .rateLimited: #expect(reply.status == 429 && answer.status == 429 && reply.text.contains("id=\"notice\""))
      case .syncLost: #expect(reply.status == 409 && answer.status == 409 && reply.text.contains("id=\"notice\""))
      default: #expect(reply.status == 502 && answer.status == 502 && reply.text.contains("id=\"notice\""))
      }
    }
  }

  @Test func fiftyPostsAreAPage() async throws {
    try await RecruitingStage.run { stage in
      let posts = (1...60).map { RecruitingStage.post($0, "Post \($0)", date: "2026-01-01T10:00:00Z") }
      try await stage.ingest("[\(posts.joined(separator: ","))]")
      let first = try await stage.parent.get("/social").text
      #expect(Self.count(first) == 50)
      let older = try #require(first.firstMatch(of: /href="(\/social\?before=[^"]+)" rel="next"/))
      let second = try await stage.parent.get(String(older.output.1)).text
      #expect(Self.count(second) == 10)
      func ids(_ page: String) -> Set<Substring> { Set(page.matches(of: /id="post-([0-9a-f-]+)"/).map(\.output.1)) }
      #expect(ids(first).union(ids(second)).count == 60)
    }
  }
}
