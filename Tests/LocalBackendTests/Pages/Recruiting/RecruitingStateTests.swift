import Foundation
import TestSupport
import Testing

@testable import LocalBackend

/// What the pages of recruiting show without content, and with long content.
@Suite(.timeLimit(.minutes(10))) struct RecruitingStateTests {
  private static func hasNothing(_ page: String) -> Bool { page.contains("id=\"nothing\"") }

  private static func ids(_ page: String) -> Set<Substring> {
    Set(page.matches(of: /id="post-([0-9a-f-]+)"/).map(\.output.1))
  }

  @Test func pagesWithoutContentShowThat() async throws {
    try await RecruitingStage.run { stage in
      let coach = try await stage.addCoach("John", "Smith")
      let pages = ["/social", "/social/coach/\(coach)", "/social/analytics", "/interactions"]
      for path in pages {
        let page = try await stage.parent.get(path)
        #expect(page.status == 200 && Self.hasNothing(page.text), "\(path)")
      }
      // A coach without handles and school.
      let page = try await stage.parent.get(pages[1]).text
      #expect(!page.contains("class=\"handles\"") && page.contains("aria-label=\"John Smith.\""))
      #expect(page.contains("href=\"/coaches/\(coach)\"") && page.contains("href=\"/social\""))

      try await stage.ingest("[\(RecruitingStage.post(1))]")
      #expect(try await !Self.hasNothing(stage.parent.get("/social").text))
      #expect(try await !Self.hasNothing(stage.parent.get("/social/analytics").text))
      #expect(try await Self.hasNothing(stage.parent.get(pages[1]).text))
    }
  }

  @Test func aFilterForASchoolHidesPostsOfOthers() async throws {
    try await RecruitingStage.run { stage in
      let school = try await stage.addSchool("Stanford")
      _ = try await stage.addCoach("John", "Smith", ["school": school, "twitter": "coachsmith"])
      try await stage.ingest("[\(RecruitingStage.post(1)), \(RecruitingStage.post(2, handle: "other"))]")
      let all = try await stage.parent.get("/social").text
      let filtered = try await stage.parent.get("/social?school=\(school)&platform=twitter").text
      #expect(Self.ids(all).count == 2 && Self.ids(filtered).count == 1)
      #expect(filtered.contains("<a class=\"clear\" href=\"/social\">"))
      #expect(all.contains("href=\"/social/analytics\""))
      // The author of a post without a coach.
      #expect(all.contains("<bdi>Author other</bdi>"))
      let analytics = try await stage.parent.get("/social/analytics").text
      #expect(analytics.contains("/schools/\(school)"))
    }
  }

  @Test(arguments: [
    ("a\nb\nc\nd\ne", false), ("a\nb\nc\nd\ne\nf", true), (String(repeating: "x", count: 280), false),
    (String(repeating: "x", count: 281), true),
  ])
  func aPostIsFoldedIfTextIsHidden(content: String, isFolded: Bool) async throws {
    try await RecruitingStage.run { stage in
      try await stage.ingest("[\(RecruitingStage.post(1, content))]")
      let page = try await stage.parent.get("/social").text
      #expect(Self.ids(page).count == 1 && page.contains("class=\"post-text\"") == isFolded)
      let preview = page.firstMatch(of: /class="preview" dir="auto">([^<]*)</)?.output.1
      let expected = content.hasSuffix("f") ? "a\nb\nc\nd\ne…" : content.dropLast() + "…"
      #expect(preview.map(String.init) == (isFolded ? expected : nil))
    }
  }

  private static func entries(_ page: String) -> Set<Substring> {
    Set(page.matches(of: /<li class="card entry" id="interaction-([0-9a-f-]{36})"/).map(\.output.1))
  }

  /// All have the same time, so that only the ID orders them.
  @Test func interactionsArePagedAndShowWhoLoggedThem() async throws {
    try await RecruitingStage.run { stage in
      for number in 0..<51 { _ = try await stage.log(["subject": "Call \(number)", "occurred": "2026-02-03T14:15"]) }
      let first = try await stage.parent.get("/interactions").text
      #expect(first.matches(of: /class="card entry"/).count == 50 && first.contains("class=\"badge member\""))
      let next = try #require(first.firstMatch(of: /id="more-items"><a [^>]*href="([^"]+)"/)?.output.1)
      // A newer one that is logged between the two requests moves none.
      _ = try await stage.log(["subject": "New"])
      let second = try await stage.parent.get(next.replacingOccurrences(of: "&amp;", with: "&")).text
      #expect(second.matches(of: /class="card entry"/).count == 1 && !second.contains("rel=\"next\""))
      #expect(Self.entries(first).union(Self.entries(second)).count == 51)
      // An athlete only sees their own.
      #expect(try await !stage.athlete.get("/interactions").text.contains("class=\"badge member\""))
      let form = try await stage.parent.get("/interactions").text
      let member = try #require(form.firstMatch(of: /name="by".*?<option value="([0-9a-f-]{36})"/)?.output.1)
      #expect(try await Self.hasNothing(stage.parent.get("/interactions?by=\(member)").text))
    }
  }
}
