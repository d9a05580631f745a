import ClipModel
import Foundation
import TestSupport
import Testing

@testable import LocalBackend

/// The forms of an own highlight, and the tags with which other programs show a link to it.
@Suite(.timeLimit(.minutes(10))) struct AuthorPagesTests {
  private static func run(
    _ test: (_ backend: TestBackend, _ owner: PageBrowser, _ highlight: String) async throws -> Void
  ) async throws {
    var maker = TestBackend.quickMaker
    maker.trim = { _, range, path in try Data("\(range)".utf8).write(to: URL(filePath: path)) }
    maker.inspect = { path in
      var facts = TestBackend.goodFacts
      if path.contains("/trim-") { facts.durationSeconds = 5 }
      return facts
    }
    try await TestBackend.run(maker: maker) { backend in
      let highlight = try await backend.publish(pattern(100))
      let owner = PageBrowser(backend)
      try await owner.enter()
      try await test(backend, owner, highlight.id.uuidString.lowercased())
    }
  }

  @Test func theAuthorTrimsAndEdits() async throws {
    try await Self.run { backend, owner, id in
      let page = "/h/\(id)"
      let short = try await owner.submit(page + "/trim", on: page, ["from": "1", "to": "2"])
      #expect(short.status == 422 && short.text.contains("id=\"notice\""))
      #expect(try await owner.submit(page + "/trim", on: page, ["from": "2", "to": "x"]).status == 422)
      #expect(try await owner.submit(page + "/trim", on: page, ["from": "2", "to": "7"]).status == 303)
      #expect(try await backend.highlights().first?.duration == 5)

      let texts = ["caption": "Ace #Serve", "tags": "#Spike, dig spike", "level": "followers_only"]
      #expect(try await owner.submit(page + "/edit", on: page, texts).status == 303)
      let changed = try #require(try await backend.highlights().first)
      #expect(changed.caption == "Ace #Serve" && changed.tags == ["spike", "dig", "serve"])
      #expect(changed.privacy == .followersOnly)
      let long = texts.merging(["caption": String(repeating: "x", count: 2201)]) { $1 }
      #expect(try await owner.submit(page + "/edit", on: page, long).status == 422)
    }
  }

  @Test func theAuthorDeletes() async throws {
    try await Self.run { backend, owner, id in
      let reply = try await owner.submit("/h/\(id)/delete", on: "/h/\(id)")
      #expect(reply.status == 303)
      #expect(try await backend.highlights().isEmpty)
      #expect(try await owner.get("/h/\(id)").status == 404)
      #expect(try await owner.get(reply.headers["location"] ?? "").status == 200)
    }
  }

  @Test func theFirstPublicHighlightIsConfirmedOnce() async throws {
    try await Self.run { backend, owner, id in
      let (page, form) = ("/h/\(id)", "/h/\(id)/edit")
      func level() async throws -> PrivacyLevel? {
        let rows: [Highlight] = try await backend.send(
          "GET", "/rest/v1/highlights", headers: AuthRoutesTests.bearer(backend.server.address.ownerToken)
        ).json()
        return rows.first?.privacy
      }
      let texts = ["caption": "A <b>\r\n\"c\"", "tags": "", "level": "public", "downloads": "1"]
      // A highlight that stays public needs no confirmation.
      #expect(try await owner.submit(form, on: page, texts).status == 303)
      #expect(try await owner.submit(form, on: page, ["level": "private"]).status == 303)
      let question = try await owner.submit(form, on: page, texts)
      #expect(question.status == 200 && question.text.contains("name=\"confirm\""))
      #expect(try await level() == .onlyMe)
      let fields = try PageBrowser.fields(of: form, in: question.text)
      #expect(try await owner.post(form, fields).status == 303)
      #expect(try await level() == .everyone)
      let shown = try await owner.get(page).text
      #expect(shown.contains("A &lt;b&gt;\n&quot;c&quot;</textarea>") && shown.contains("value=\"1\" checked"))
      // The second time, nothing is asked.
      #expect(try await owner.submit(form, on: page, ["level": "private"]).status == 303)
      #expect(try await owner.submit(form, on: page, texts).status == 303)
      #expect(try await level() == .everyone)
    }
  }

  @Test func viewersDownloadIfTheAuthorAllowsIt() async throws {
    try await Self.run { backend, owner, id in
      // Before the first sign-up, visitors are the author.
      _ = try await AuthRoutesTests.signUp(backend, "eve@example.org")
      let (page, viewer) = ("/h/\(id)", PageBrowser(backend))
      func link(_ browser: PageBrowser, on page: String) async throws -> String? {
        let match = try await browser.get(page).text.firstMatch(of: /<a href="([^"]+)" download="/)
        return match.map { String($0.output.1) }
      }
      let own = try #require(try await link(owner, on: page))
      #expect(try await owner.get(own).status == 200)
      for list in [page, "/latest"] { #expect(try await link(viewer, on: list) == nil) }
      #expect(try await viewer.get(own).status == 403)
      let texts = ["caption": "Ace", "level": "public", "downloads": "1"]
      #expect(try await owner.submit(page + "/edit", on: page, texts).status == 303)
      for list in [page, "/latest"] { #expect(try await link(viewer, on: list) == own) }
      #expect(try await viewer.get(own).status == 200)
    }
  }

  @Test func othersHaveNoForms() async throws {
    try await Self.run { backend, owner, id in
      _ = try await AuthRoutesTests.signUp(backend, "eve@example.org", password: PageReactionTests.password)
      let eve = PageBrowser(backend)
      #expect(try await eve.signIn("eve@example.org", PageReactionTests.password).status == 303)
      let page = try await eve.get("/h/\(id)").text
      #expect(!page.contains("/edit\"") && !page.contains("/trim\"") && !page.contains("/delete\""))
      let token = try PageBrowser.fields(of: "/h/\(id)/like", in: page)["token"] ?? ""
      let fields = ["token": token, "from": "2", "to": "7", "caption": "mine", "level": "public"]
      #expect(try await eve.post("/h/\(id)/trim", fields).status == 404)
      #expect(try await eve.post("/h/\(id)/edit", fields).status == 404)
      #expect(try await eve.post("/h/\(id)/delete", fields).status == 404)
      #expect(try await backend.highlights().first?.duration == 12)
    }
  }

  /// A program that shows links keeps what it reads, so that a closed clip has no tags, not even for its author.
  @Test(arguments: ["public", "followers_only", "private"]) func onlyPublicClipsHaveAPreview(level: String) async throws
  {
    try await Self.run { backend, owner, id in
      let page = "/h/\(id)"
      #expect(
        try await owner.submit(page + "/edit", on: page, ["caption": "\"Ace\" <b>", "level": level]).status == 303)
      let own = try await owner.get(page)
      #expect(own.text.contains("og:image") == (level == "public"))
      #expect(own.text.contains("content=\"&quot;Ace&quot; &lt;b&gt;\"") == (level == "public"))
      let other = try await PageBrowser(backend).get(page)
      if level == "public" {
        let image = try #require(other.text.firstMatch(of: /og:image" content="http:\/\/[^\/]+([^"]+)"/)).output.1
        #expect(try await PageBrowser(backend).get(String(image)).status == 200)
      }
    }
  }

  @Test(arguments: [("", []), (" #A,b  #c#d ", ["a", "b", "c", "d"]), ("été 排球", ["été", "排球"])])
  func tagsAreSeparated(text: String, tags: [String]) {
    #expect(AuthorPages.tags(text) == tags)
  }
}
