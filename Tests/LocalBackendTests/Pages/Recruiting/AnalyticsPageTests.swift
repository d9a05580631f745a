import Foundation
import Recruiting
import TestSupport
import Testing

@testable import LocalBackend

/// The labels of the charts, and the lists of the analytics page.
@Suite(.timeLimit(.minutes(10))) struct AnalyticsPageTests {
  @Test(arguments: [("7", 7), ("30", 30), ("90", 90), ("all", 30)])
  func theSelectedRangeAndTheDaysAreShown(days: String, bars: Int) async throws {
    try await RecruitingStage.run { stage in
      try await stage.ingest("[\(RecruitingStage.post(1))]")
      let page = try await stage.parent.get("/social/analytics?days=\(days)").text
      let ranges = try #require(page.firstMatch(of: /<nav class="ranges"[^>]*>(.*?)<\/nav>/)).output.1
      let selected = ranges.matches(of: /<a href="([^"]*)" aria-current="true">/).map(\.output.1)
      #expect(selected == ["/social/analytics?days=\(days)"])
      #expect(ranges.matches(of: /<a href=/).count == SocialAnalytics.Range.allCases.count)

      let titles = page.matches(of: /<title>([^<:]*): (\d+) posts?<\/title>/).map { String($0.output.1) }
      let axis = try #require(page.firstMatch(of: /<p class="axis" aria-hidden="true">(.*?)<\/p>/)).output.1
      let labels = axis.matches(of: /<span>([^<]*)<\/span>/).map { String($0.output.1) }
      // Two labels don't overlap with any number of bars.
      #expect(titles.count == bars && labels == [titles.first, titles.last].compactMap(\.self))
      let spoken = try #require(page.firstMatch(of: /aria-label="(Activity by day chart\.[^"]*)"/)).output.1
      #expect(spoken.matches(of: /: \d+ posts\./).count == bars && spoken.contains(": 1 posts."))
    }
  }

  @Test func theFiveNewestRecruitingPostsAreListed() async throws {
    try await RecruitingStage.run { stage in
      let now = Date()
      let posts = (1...7).map { number in
        RecruitingStage.post(
          number, "Post <\(number)>", recruiting: number != 2,
          date: (now - Double(number) * 60).formatted(.iso8601))
      }
      try await stage.ingest("[\(posts.joined(separator: ","))]")
      let page = try await stage.parent.get("/social/analytics").text
      let shown = page.matches(of: /<p class="content quiet" dir="auto">Post &lt;(\d)&gt;<\/p>/).map(\.output.1)
      #expect(shown == ["1", "3", "4", "5", "6"])
      #expect(page.contains("<b>@coachsmith</b>") && page.contains("href=\"/social?type=recruiting\">View All"))
      #expect(page.contains("href=\"/social\">← Back to Social Feed"))
    }
  }

  @Test func withoutRecruitingPostsThereIsNoListOfThem() async throws {
    try await RecruitingStage.run { stage in
      try await stage.ingest("[\(RecruitingStage.post(1))]")
      let page = try await stage.parent.get("/social/analytics").text
      #expect(!page.contains("View All") && page.contains(RecruitingTexts.noData))
    }
  }
}
