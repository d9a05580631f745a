import ClipModel
import Foundation
import Testing

@testable import LocalBackend

/// Feeds, search, mentions and reactions on the pages.
@Suite(.timeLimit(.minutes(10))) struct PageDiscoveryTests {
  /// Starts a server with a highlight of the owner, and signs Ann's browser in.
  /// - Parameter otherCount: the number of further highlights of the owner.
  private func run(
    caption: String = "Rally #spike", otherCount: Int = 0,
    _ test: (PageBrowser, _ highlight: String) async throws -> Void
  ) async throws {
    try await TestBackend.run { backend in
      for _ in 0..<otherCount { _ = try await backend.publish(pattern(10)) }
      var draft = HighlightDraft.sample(caption: caption)
      draft.tags = CaptionTags.extractHashtags(in: caption)
      let highlight = try await backend.publish(pattern(100), draft)
      _ = try await AuthRoutesTests.signUp(backend, "ann@example.org", password: PageReactionTests.password)
      let browser = PageBrowser(backend)
      #expect(try await browser.signIn("ann@example.org", PageReactionTests.password).status == 303)
      try await test(browser, highlight.id.uuidString.lowercased())
    }
  }

  private static let follow = "/u/local/follow"

  @Test func followingIsTheStartPageAfterTheFirstFollow() async throws {
    try await run { browser, highlight in
      #expect(try await browser.get("/").text.contains(#"<a href="/latest" aria-current="page">"#))
      let empty = try await browser.get("/following").text
      #expect(!empty.contains("<article") && empty.contains(#"<a href="/following" aria-current="page">"#))
      #expect(try await browser.submit(Self.follow, on: "/u/local").headers["location"] == "/u/local")
      let start = try await browser.get("/").text
      #expect(start.contains("id=\"h-\(highlight)\"") && start.contains(#"<a href="/following" aria-current="page">"#))
      for path in ["/discover", "/for-you", "/latest"] {
        #expect(try await browser.get(path).text.contains("id=\"h-\(highlight)\""), "\(path)")
      }
    }
  }

  @Test(arguments: ["/following", "/for-you"]) func visitorsSignInFirst(_ path: String) async throws {
    try await run { browser, _ in
      let visitor = PageBrowser(browser.backend)
      let reply = try await visitor.get(path)
      #expect(reply.status == 303 && reply.headers["location"] == "/sign-in?next=\(LocalPath.percentEncoded(path))")
      #expect(try await visitor.get("/discover").text.contains("<article"))
    }
  }

  @Test func discoverHasPages() async throws {
    try await TestBackend.run { backend in
      for _ in 0..<9 { _ = try await backend.publish(pattern(10)) }
      let first = try await backend.send("GET", "/discover").text
      #expect(first.matches(of: /<article/).count == 8 && first.contains(#"href="/discover?skip=8" rel="next""#))
      let second = try await backend.send("GET", "/discover?skip=8").text
      #expect(second.matches(of: /<article/).count == 1 && !second.contains("rel=\"next\""))
      for skip in ["x", "-1", "99999999999999999999", "1000"] {
        #expect(try await backend.send("GET", "/discover?skip=\(skip)").status == 200, "\(skip)")
      }
    }
  }

  /// Liked highlights leave a new list, but not the pages of one that was opened before.
  @Test func likesDoNotShiftTheNextPage() async throws {
    try await run(otherCount: 9) { browser, _ in
      func page(_ path: String) async throws -> (shown: [String], next: String?) {
        let text = try await browser.get(path).text
        let next = text.firstMatch(of: /href="([^"]+)" rel="next"/).map {
          String($0.output.1).replacing("&amp;", with: "&")
        }
        return (text.matches(of: /<article class="post" id="h-([0-9a-f-]+)"/).map { String($0.output.1) }, next)
      }
      let first = try await page("/for-you")
      let next = try #require(first.next)
      for id in first.shown.prefix(3) {
        #expect(try await browser.submit("/h/\(id)/like", on: "/h/\(id)").status == 303)
      }
      let second = try await page(next)
      #expect(first.shown.count == 8 && second.shown.count == 2 && second.next == nil)
      #expect(Set(first.shown + second.shown).count == 10)
      #expect(try await page("/for-you").shown.count == 7)
      #expect(try await page("/for-you?skip=0&liked=x").shown.count == 7)
    }
  }

  @Test func searchFindsPeopleTagsAndHighlights() async throws {
    try await run { browser, highlight in
      let page = try await browser.get("/search?q=rally").text
      #expect(page.contains("href=\"/h/\(highlight)\"") && page.contains(#"value="rally""#))
      #expect(try await browser.get("/search?q=%23spi").text.contains(#"<a href="/tags/spike""#))
      // As a form encodes it.
      #expect(try await browser.get("/search?q=long+rally%2B").text.contains(#"value="long rally+""#))
      let people = try await browser.get("/search?q=local").text
      #expect(people.contains(#"<a class="author" href="/u/local">"#))
      // A follow returns to the results.
      let reply = try await browser.submit(Self.follow, on: "/search?q=local")
      #expect(reply.status == 303 && reply.headers["location"] == "/search?q=local")
      #expect(!(try await browser.get("/search?q=local").text.contains(Self.follow)))
      let hostile = try await browser.get("/search?q=%3Cscript%3E%22zzz")
      #expect(hostile.status == 200 && !hostile.text.contains("<script>\"") && !hostile.text.contains("<article"))
    }
  }

  @Test func searchHasPagesOfPeople() async throws {
    try await run { browser, _ in
      // With Ann, 22 usernames begin with `user_`.
      for number in 1...21 { _ = try await AuthRoutesTests.signUp(browser.backend, "p\(number)@example.org") }
      func people(_ path: String) async throws -> (names: [String], next: String?) {
        let text = try await browser.get(path).text
        let next = text.firstMatch(of: /href="([^"]+)">More people/).map {
          String($0.output.1).replacing("&amp;", with: "&")
        }
        return (text.matches(of: /<a class="author" href="([^"]+)"/).map { String($0.output.1) }, next)
      }
      let first = try await people("/search?q=user_")
      #expect(first.names.count == 20)
      let next = try #require(first.next)
      let second = try await people(next)
      #expect(second.names.count == 2 && second.next == nil && Set(first.names + second.names).count == 22)
      // A follow returns to the same page.
      let form = try #require(try await browser.get(next).text.firstMatch(of: /action="(\/u\/[^"]+\/follow)"/)).output.1
      #expect(try await browser.submit(String(form), on: next).headers["location"] == next)
      for skip in ["x", "-1", "1000"] {
        #expect(try await browser.get("/search?q=user_&skip=\(skip)").status == 200, "\(skip)")
      }
    }
  }

  @Test func aFollowDoesNotLeadToOtherSites() async throws {
    try await run { browser, _ in
      let reply = try await browser.submit(Self.follow, on: "/search?q=local", ["next": "//example.org"])
      #expect(reply.headers["location"] == "/")
    }
  }

  @Test func onlyExistingPeopleAreLinked() async throws {
    try await run(caption: "With @local and @nobody_here #ace") { browser, highlight in
      let text = #"With <a href="/u/local">@local</a> and @nobody_here <a href="/tags/ace">#ace</a>"#
      let feed = try await browser.get("/latest").text
      #expect(feed.contains(text))
      let page = "/h/\(highlight)"
      #expect(try await browser.submit(page + "/comments", on: page, ["text": "<b>@LOCAL</b>"]).status == 303)
      #expect(try await browser.get(page).text.contains(#"&lt;b&gt;<a href="/u/local">@LOCAL</a>&lt;/b&gt;"#))
    }
  }

  @Test func reactionsCanBeAddedAndRemoved() async throws {
    try await run { browser, highlight in
      let page = "/h/\(highlight)"
      #expect(try await browser.submit(page + "/comments", on: page, ["text": "x"]).status == 303)
      let text = try await browser.get(page).text
      let action = try #require(text.firstMatch(of: /action="([^"]+\/reactions)"/)).output.1
      for _ in 0..<2 {
        #expect(try await browser.submit(String(action), on: page, ["add": "🔥"]).status == 303)
      }
      #expect(try await browser.get(page).text.contains(#"aria-label="Fire, 1">🔥 1</span>"#))
      #expect(try await browser.submit(String(action), on: page, ["add": "x"]).status == 404)
      #expect(try await browser.submit(String(action), on: page, ["remove": "🔥"]).status == 303)
      #expect(!(try await browser.get(page).text.contains("🔥 1")))
    }
  }
}
