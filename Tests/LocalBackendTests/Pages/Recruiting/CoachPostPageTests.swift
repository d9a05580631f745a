import Foundation
import Recruiting
import TestSupport
import Testing

@testable import LocalBackend

/// The page with the posts of one coach: its labels, its forms, and its parts.
@Suite(.timeLimit(.minutes(10))) struct CoachPostPageTests {
  private static func posts(_ count: Int, handle: String = "coachsmith") -> String {
    let posts = (1...count).map {
      RecruitingStage.post($0, "Post \($0)", handle: handle, date: "2026-01-01T10:00:00Z")
    }
    return "[\(posts.joined(separator: ","))]"
  }

  private static func ids(_ page: String) -> Set<String> {
    Set(page.matches(of: /id="post-([0-9a-f-]+)"/).map { String($0.output.1) })
  }

  private static func run(_ count: Int, _ test: (RecruitingStage, _ path: String) async throws -> Void) async throws {
    try await RecruitingStage.run { stage in
      let coach = try await stage.addCoach(
        "John", "Smith", ["twitter": "coachsmith", "instagram": "https://instagram.com/john.smith"])
      try await stage.ingest(posts(count))
      try await test(stage, "/social/coach/\(coach)")
    }
  }

  @Test func linksHaveLabels() async throws {
    try await Self.run(1) { stage, path in
      let page = try await stage.parent.get(path).text
      for platform in SocialPlatform.allCases {
        let handle = try SocialHandle(platform == .twitter ? "coachsmith" : "john.smith", on: platform)
        #expect(page.contains("aria-label=\"\(AccessibilityLabels.handle(handle))\">@\(handle.name)</a>"))
      }
      #expect(page.contains("aria-label=\"\(AccessibilityLabels.coachProfileButton)\""))
    }
  }

  /// The forms return to the page of the coach.
  @Test func postsAreFlaggedNotedAndDeletedOnTheCoachsPage() async throws {
    try await Self.run(2) { stage, path in
      let id = try #require(Self.ids(try await stage.parent.get(path).text).min())
      let forms = "/social/posts/\(id)"
      let flagged = try await stage.parent.submit("\(forms)/flag", on: path)
      #expect(flagged.status == 303 && flagged.headers["location"] == "\(path)#post-\(id)")
      let noted = try await stage.athlete.submit("\(forms)/notes", on: path, ["notes": "Ask her"])
      #expect(noted.status == 303 && noted.headers["location"] == "\(path)#post-\(id)")
      let page = try await stage.parent.get(path).text
      #expect(page.matches(of: /aria-pressed="true"/).count == 1 && page.contains(">Ask her</blockquote>"))
      #expect(page.contains(">\(AccessibilityLabels.figure("Flagged for Review", "1"))<"))
      let deleted = try await stage.parent.submit("\(forms)/delete", on: path)
      #expect(deleted.status == 303 && deleted.headers["location"] == path)
      let rest = Self.ids(try await stage.parent.get(path).text)
      #expect(rest.count == 1 && !rest.contains(id))
    }
  }

  @Test func fiftyPostsAreAPart() async throws {
    try await Self.run(60) { stage, path in
      try await stage.ingest(Self.posts(3, handle: "other"))
      let first = try await stage.parent.get(path).text
      let older = try #require(first.firstMatch(of: /href="(\/social\/coach\/[^"?]+\?before=[^"]+)" rel="next"/))
      let second = try await stage.parent.get(String(older.output.1)).text
      #expect(Self.ids(first).count == 50 && Self.ids(second).count == 10 && !second.contains("rel=\"next\""))
      #expect(Self.ids(first).isDisjoint(with: Self.ids(second)))
      #expect(first.contains(">\(AccessibilityLabels.figure("Total Posts", "60"))<"))
    }
  }

  @Test func visitorsWithoutASessionSignInFirst() async throws {
    try await Self.run(1) { stage, path in
      let reply = try await PageBrowser(stage.backend).get(path)
      #expect(reply.status == 303 && reply.headers["location"]?.hasPrefix("/sign-in?next=") == true)
      #expect(!reply.text.contains("John"))
    }
  }
}
