import ClipModel
import Foundation
import GRDB
import TestSupport
import Testing

@testable import LocalBackend

/// The pages about an account: notifications, settings, reports, moderation and analytics.
@Suite(.timeLimit(.minutes(10))) struct AccountPagesTests {
  private struct Stage {
    let backend: TestBackend
    let highlight: String
    /// The owner of the server, who is the highlight's author and a moderator.
    let owner: PageBrowser
    let browser: PageBrowser
    let ann: AuthRoutesTests.Session

    var page: String { "/h/\(highlight)" }
  }

  private static func run(_ test: (Stage) async throws -> Void) async throws {
    try await TestBackend.run { backend in
      let highlight = try await backend.publish(pattern(100))
      let ann = try await AuthRoutesTests.signUp(backend, "ann@example.org", password: PageReactionTests.password)
      let (owner, browser) = (PageBrowser(backend), PageBrowser(backend))
      try await owner.enter()
      #expect(try await browser.signIn("ann@example.org", PageReactionTests.password).status == 303)
      try await test(
        Stage(
          backend: backend, highlight: highlight.id.uuidString.lowercased(), owner: owner, browser: browser, ann: ann))
    }
  }

  @Test(arguments: ["/notifications", "/settings", "/analytics", "/settings/export", "/report?type=highlight&id=x"])
  func visitorsWithoutAnAccountSeeNothing(path: String) async throws {
    try await TestBackend.run { backend in
      _ = try await AuthRoutesTests.signUp(backend, "ann@example.org")
      #expect(try await PageBrowser(backend).get(path).status == 401)
    }
  }

  @Test func notificationsAreMarkedAsRead() async throws {
    try await Self.run { stage in
      #expect(try await stage.browser.submit(stage.page + "/like", on: stage.page).status == 303)
      let page = try await stage.owner.get("/notifications").text
      #expect(page.contains("liked your highlight</a>") && page.contains("class=\"unread\""))
      #expect(try await stage.owner.get("/").text.contains(">1 new</span>"))
      #expect(try await stage.browser.get("/").text.contains(" new</span>") == false)
      #expect(try await stage.owner.submit("/notifications/read", on: "/notifications").status == 303)
      let read = try await stage.owner.get("/notifications").text
      #expect(read.contains("liked your highlight</a>") && !read.contains("class=\"unread\""))
    }
  }

  /// A page has 100 notifications, which can be a single group of one person.
  @Test(arguments: [(100, false), (101, true)]) func olderNotificationsAreLinked(
    count: Int, hasOlder: Bool
  ) async throws {
    try await Self.run { stage in
      let (actor, highlight, now) = (stage.ann.user.id, stage.highlight, Date())
      let store = try ServerStore(path: stage.backend.folder + "/backend.sqlite")
      try await store.database.write { db in
        for number in 0..<count {
          try db.execute(
            sql: """
              INSERT INTO notifications (id, user_id, kind, actor_id, highlight_id, cause, created_at)
              VALUES (random_id(), ?, 'like', ?, ?, random_id(), ?)
              """,
            arguments: [
              Caller.localUserID, actor, highlight, timestampText(now.addingTimeInterval(-Double(number))),
            ])
        }
      }
      try store.database.close()
      let page = try await stage.owner.get("/notifications").text
      let older = page.firstMatch(of: /href="(\/notifications\?before=[^"]+)" rel="next"/)?.output.1
      #expect(page.matches(of: /liked your highlight/).count == 1 && (older != nil) == hasOlder)
      guard let older else { return }
      let next = try await stage.owner.get(String(older)).text
      #expect(next.matches(of: /liked your highlight/).count == 1 && !next.contains("rel=\"next\""))
    }
  }

  @Test(arguments: [true, false]) func requestsAreAcceptedOrRefused(isAccepted: Bool) async throws {
    try await Self.run { stage in
      let level = try await stage.backend.send(
        "PATCH", "/rest/v1/profiles?id=eq.\(stage.ann.user.id)", headers: AuthRoutesTests.bearer(stage.ann.accessToken),
        body: Array(#"{"privacy_level":"followers_only","username":"ann"}"#.utf8))
      #expect(level.status == 204)
      #expect(try await stage.owner.submit("/u/ann/follow", on: "/u/ann").status == 303)
      let form = "/requests/\(Caller.localUserID)"
      let answer = [isAccepted ? "accept" : "refuse": "1"]
      let fields = try PageBrowser.fields(of: form, in: try await stage.browser.get("/notifications").text)
      // A form that is sent twice has one effect.
      for _ in 1...2 { #expect(try await stage.browser.post(form, fields.merging(answer) { $1 }).status == 303) }
      #expect(try await stage.browser.get("/notifications").text.contains(form) == false)
      #expect(try await stage.owner.get("/u/ann").text.contains(">Unfollow</button>") == isAccepted)
      #expect(try await stage.owner.get("/notifications").text.contains("accepted your request") == isAccepted)
    }
  }

  @Test func aReportLeadsToADecisionAndANotice() async throws {
    try await Self.run { stage in
      #expect(
        try await stage.browser.submit(stage.page + "/comments", on: stage.page, ["text": "<rude>"]).status == 303)
      let page = try await stage.owner.get(stage.page).text
      let match = try #require(page.firstMatch(of: /href="(\/report\?type=comment[^"]*)"/))
      let link = String(match.output.1).replacing("&amp;", with: "&")
      let sent = try await stage.owner.submit(
        "/report", on: link, ["reason": "harassment", "description": "it is rude"])
      #expect(sent.status == 303)
      #expect(try await stage.owner.get("/settings").text.contains(">pending</span>"))
      #expect(try await stage.browser.get("/moderation").status == 404)
      #expect(try await stage.browser.get("/").text.contains("/moderation") == false)

      let queue = try await stage.owner.get("/moderation").text
      #expect(queue.contains("&lt;rude&gt;") && queue.contains("1 report (harassment)"))
      let refused = try await stage.owner.submit("/moderation", on: "/moderation", ["action": "remove", "reason": " "])
      #expect(refused.status == 422)
      let decided = try await stage.owner.submit(
        "/moderation", on: "/moderation", ["action": "remove", "reason": "be kind"])
      #expect(decided.status == 303)
      #expect(try await stage.owner.get(stage.page).text.contains("&lt;rude&gt;") == false)
      #expect(try await stage.owner.get("/settings").text.contains(">action taken</span>"))
      let notice = try await stage.browser.get("/notifications").text
      #expect(notice.contains("This is a warning") && notice.contains("be kind") && notice.contains("&lt;rude&gt;"))
      #expect(!notice.contains("@local"))
    }
  }

  /// The second warning would be a restriction.
  @Test func aCaseIsDecidedOnce() async throws {
    try await Self.run { stage in
      #expect(try await stage.browser.submit(stage.page + "/comments", on: stage.page, ["text": "rude"]).status == 303)
      let page = try await stage.owner.get(stage.page).text
      let match = try #require(page.firstMatch(of: /href="(\/report\?type=comment[^"]*)"/))
      let link = String(match.output.1).replacing("&amp;", with: "&")
      #expect(try await stage.owner.submit("/report", on: link, ["reason": "harassment"]).status == 303)
      let decision = ["action": "warn", "reason": "be kind"]
      func openCase() async throws -> [String: String] {
        let queue = try await stage.owner.get("/moderation").text
        return try PageBrowser.fields(of: "/moderation", in: queue).merging(decision) { $1 }
      }
      let (first, second) = (try await openCase(), try await openCase())
      for _ in 1...2 { #expect(try await stage.owner.post("/moderation", first).status == 303) }
      // Another moderator had opened the page before.
      let late = try await stage.owner.post("/moderation", second)
      #expect(late.status == 422 && late.text.contains("id=\"notice\""))
      let log = try await stage.backend.send(
        "GET", "/rest/v1/rpc/moderation_log?select=action",
        headers: AuthRoutesTests.bearer(stage.backend.server.address.ownerToken))
      #expect(log.text == #"[{"action":"warn"}]"#)
    }
  }

  @Test func aReportIsStoredOnce() async throws {
    try await Self.run { stage in
      let page = try await stage.browser.get("/report?type=highlight&id=\(stage.highlight)").text
      let fields = try PageBrowser.fields(of: "/report", in: page).merging(["reason": "spam"]) { $1 }
      for _ in 1...2 { #expect(try await stage.browser.post("/report", fields).status == 303) }
      let changed = try await stage.browser.post("/report", fields.merging(["reason": "harassment"]) { $1 })
      #expect(changed.status == 422 && changed.text.contains("id=\"notice\""))
      #expect(try PageBrowser.fields(of: "/report", in: changed.text)["report"] != fields["report"])
      let reports = try await stage.backend.send(
        "GET", "/rest/v1/content_reports?select=report_type", headers: AuthRoutesTests.bearer(stage.ann.accessToken))
      #expect(reports.text == #"[{"report_type":"spam"}]"#)
    }
  }

  @Test func moderatorsSeeReportedVideosThatAreNotPublic() async throws {
    try await ClosedVideoTests.run { world in
      let (reported, other) = (try await world.share(.followersOnly), try await world.share(.followersOnly))
      let reply = try await world.backend.send(
        "POST", "/rest/v1/content_reports",
        headers: world.bearer(world.bob).merging(["Content-Type": "application/json"]) { $1 },
        body: Array(
          #"{"reporter_id":"\#(world.bob.user.id)","reported_type":"highlight","reported_id":"\#(reported)","report_type":"spam"}"#
            .utf8))
      #expect(reply.status == 201, "\(reply.text)")
      let owner = PageBrowser(world.backend)
      try await owner.enter()
      let page = try await owner.get("/moderation").text
      let videos = page.matches(of: /<video[^>]* src="([^"]+)"/).map { String($0.output.1) }
      let video = try #require(videos.first)
      #expect(videos.count == 1 && !page.contains("/h/\(reported)") && !page.contains(other))
      // As a video element requests it. The author allows no downloads.
      let element = ["Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": "video"]
      #expect(try await owner.get(video, headers: element).status == 200)
      #expect(try await owner.get(video).status == 403)
      #expect(try await PageBrowser(world.backend).get(video, headers: element).status == 403)
    }
  }

  @Test func reportsCanBeWithdrawnAndNeedAReason() async throws {
    try await Self.run { stage in
      let form = "/report?type=highlight&id=\(stage.highlight)"
      let page = try await stage.browser.get(form)
      #expect(page.status == 200)
      for fields in [["reason": "x"], ["reason": "spam", "description": String(repeating: "x", count: 1001)]] {
        #expect(try await stage.browser.submit("/report", on: form, fields).status == 422)
      }
      #expect(try await stage.browser.submit("/report", on: form, ["reason": "spam"]).status == 303)
      let settings = try await stage.browser.get("/settings").text
      let fields = try PageBrowser.fields(of: "/settings/withdraw", in: settings)
      // The second time, the report no longer exists.
      for _ in 0..<2 {
        #expect(try await stage.browser.post("/settings/withdraw", fields).headers["location"] == "/settings#reports")
        #expect(try await stage.browser.get("/settings").text.contains("/settings/withdraw") == false)
      }
      #expect(try await stage.browser.get("/report?type=x&id=\(stage.highlight)").status == 404)
    }
  }

  @Test func mutesAndBlocksCanBeUndone() async throws {
    try await Self.run { stage in
      let (mute, block) = ("/people/\(Caller.localUserID)/mute", "/people/\(Caller.localUserID)/block")
      let profile = try await stage.browser.get("/u/local")
      #expect(profile.status == 200)
      #expect(try await stage.browser.submit(mute, on: "/u/local").status == 303)
      #expect(try await stage.browser.get("/u/local").text.contains(">Unmute</button>"))
      #expect(try await stage.browser.submit(mute, on: "/settings").status == 303)
      #expect(try await stage.browser.get("/u/local").text.contains(">Mute</button>"))
      #expect(try await stage.browser.submit(block, on: "/u/local").status == 303)
      #expect(try await stage.browser.get("/u/local").status == 404)
      #expect(try await stage.browser.get(stage.page).status == 404)
      #expect(try await stage.browser.submit(block, on: "/settings").status == 303)
      #expect(try await stage.browser.get("/u/local").status == 200)
    }
  }

  @Test func theProfileIsSaved() async throws {
    try await Self.run { stage in
      let fields = ["name": "Ann <b>", "team": "Team", "bio": "Line 1\r\nLine 2", "level": "followers_only"]
      #expect(try await stage.browser.submit("/settings/profile", on: "/settings", fields).status == 303)
      let page = try await stage.browser.get("/settings").text
      #expect(page.contains("value=\"Ann &lt;b&gt;\"") && page.contains("value=\"followers_only\" selected"))
      #expect(
        try await stage.browser.submit(
          "/settings/profile", on: "/settings", fields.merging(["username": "ann.b"]) { $1 }
        ).status == 303)
      #expect(try await stage.owner.get("/u/ann.b").status == 200)
      for name in ["a b", "local"] {
        let refused = try await stage.browser.submit(
          "/settings/profile", on: "/settings", fields.merging(["username": name]) { $1 })
        #expect(refused.status == 422 && refused.text.contains("value=\"\(name)\""))
      }
      let wrong = fields.merging(["bio": String(repeating: "x", count: 161)]) { $1 }
      #expect(try await stage.browser.submit("/settings/profile", on: "/settings", wrong).status == 422)
      #expect(
        try await stage.browser.submit("/settings/defaults", on: "/settings", ["level": "private", "downloads": "1"])
          .status == 303)
      let defaults = try await stage.browser.get("/settings").text
      #expect(defaults.contains("value=\"private\" selected") && defaults.contains("value=\"1\" checked"))
    }
  }

  @Test func pushIsSwitched() async throws {
    try await Self.run { (stage: Stage) async throws in
      let stored = { () async throws -> String in
        try await stage.backend.send(
          "GET", "/rest/v1/user_settings?select=push_enabled,allow_downloads",
          headers: AuthRoutesTests.bearer(stage.ann.accessToken)
        ).text
      }
      let form = "/settings/notifications"
      #expect(try await stage.browser.get("/settings").text.contains("value=\"on\" checked"))
      #expect(
        try await stage.browser.submit("/settings/defaults", on: "/settings", ["level": "public", "downloads": "1"])
          .status == 303)
      #expect(try await stage.browser.submit(form, on: "/settings").status == 303)
      #expect(try await stored() == #"[{"push_enabled":false,"allow_downloads":true}]"#)
      #expect(try await !stage.browser.get("/settings").text.contains("value=\"on\" checked"))
      #expect(try await stage.browser.submit(form, on: "/settings", ["push": "on"]).status == 303)
      #expect(try await stored() == #"[{"push_enabled":true,"allow_downloads":true}]"#)
      #expect(try await stage.browser.get("/settings").text.contains("value=\"on\" checked"))
    }
  }

  /// A young person's profile is open to followers only, from then on.
  @Test func aDateOfBirthIsSetOnce() async throws {
    try await Self.run { stage in
      let form = "/settings/birth-date"
      for born in ["", "tomorrow", "2999-01-01", "1850-01-01", "2026-01-01"] {
        #expect(try await stage.browser.submit(form, on: "/settings", ["born": born]).status == 422, "\(born)")
      }
      #expect(try await stage.browser.get("/settings").text.contains("value=\"public\" selected"))
      let year = try #require(Int(Date().formatted(.iso8601).prefix(4))) - 15
      #expect(try await stage.browser.submit(form, on: "/settings", ["born": "\(year)-01-01"]).status == 303)
      #expect(try await stage.browser.get("/settings").text.contains("value=\"followers_only\" selected"))
      #expect(try await stage.browser.submit(form, on: "/settings", ["born": "1990-01-01"]).status == 422)
    }
  }

  /// Likes and comments contain the ID of a protected account, and must not lead to its name.
  @Test func onlyTheUsernameFindsAProtectedAccount() async throws {
    try await Self.run { stage in
      let year = try #require(Int(Date().formatted(.iso8601).prefix(4))) - 15
      let form = ["born": "\(year)-01-01"]
      #expect(try await stage.browser.submit("/settings/birth-date", on: "/settings", form).status == 303)
      let id = stage.ann.user.id
      let profile = try await stage.backend.send(
        "GET", "/rest/v1/profiles?id=eq.\(id)&select=username", headers: AuthRoutesTests.bearer(stage.ann.accessToken))
      let name = String(try #require(profile.text.firstMatch(of: /"username":"([^"]+)"/)).output.1)
      #expect(!id.contains(name.dropFirst("user_".count)))
      #expect(try await stage.owner.get("/u/\(id)").status == 404)
      #expect(try await stage.owner.get("/u/\(name)").status == 200)
    }
  }

  /// A page's values contain the author of the highlight.
  @Test func aHiddenAuthorOfACommentIsUnknown() throws {
    let row = #"""
      {"id":"1","author_id":"2","author":null,"text":"nice","created_at":"2026-01-01T00:00:00Z","likes_count":0,
      "is_liked_by_me":false,"reactions":{}}
      """#
    let comment = try JSONDecoder.snakeCase.decode(SharedComment.self, from: Data(row.utf8))
    let author: [String: Any] = ["page": "/u/alice", "name": "Alice"]
    let page = PageLibrary(ServerModule.all.map(\.pages)).text(
      "comments", ["author": author, "comments": [comment.templateValues(for: .anonymous, own: [])]])
    #expect(page.contains("Unknown user") && page.contains("nice") && !page.contains("Alice"))
  }

  @Test func anAccountIsExportedDeletedAndRestored() async throws {
    try await Self.run { stage in
      let export = try await stage.browser.get("/settings/export")
      #expect(export.headers["content-disposition"] == "attachment; filename=\"account.json\"")
      #expect(export.text.contains("ann@example.org"))
      #expect(try await stage.browser.submit("/settings/delete", on: "/settings").status == 422)
      #expect(try await stage.browser.submit("/settings/delete", on: "/settings", ["confirm": "yes"]).status == 303)
      #expect(try await stage.browser.get("/settings").status == 401)
      #expect(try await stage.owner.get("/u/\(stage.ann.user.id)").status == 404)
      #expect(try await stage.browser.signIn("ann@example.org", PageReactionTests.password).status == 303)
      #expect(try await stage.browser.submit("/settings/restore", on: "/settings").status == 303)
      #expect(try await stage.owner.get("/u/\(stage.ann.user.id)").status == 200)
    }
  }

  @Test func onlyTheAuthorSeesTheViews() async throws {
    try await Self.run { stage in
      let view = try await stage.backend.send(
        "POST", "/rest/v1/rpc/record_view", headers: AuthRoutesTests.bearer(stage.ann.accessToken),
        body: Array(#"{"highlight":"\#(stage.highlight)","watched":12}"#.utf8))
      #expect(view.status == 204)
      let page = try await stage.owner.get("/analytics").text
      #expect(page.contains("<td role=\"cell\">1</td><td role=\"cell\">100 %</td><td role=\"cell\">12 s</td>"))
      #expect(try await stage.browser.get("/analytics").text.contains("role=\"cell\"") == false)
      for skip in ["1", "-1", "9223372036854775807"] {
        let page = try await stage.owner.get("/analytics?skip=\(skip)")
        #expect(page.status == 200 && page.text.contains("role=\"cell\"") == (skip == "-1"), "\(skip)")
      }
    }
  }

  @Test func pagesReportViews() async throws {
    try await Self.run { stage in
      let text = try await stage.browser.get(stage.page).text
      let token = String(try #require(text.firstMatch(of: /data-token="([^"]+)"/)).output.1)
      let fields = ["token": token, "watched": "12"]
      #expect(try await stage.browser.post(stage.page + "/view", fields).status == 204)
      #expect(try await stage.browser.post(stage.page + "/view", ["token": "x", "watched": "12"]).status == 403)
      #expect(try await stage.owner.get("/analytics").text.contains("<td role=\"cell\">1</td>"))
    }
  }

  @Test func openPagesGetNewCommentsUntilTheHighlightIsHidden() async throws {
    try await Self.run { stage in
      let cookies = stage.browser.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
      let connection = try RawConnection(port: stage.backend.server.port)
      try await connection.send(
        stage.backend.head(
          "GET", "/events" + stage.page, ["Cookie": cookies, "Connection": "close"], contentLength: nil))
      #expect(try await connection.read(until: "No comments yet").contains("text/event-stream"))
      #expect(try await stage.owner.submit(stage.page + "/comments", on: stage.page, ["text": "<live>"]).status == 303)
      #expect(try await connection.read(until: "&lt;live&gt;").contains("event: parts"))
      let owner = AuthRoutesTests.bearer(stage.backend.server.address.ownerToken)
      let hidden = try await stage.backend.send(
        "PATCH", "/rest/v1/highlights?id=eq.\(stage.highlight)", headers: owner,
        body: Array(#"{"privacy_level":"private"}"#.utf8))
      #expect(hidden.status == 204)
      #expect(String(decoding: try await connection.readToEnd(), as: UTF8.self).contains("event: ending"))
      #expect(try await stage.browser.get("/events" + stage.page).status == 404)
    }
  }
}
