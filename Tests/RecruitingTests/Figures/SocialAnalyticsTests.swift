import Foundation
import Recruiting
import TestSupport
import Testing

@Suite struct SocialAnalyticsTests {
  private static let now = Samples.date("2026-03-10T16:00:00Z")
  private static let names = Dictionary(uniqueKeysWithValues: (0..<8).map { ("s\($0)", "School \(9 - $0)") })

  /// Counted manually, like in supabase/tests/450_recruiting_figures.test.sql.
  @Test(arguments: [
    (SocialAnalytics.Range.week, [5, 3, 60, 5, 5, 100, 2, 3, 2]), (.month, [8, 4, 50, 8, 5, 63, 4, 6, 2]),
    (.quarter, [16, 4, 25, 8, 5, 63, 6, 14, 2]), (.all, [19, 6, 32, 10, 5, 50, 6, 16, 3]),
  ]) func figuresAreExact(range: SocialAnalytics.Range, expected: [Int]) {
    let zone = Samples.zone("Pacific/Honolulu")
    let noon = Samples.date("2026-03-10T22:00:00Z")
    func posts(
      _ school: String?, _ days: Double, _ count: Int, _ sentiment: PostSentiment? = nil,
      _ platform: SocialPlatform = .twitter, _ recruiting: Bool = false
    ) -> [SocialPost] {
      (0..<count).map {
        Samples.post(
          "\(school ?? "")\(days)\($0)", at: noon - days * 86_400, school: school, platform: platform,
          recruiting: recruiting, sentiment: sentiment)
      }
    }
    let all = [
      posts("Ohio", 0, 3, .veryPositive, .twitter, true), posts("Baylor", 6, 2, .positive, .instagram),
      posts("Alabama", 7, 2, .negative), posts("Cornell", 29, 1, .neutral, .twitter, true), posts("Duke", 30, 4),
      posts("Emory", 89, 4), posts(nil, 90, 1, .neutral, .instagram, true),
      posts("Ohio", 400, 1, .negative, .twitter, true),
      posts("Ohio", -1, 1),
    ].flatMap { $0 }
    let figures = SocialAnalytics(
      all.shuffled(), range: range, now: noon, in: zone,
      schoolNames: Dictionary(uniqueKeysWithValues: all.compactMap(\.schoolId).uniqued.map { ($0, $0) }))
    #expect(
      [
        figures.total, figures.recruiting, figures.recruitingPercentage, figures.analyzed, figures.positive,
        figures.positivePercentage, figures.activeSchools, figures.twitter, figures.instagram,
      ] == expected)
    if range == .month { #expect(figures.schools.map(\.name) == ["Ohio", "Alabama", "Baylor", "Cornell"]) }
    if range == .quarter { #expect(figures.schools.map(\.name) == ["Duke", "Emory", "Ohio", "Alabama", "Baylor"]) }
    if range != .all { #expect(figures.days.map(\.count).reduce(0, +) == figures.total) }
  }

  /// The figures agree with one filter per figure, in which a post's day is read from the calendar.
  @Test(
    arguments: ["UTC", "America/New_York", "Pacific/Auckland", "America/Santiago", "Asia/Kathmandu"],
    SocialAnalytics.Range.allCases)
  func figuresAgreeWithOneFilterEach(zoneName: String, range: SocialAnalytics.Range) throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    var random = SeededGenerator(seed: seed)
    // Ends of daylight time in both hemispheres, and a day without midnight in Santiago.
    let nows = ["2026-03-08T12:00:00Z", "2026-04-05T02:30:00Z", "2026-09-06T23:59:59Z", "2026-11-01T05:30:00Z"]
    for now in nows.map(Samples.date) {
      let posts = Samples.posts(200, around: now, days: 100, using: &random)
      let figures = SocialAnalytics(posts, range: range, now: now, in: Samples.zone(zoneName), schoolNames: Self.names)
      let slow = try SlowFigures(posts, range: range, now: now, zone: zoneName)
      let comment: Comment = "seed \(seed), now \(now)"
      #expect(figures.days.map(\.day) == slow.dayNames, comment)
      #expect(figures.days.map(\.count) == slow.dayCounts, comment)
      #expect(figures.total == slow.chosen.count, comment)
      #expect(figures.activeSchools == Set(slow.chosen.compactMap(\.schoolId)).count, comment)
      #expect(
        figures.recent
          == Array(
            slow.chosen.filter(\.isRecruitingRelated).sorted { ($1.postDate, $1.id) < ($0.postDate, $0.id) }.prefix(5)),
        comment)
      #expect(
        figures.sentiments.map(\.count)
          == PostSentiment.allCases.map { sentiment in slow.chosen.count { $0.sentiment == sentiment } }, comment)
      #expect(figures.twitter == slow.chosen.count { $0.platform == .twitter }, comment)
      #expect(figures.schools.map(\.count) == slow.schoolCounts, comment)
      let largest = max(slow.dayCounts.max() ?? 0, 1)
      #expect(figures.days.map(\.height) == slow.dayCounts.map { Double($0) / Double(largest) }, comment)
      let statistics = PostStatistics(posts)
      #expect(statistics.total == 200 && statistics.twitter + statistics.instagram == 200, comment)
      #expect(statistics.flagged == posts.count { $0.flaggedForReview }, comment)
    }
  }

  @Test func percentagesOfNoPostsAreZero() {
    let figures = SocialAnalytics([], range: .month, now: Self.now, in: Samples.zone("UTC"), schoolNames: [:])
    #expect(
      figures.recruitingPercentage == 0 && figures.positivePercentage == 0
        && figures.sentiments.map(\.percentage) == [0, 0, 0, 0])
    #expect(figures.days.count == 30 && figures.days.allSatisfy { $0.height == 0 })
  }

  @Test func halvesAreRoundedUp() {
    let posts = (0..<8).map {
      Samples.post("\($0)", at: Self.now, recruiting: $0 == 0, sentiment: $0 < 5 ? .positive : .neutral)
    }
    let figures = SocialAnalytics(posts, range: .all, now: Self.now, in: Samples.zone("UTC"), schoolNames: [:])
    // 12.5 and 62.5.
    #expect(figures.recruitingPercentage == 13 && figures.positivePercentage == 63)
  }

  @Test func tiesAreSortedByName() {
    let names = ["1": "Duke", "2": "Baylor", "3": "Ohio", "4": "Alabama", "5": "Cornell", "6": "Emory"]
    let posts = names.keys.sorted().flatMap { id in
      (0..<(id == "6" ? 2 : 1)).map { Samples.post("\(id)\($0)", at: Self.now, school: id) }
    }
    let figures = SocialAnalytics(posts, range: .week, now: Self.now, in: Samples.zone("UTC"), schoolNames: names)
    #expect(figures.schools.map(\.name) == ["Emory", "Alabama", "Baylor", "Cornell", "Duke"])
  }

  @Test(arguments: [(0, "0"), (99, "99"), (100, "99+"), (250, "99+")]) func manyFlaggedPosts(count: Int, label: String)
  {
    let posts = (0..<count).map { Samples.post("\($0)", flagged: true) } + [Samples.post()]
    #expect(PostStatistics(posts).flaggedLabel == label)
  }
}

/// One filter per figure, with another way to find the day of a post.
private struct SlowFigures {
  let dayNames: [String]
  let dayCounts: [Int]
  let chosen: [SocialPost]
  let schoolCounts: [Int]

  init(_ posts: [SocialPost], range: SocialAnalytics.Range, now: Date, zone: String) throws {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: zone)
    formatter.dateFormat = "yyyy-MM-dd"
    let today = formatter.string(from: now)
    // Calendar days don't depend on a time zone: they are counted in UTC.
    let utc = DateFormatter()
    utc.locale = formatter.locale
    utc.timeZone = .gmt
    utc.dateFormat = "yyyy-MM-dd"
    let end = try #require(utc.date(from: today))
    let names = (0..<(range == .all ? 30 : range.rawValue)).map { utc.string(from: end - Double($0) * 86_400) }
    dayNames = names.reversed()
    dayCounts = dayNames.map { day in posts.count { formatter.string(from: $0.postDate) == day } }
    chosen = range == .all ? posts : posts.filter { names.contains(formatter.string(from: $0.postDate)) }
    schoolCounts = Array(
      Dictionary(grouping: chosen.compactMap(\.schoolId)) { $0 }.map(\.value.count).sorted(by: >).prefix(5))
  }
}

extension Array where Element: Hashable {
  fileprivate var uniqued: Set<Element> { Set(self) }
}
