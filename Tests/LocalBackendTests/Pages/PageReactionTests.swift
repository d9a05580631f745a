import ClipModel
import Foundation
import Testing

@testable import LocalBackend

/// Likes, comments and follows on the pages, under the row rules.
@Suite(.timeLimit(.minutes(10))) struct PageReactionTests {
  static let password = "correct horse"

  /// Starts a server with a highlight of the owner, and signs Ann's browser in.
  private func run(
    _ privacy: PrivacyLevel = .everyone, hidesLikes: Bool = false,
    _ test: (PageBrowser, Highlight, AuthRoutesTests.Session) async throws -> Void
  ) async throws {
    try await TestBackend.run { backend in
      var draft = HighlightDraft.sample()
      draft.privacy = privacy
      draft.hideLikes = hidesLikes
      let highlight = try await backend.publish(pattern(100), draft)
      let ann = try await AuthRoutesTests.signUp(backend, "ann@example.org", password: Self.password)
      let browser = PageBrowser(backend)
      #expect(try await browser.signIn("Ann@example.org", Self.password).status == 303)
      try await test(browser, highlight, ann)
    }
  }

  @Test func likeCanBeSetAndRemoved() async throws {
    try await run { browser, highlight, _ in
      let page = "/h/\(highlight.id.uuidString.lowercased())"
      let like = page + "/like"
      #expect(try await browser.get(page).text.contains(#"aria-pressed="false" aria-label="Like, 0 likes""#))
      let reply = try await browser.submit(like, on: page)
      #expect(reply.status == 303 && reply.headers["location"] == page)
      #expect(try await browser.get(page).text.contains(#"aria-pressed="true" aria-label="Like, 1 like""#))
      // Liking twice has no effect.
      let fields = try PageBrowser.fields(of: like, in: try await browser.get(page).text)
      #expect(fields["on"] == "0")
      #expect(try await browser.post(like, fields.merging(["on": "1"]) { $1 }).status == 303)
      #expect(try await browser.get("/").text.contains("Like, 1 like\""))
      #expect(try await browser.submit(like, on: "/").status == 303)
      #expect(try await browser.get(page).text.contains(#"aria-pressed="false" aria-label="Like, 0 likes""#))
    }
  }

  @Test func onlyTheAuthorSeesHiddenLikes() async throws {
    try await run(hidesLikes: true) { browser, highlight, _ in
      let page = "/h/\(highlight.id.uuidString.lowercased())"
      #expect(try await browser.submit(page + "/like", on: page).status == 303)
      let seen = try await browser.get(page).text
      #expect(seen.contains(#"aria-pressed="true" aria-label="Like""#) && !seen.contains("1 like"))
      let author = PageBrowser(browser.backend)
      try await author.enter()
      #expect(try await author.get(page).text.contains("Like, 1 like\""))
    }
  }

  @Test func authorCanWriteAndDeleteComments() async throws {
    try await run { browser, highlight, _ in
      let page = "/h/\(highlight.id.uuidString.lowercased())"
      let write = page + "/comments"
      let comment = "Nice <b>dig</b>\r\n\"quoted\" 排球 🏐 مرحبا"
      let reply = try await browser.submit(write, on: page, ["text": "  \(comment)\r\n"])
      #expect(reply.status == 303 && reply.headers["location"] == page + "#comments")
      let text = try await browser.get(page).text
      #expect(text.contains("Nice &lt;b&gt;dig&lt;/b&gt;\n&quot;quoted&quot; 排球 🏐 مرحبا</p>"))
      #expect(text.contains("1 comment</h2>"))
      let delete = try #require(text.firstMatch(of: /action="([^"]+\/comments\/[^"]+\/delete)"/)).output.1
      // Other users see the comment but can't delete it.
      let other = PageBrowser(browser.backend)
      try await other.enter()
      let seen = try await other.get(page).text
      #expect(seen.contains("quoted") && !seen.contains(delete))
      let token = try PageBrowser.fields(of: write, in: seen)
      #expect(try await other.post(String(delete), token).status == 404)
      #expect(try await browser.submit(String(delete), on: page).status == 303)
      #expect(try await browser.get(page).text.contains("0 comments</h2>"))
    }
  }

  @Test func aCommentCanBeLiked() async throws {
    try await run { browser, highlight, _ in
      let page = "/h/\(highlight.id.uuidString.lowercased())"
      let owner = PageBrowser(browser.backend)
      try await owner.enter()
      #expect(try await owner.submit(page + "/comments", on: page, ["text": "Nice dig"]).status == 303)
      let text = try await browser.get(page).text
      let like = String(try #require(text.firstMatch(of: /action="([^"]+\/comments\/[^"]+\/like)"/)).output.1)
      let comment = try #require(like.split(separator: "/").dropLast().last)
      let button = #"id="like-\#(comment)" aria-pressed="#
      for (before, after) in [("false\" aria-label=\"Like\"", "true\" aria-label=\"Like, 1 like\""), ("true", "false")]
      {
        #expect(try await browser.get(page).text.contains("\(button)\"\(before)"))
        let reply = try await browser.submit(like, on: page)
        #expect(reply.status == 303 && reply.headers["location"] == "\(page)#comment-\(comment)")
        #expect(try await browser.get(page).text.contains("\(button)\"\(after)"))
      }
      // The highlight has no likes, and a comment that doesn't exist can't be liked.
      #expect(try await browser.get(page).text.contains(#"aria-label="Like, 0 likes""#))
      let fields = try PageBrowser.fields(of: like, in: text)
      #expect(try await browser.post("\(page)/comments/\(UUID().uuidString)/like", fields).status == 404)
    }
  }

  @Test(arguments: [
    "", " \r\n ", String(repeating: "é", count: 501), "e" + String(repeating: "\u{301}", count: 9000),
  ])
  func refusedCommentStaysInTheForm(_ comment: String) async throws {
    try await run { browser, highlight, _ in
      let page = "/h/\(highlight.id.uuidString.lowercased())"
      let reply = try await browser.submit(page + "/comments", on: page, ["text": comment])
      #expect(reply.status == 422 && reply.text.contains(#"id="notice" role="alert">"#))
      // The text is kept.
      let text = comment.trimmingCharacters(in: .whitespacesAndNewlines)
      #expect(text.isEmpty || reply.text.contains(text))
      if comment.utf8.count > 16_000 { #expect(reply.text.contains("18001")) }
      #expect(try await browser.get(page).text.contains("0 comments"))
    }
  }

  /// Hidden highlights can't be liked or commented on, and look like missing ones.
  @Test(arguments: [PrivacyLevel.onlyMe, .followersOnly])
  func hiddenHighlightsLookMissing(_ privacy: PrivacyLevel) async throws {
    try await run(privacy) { browser, highlight, _ in
      let page = "/h/\(highlight.id.uuidString.lowercased())"
      #expect(try await browser.get(page).status == 404)
      for path in ["/", "/tags/spike"] { #expect(try await !browser.get(path).text.contains("<article")) }
      let token = try PageBrowser.fields(of: "/sign-out", in: try await browser.get("/").text)
      for (path, fields) in [("/like", ["on": "1"]), ("/comments", ["text": "x"])] {
        #expect(try await browser.post(page + path, token.merging(fields) { $1 }).status == 404)
      }
      let owner = PageBrowser(browser.backend)
      try await owner.enter()
      let badge = privacy == .onlyMe ? ">private</span>" : ">followers only</span>"
      #expect(try await owner.get(page).text.contains(badge))
      guard privacy == .followersOnly else { return }
      #expect(try await browser.submit("/u/local/follow", on: "/u/local").status == 303)
      #expect(try await browser.get(page).status == 200)
    }
  }

  /// Also if the followed account has become private.
  @Test func ownFollowsEndInTheList() async throws {
    try await run { browser, _, ann in
      let owner = PageBrowser(browser.backend)
      try await owner.enter()
      let (page, list) = ("/u/\(ann.user.id)", "/u/local/following")
      let form = "/people/\(ann.user.id)/unfollow"
      let follow = try #require(try await owner.get(page).text.firstMatch(of: /action="(\/u\/[^"]+\/follow)"/)).output.1
      #expect(try await owner.submit(String(follow), on: page).status == 303)
      #expect(try await !owner.get(list).text.contains("profile is hidden"))
      let change = try await browser.backend.send(
        "PATCH", "/rest/v1/profiles?id=eq.\(ann.user.id)", headers: AuthRoutesTests.bearer(ann.accessToken),
        body: Array(#"{"privacy_level":"private"}"#.utf8))
      #expect(change.status == 204)
      #expect(try await owner.get(list).text.contains("profile is hidden"))
      #expect(try await !browser.get(list).text.contains(form))
      #expect(try await owner.submit(form, on: list).status == 303)
      #expect(try await !owner.get(list).text.contains(form))
    }
  }

  @Test func followersAreRemoved() async throws {
    try await run { browser, _, ann in
      let owner = PageBrowser(browser.backend)
      try await owner.enter()
      let (page, form) = ("/u/\(ann.user.id)", "/people/\(ann.user.id)/remove-follower")
      #expect(try await !owner.get(page).text.contains(form))
      #expect(try await browser.submit("/u/local/follow", on: "/u/local").status == 303)
      let (followers, following) = ("/u/local/followers", "\(page)/following")
      #expect(try await owner.get(followers).text.matches(of: /<a class="author" href="\/u\/user_/).count == 1)
      #expect(try await owner.get(following).text.contains(#"<a class="author" href="/u/local">"#))
      // A private follower has no name and no page; the list has its button.
      let removal = try PageBrowser.fields(of: form, in: try await owner.get(followers).text)
      #expect(removal["next"] == followers)
      for level in ["private", "public"] {
        let change = try await browser.backend.send(
          "PATCH", "/rest/v1/profiles?id=eq.\(ann.user.id)", headers: AuthRoutesTests.bearer(ann.accessToken),
          body: Array(#"{"privacy_level":"\#(level)"}"#.utf8))
        #expect(change.status == 204)
        let list = try await owner.get(followers).text
        #expect(list.contains(form) && list.contains("profile is hidden") == (level == "private"))
        #expect(try await !browser.get(followers).text.contains("/remove-follower"))
        #expect(try await owner.get(page).status == (level == "private" ? 404 : 200))
      }
      let reply = try await owner.submit(form, on: page)
      #expect(reply.status == 303 && reply.headers["location"]?.hasPrefix("/u/") == true)
      #expect(try await !owner.get(page).text.contains(form))
      #expect(try await browser.get("/u/local").text.contains(">Follow</button>"))
    }
  }

  @Test func votesAreCountedAndCanChange() async throws {
    try await run { browser, highlight, _ in
      let id = highlight.id.uuidString.lowercased()
      let (page, form) = ("/h/\(id)", "/h/\(id)/poll")
      #expect(try await !browser.get(page).text.contains(form))
      let headers = AuthRoutesTests.bearer(browser.backend.server.address.ownerToken)
      func insert(_ table: String, _ rows: String) async throws -> String {
        let reply = try await browser.backend.send(
          "POST", "/rest/v1/\(table)", headers: headers.merging(["Prefer": "return=representation"]) { $1 },
          body: Array(rows.utf8))
        #expect(reply.status == 201, "\(reply.text)")
        return String(try #require(reply.text.firstMatch(of: /"id":"([^"]+)"/)).output.1)
      }
      let poll = try await insert("polls", #"{"highlight_id":"\#(id)","question":"In <b>?"}"#)
      let out = try await insert("poll_options", #"{"poll_id":"\#(poll)","text":"Out","sort_order":2}"#)
      let inside = try await insert("poll_options", #"{"poll_id":"\#(poll)","text":"In","sort_order":1}"#)
      /// The results in the order of the page, and whether the visitor has voted for them.
      func results(_ text: String) -> [String] {
        text.matches(of: /aria-pressed="(\w+)" dir="auto">(\w+)<\/button>.*?<span class="quiet">([^<]+)</).map {
          "\($0.output.2) \($0.output.1) \($0.output.3)"
        }
      }
      let text = try await browser.get(page).text
      #expect(text.contains("In &lt;b&gt;?") && results(text) == ["In false 0 votes, 0 %", "Out false 0 votes, 0 %"])
      for (option, expected) in [
        (out, ["In false 0 votes, 0 %", "Out true 1 vote, 100 %"]),
        (inside, ["In true 1 vote, 100 %", "Out false 0 votes, 0 %"]),
      ] {
        let reply = try await browser.submit(form, on: page, ["option": option])
        #expect(reply.status == 303 && reply.headers["location"] == "\(page)#poll-\(id)")
        #expect(results(try await browser.get(page).text) == expected)
      }
      #expect(try await browser.submit(form, on: page, ["option": poll]).status == 404)
      // Visitors see the results, and can't vote.
      let visitor = PageBrowser(browser.backend)
      let seen = try await visitor.get(page).text
      #expect(seen.contains("1 vote, 100 %") && seen.contains("/sign-in?next=") && !seen.contains("name=\"option\""))
      #expect(try await visitor.submit(form, on: page, ["option": out]).status == 401)
    }
  }

  @Test func followsPublicProfilesAndRequestsToFollowOthers() async throws {
    try await run { browser, _, ann in
      let profile = try await browser.get("/u/LOCAL")
      #expect(profile.status == 200 && profile.text.contains("<b>1</b> highlight</li>"))
      #expect(profile.text.contains(">Follow</button>"))
      #expect(try await browser.submit("/u/local/follow", on: "/u/local").status == 303)
      let followed = try await browser.get("/u/local").text
      #expect(followed.contains(">Unfollow</button>") && followed.contains("<b>1</b> follower</a>"))
      #expect(try await browser.submit("/u/local/follow", on: "/u/local").status == 303)
      #expect(try await browser.get("/u/local").text.contains("<b>0</b> followers</a>"))
      // Ann's profile requires follow requests.
      let level = try await browser.backend.send(
        "PATCH", "/rest/v1/profiles?id=eq.\(ann.user.id)", headers: AuthRoutesTests.bearer(ann.accessToken),
        body: Array(#"{"privacy_level":"followers_only","username":"Ann_1"}"#.utf8))
      #expect(level.status == 204)
      let owner = PageBrowser(browser.backend)
      try await owner.enter()
      // An underscore is not a wildcard.
      #expect(try await owner.get("/u/annx1").status == 404)
      #expect(try await owner.get("/u/\(ann.user.id)").text.contains("Request to follow"))
      #expect(try await owner.submit("/u/Ann_1/follow", on: "/u/ann_1").status == 303)
      #expect(try await owner.get("/u/ann_1").text.contains("Cancel request"))
      #expect(try await browser.get("/u/ann_1").text.contains("/follow\"") == false)
    }
  }
}
