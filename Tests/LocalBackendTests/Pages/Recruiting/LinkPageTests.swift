import Foundation
import TestSupport
import Testing

@testable import LocalBackend

/// Sending a highlight, and the page of its link.
@Suite(.timeLimit(.minutes(10))) struct LinkPageTests {
  /// A link that the athlete has sent.
  private struct Sent {
    let stage: RecruitingStage
    let coach: String
    let path: String
    let fields: [String: String]
    let reply: HTTPReply
  }

  private static func run(
    options: TestBackend.Options = TestBackend.Options(), _ test: (Sent) async throws -> Void
  ) async throws {
    try await RecruitingStage.run(options: options) { stage in
      let coach = try await stage.addCoach("John", "Smith")
      let form = "/h/\(stage.highlight)/send"
      #expect(try await stage.athlete.get("/h/\(stage.highlight)").text.contains("href=\"\(form)\""))
      var fields = try PageBrowser.fields(of: form, in: try await stage.athlete.get(form).text)
      fields.merge(["coach": coach, "channel": "email", "message": "See the block"]) { $1 }
      let reply = try await stage.athlete.post(form, fields)
      try #require(reply.status == 200, "\(reply.text)")
      let match = try #require(reply.text.firstMatch(of: /id="address">([^<]+)</))
      let address = String(match.output.1)
      #expect(address.hasPrefix(RecruitingStage.publicBase + "/s/"))
      try await test(
        Sent(
          stage: stage, coach: coach, path: String(address.dropFirst(RecruitingStage.publicBase.count)), fields: fields,
          reply: reply))
    }
  }

  @Test func theLinkShowsTheHighlightToAnyone() async throws {
    try await Self.run { sent in
      let coach = PageBrowser(sent.stage.backend)
      let page = try await coach.get(sent.path)
      #expect(page.status == 200 && coach.cookieRules.isEmpty && page.headers["set-cookie"] == nil)
      #expect(page.headers["x-robots-tag"]?.contains("noindex") == true)
      #expect(page.headers["referrer-policy"] == "no-referrer" && page.headers["cache-control"] == "no-store")
      let source = try #require(page.text.firstMatch(of: /src="(\/stream\/[^"]+)"/))
      #expect(try await coach.get(String(source.output.1)).status == 200)
      // It leads to no other page of the server.
      #expect(!page.text.contains("<a ") && !page.text.contains("<script"))
      for preview in page.text.matches(of: /<meta property="og:(?:title|description)" content="([^"]*)"/) {
        let body = try #require(page.text.range(of: "<body"))
        #expect(page.text[body.lowerBound...].contains(preview.output.1))
      }
    }
  }

  @Test func openingsOfOthersAreCounted() async throws {
    try await Self.run { sent in
      let stage = sent.stage
      func opens() async throws -> String {
        let page = try await stage.parent.get("/coaches/\(sent.coach)").text
        return String(try #require(page.firstMatch(of: /class="opens">([^<]*)</)).output.1)
      }
      for member in [stage.parent, stage.athlete] {
        let page = try await member.get(sent.path)
        #expect(page.status == 200)
      }
      #expect(try await stage.backend.send("HEAD", sent.path).status == 200)
      for program in ["facebookexternalhit/1.1", "Googlebot/2.1", "SkypeUriPreview"] {
        #expect(try await PageBrowser(stage.backend).get(sent.path, headers: ["User-Agent": program]).status == 200)
      }
      #expect(try await opens() == "Not opened yet")
      for browser in [PageBrowser(stage.backend), stage.stranger] {
        #expect(try await browser.get(sent.path, headers: ["User-Agent": "Mozilla/5.0 (CUBOT X70)"]).status == 200)
      }
      #expect(try await opens().hasPrefix("Opened 2 times"))
    }
  }

  @Test func theSameFormSentTwiceCreatesOneLink() async throws {
    try await Self.run { sent in
      let stage = sent.stage
      let again = try await stage.athlete.post("/h/\(stage.highlight)/send", sent.fields)
      #expect(again.status == 200 && again.text.contains(sent.path))
      let coach = try await stage.parent.get("/coaches/\(sent.coach)").text
      #expect(coach.matches(of: /action="\/links\//).count == 1)
      let list = try await stage.parent.get("/interactions").text
      #expect(list.matches(of: /class="card entry"/).count == 1 && list.contains("See the block"))
    }
  }

  /// After going back in the browser, the form has the ID of a link that exists.
  @Test func theFormOfASentLinkSendsToAnotherCoach() async throws {
    try await Self.run { sent in
      let stage = sent.stage
      let form = "/h/\(stage.highlight)/send"
      let other = try await stage.addCoach("Maria", "Garcia")
      let refused = try await stage.athlete.post(form, sent.fields.merging(["coach": other]) { $1 })
      #expect(refused.status == 422)
      let fields = try PageBrowser.fields(of: form, in: refused.text)
      #expect(
        try await stage.athlete.post(form, fields.merging(["coach": other, "channel": "email"]) { $1 }).status == 200)
      #expect(try await stage.parent.get("/coaches/\(other)").text.matches(of: /action="\/links\//).count == 1)
    }
  }

  @Test(arguments: [true, false]) func aRevokedLinkIsGone(isParent: Bool) async throws {
    try await Self.run { sent in
      let stage = sent.stage
      let page = "/coaches/\(sent.coach)"
      let text = try await stage.parent.get(page).text
      let form = String(try #require(text.firstMatch(of: /action="(\/links\/[^"]+)"/)).output.1)
      let token = try PageBrowser.fields(of: "/family/create", in: try await stage.stranger.get("/family").text)
      #expect(try await stage.stranger.post(form, token).status == 404)
      #expect(try await stage.backend.send("GET", sent.path).status == 200)
      let browser = isParent ? stage.parent : stage.athlete
      #expect(try await browser.submit(form, on: page).headers["location"] == page)
      #expect(try await stage.backend.send("GET", sent.path).status == 410)
      #expect(try await stage.parent.get(page).text.contains("Revoked"))
    }
  }

  @Test func aLinkExpires() async throws {
    let clock = WallClock()
    var options = TestBackend.Options()
    options.now = { clock.now }
    try await Self.run(options: options) { sent in
      clock.advance(91 * 86_400)
      let page = try await sent.stage.backend.send("GET", sent.path)
      #expect(page.status == 410)
    }
  }

  @Test(arguments: ["/s/nothing", "/s/00000000000000000000000000000000", "/s/%3Cscript%3E"])
  func unknownLinksShowNothing(path: String) async throws {
    try await RecruitingStage.run { stage in
      let reply = try await stage.backend.send("GET", path)
      #expect(reply.status == 404 && !reply.text.contains("<video"))
    }
  }

  /// A proxy forwards requests with the host of the server.
  @Test(arguments: ["https://highlights.example.org", "https://highlights.example.org/"])
  func previewTagsHaveThePublicAddress(address: String) async throws {
    var options = TestBackend.Options()
    options.change = { $0.publicURL = URL(string: address) }
    try await RecruitingStage.run(options: options) { stage in
      let page = "/h/\(stage.highlight)"
      let tags = try await PageBrowser(stage.backend).get(page).text
      #expect(tags.contains("og:url\" content=\"https://highlights.example.org\(page)\""))
      #expect(tags.contains("og:image\" content=\"https://highlights.example.org/image/"))
    }
    options.change = { $0.publicURL = nil }
    try await RecruitingStage.run(options: options) { stage in
      let tags = try await PageBrowser(stage.backend).get("/h/\(stage.highlight)").text
      #expect(tags.contains("og:url\" content=\"\(stage.backend.server.baseURL.absoluteString)/h/"))
    }
  }

  @Test func linksNeedAPublicAddress() async throws {
    var options = TestBackend.Options()
    options.change = { $0.publicURL = nil }
    try await RecruitingStage.run(options: options) { stage in
      let coach = try await stage.addCoach("John", "Smith")
      let form = "/h/\(stage.highlight)/send"
      let page = try await stage.athlete.get(form).text
      #expect(page.contains("bsc config set share.base_url") && !page.contains("action=\"\(form)\""))
      // A page that was opened before can still send its form.
      let fields = try PageBrowser.fields(of: "/coaches/add", in: try await stage.athlete.get("/coaches/add").text)
      let link = ["link": UUID().uuidString, "key": RecruitingFixture.newID(), "coach": coach, "channel": "email"]
      let reply = try await stage.athlete.post(form, fields.merging(link) { $1 })
      #expect(reply.status == 200 && !reply.text.contains("id=\"address\""))
      #expect(try await stage.athlete.get("/interactions").text.contains("id=\"nothing\""))
    }
  }

  @Test func onlyTheAthleteSendsOwnHighlights() async throws {
    try await RecruitingStage.run { stage in
      _ = try await stage.addCoach("John", "Smith")
      let form = "/h/\(stage.highlight)/send"
      #expect(try await stage.parent.get("/h/\(stage.highlight)").text.contains(form) == false)
      #expect(try await stage.parent.get(form).status == 403)
      #expect(try await stage.stranger.get(form).headers["location"] == "/family")
      #expect(try await stage.athlete.get("/h/\(UUID().uuidString)/send").status == 404)
    }
  }

  /// Other machines can open links without the server's token, but nothing else.
  @Test func aServerWithATokenServesLinks() async throws {
    var options = TestBackend.Options()
    options.openTo = LocalServerConfiguration.ReachableAddress(host: "127.0.0.1", token: "0123456789abcdef")
    try await TestBackend.run(options: options) { backend in
      let (link, page) = (
        try await backend.send("GET", "/s/nothing"), try await backend.send("GET", "/coaches")
      )
      #expect(link.status == 404 && page.status == 401)
    }
  }
}
