import Foundation
import GRDB
import Recruiting
import TestSupport
import Testing

@testable import LocalBackend

/// The figures of many posts, compared with those of the same posts in memory.
@Suite(.timeLimit(.minutes(10))) struct RecruitingFigureTests {
  /// Sundays of daylight changes, and a zone without midnight on one day.
  private static let moments = [
    ("America/New_York", "2026-03-09T03:30:00Z"), ("America/New_York", "2026-11-02T04:30:00Z"),
    ("America/Santiago", "2026-09-06T12:00:00Z"), ("Pacific/Honolulu", "2026-11-24T09:59:59Z"),
    ("Asia/Kathmandu", "2026-11-24T18:15:00Z"),
  ]

  @Test(arguments: TestScope.seeds(1, of: 5)) func figuresAgreeWithTheSamePostsInMemory(seed: UInt64)
    throws
  {
    try RecruitingFixture.run { fixture in
      var generator = SeededGenerator(seed: seed)
      let (zoneName, moment) = Self.moments[Int(seed - 1)]
      let now = try #require(RecruitingDate.parse(moment))
      let zone = try RecruitingTimeZone(named: zoneName)
      let schools = try Self.insertSchools(fixture)
      let posts = (0..<2000).map { _ in Self.post(before: now, Array(schools.keys).sorted(), &generator) }
      try Self.insert(posts, fixture)
      for days in [nil, 1, 7, 30, 90, 366] as [Int?] {
        let period = SocialAnalytics.Period(days: days, until: now, in: zone)
        let expected = SocialAnalytics(posts, period: period, schoolNames: schools)
        let found = try fixture.read { db in
          try RecruitingFigures(caller: .user(fixture.ann), db: db, now: now)
            .analytics(of: fixture.family.databaseValue, days: days, in: zone)
        }
        let note: Comment = "seed \(seed), \(days.map(String.init) ?? "all") days in \(zoneName)"
        #expect(found.total == expected.total && found.days == expected.days, note)
        #expect(found.analyzed == expected.analyzed && found.positive == expected.positive, note)
        #expect(found.sentiments == expected.sentiments && found.schools == expected.schools, note)
        #expect(found.recent.map(\.id) == expected.recent.map(\.id), note)
        #expect(found.recruiting == expected.recruiting && found.activeSchools == expected.activeSchools, note)
        #expect(found.twitter == expected.twitter && found.instagram == expected.instagram, note)
        if days != nil { #expect(found.days.map(\.count).reduce(0, +) == found.total, note) }
      }
    }
  }

  @Test func othersSeeNoFigures() throws {
    try RecruitingFixture.run { fixture in
      var generator = SeededGenerator(seed: 1)
      try Self.insert([Self.post(before: fixture.clock.now, [], &generator)], fixture)
      let totals = try [fixture.ann, fixture.pam, fixture.eve].map { user in
        try fixture.read { db in
          try RecruitingFigures(caller: .user(user), db: db, now: fixture.clock.now)
            .analytics(of: fixture.family.databaseValue, days: nil, in: RecruitingTimeZone(named: "UTC")).total
        }
      }
      #expect(totals == [1, 1, 0])
    }
  }

  /// The number of days comes from clients, also from those that belong to no family.
  @Test(arguments: [Int(Int32.min), -1, 0, Int(Int32.max)]) func anyNumberOfDaysIsCounted(days: Int) throws {
    try RecruitingFixture.run { fixture in
      let figures = try fixture.read { db in
        try RecruitingFigures(caller: .user(fixture.eve), db: db, now: fixture.clock.now).interactions(
          of: fixture.family.databaseValue, InteractionFilter(), days: days, in: RecruitingTimeZone(named: "UTC"))
      }
      #expect(figures.total == 0)
    }
  }

  // MARK: Random posts

  private static func insertSchools(_ fixture: RecruitingFixture) throws -> [String: String] {
    let schools = ["Ohio", "Baylor", "Alabama", "Cornell", "Duke", "Emory"].map { (RecruitingFixture.newID(), $0) }
    try fixture.write { db in
      for (id, name) in schools {
        try RowWriter(db: db, caller: .service, now: fixture.clock.now).insert(
          [
            "id": id.databaseValue, "family_unit_id": fixture.family.databaseValue, "name": name.databaseValue,
          ], into: CoachTables.schools)
      }
    }
    return Dictionary(uniqueKeysWithValues: schools)
  }

  /// A post around the last 400 days. Many are at the first and last moments of days.
  private static func post(
    before now: Date, _ schools: [String], _ generator: inout SeededGenerator
  ) -> SocialPost {
    let hours = Int.random(in: -48...(400 * 24), using: &generator)
    let start = (now.timeIntervalSince1970 / 900).rounded(.down) * 900
    let seconds = start - Double(hours) * 3600 - [0, 1, 0.000001, 450].randomElement(using: &generator)!
    let platform = SocialPlatform.allCases.randomElement(using: &generator)!
    return SocialPost(
      id: RecruitingFixture.newID(),
      schoolId: Bool.random(using: &generator) ? schools.randomElement(using: &generator) : nil,
      platform: platform, postUrl: "", postContent: "", postDate: Date(timeIntervalSince1970: seconds),
      authorHandle: "x",
      authorName: "X", isRecruitingRelated: Bool.random(using: &generator),
      sentiment: Bool.random(using: &generator) ? PostSentiment.allCases.randomElement(using: &generator) : nil)
  }

  private static func insert(_ posts: [SocialPost], _ fixture: RecruitingFixture) throws {
    try fixture.write { db in
      let writer = RowWriter(db: db, caller: .service, now: fixture.clock.now)
      for (number, post) in posts.enumerated() {
        let url =
          post.platform == .twitter ? "https://twitter.com/x/status/\(number)" : "https://instagram.com/p/\(number)"
        try writer.insert(
          [
            "id": post.id.databaseValue, "family_unit_id": fixture.family.databaseValue,
            "school_id": post.schoolId.databaseValue, "platform": post.platform.rawValue.databaseValue,
            "post_url": url.databaseValue, "post_content": "text".databaseValue,
            "post_date": timestampText(post.postDate).databaseValue, "author_handle": "x".databaseValue,
            "author_name": "X".databaseValue, "is_recruiting_related": post.isRecruitingRelated.databaseValue,
            "sentiment": (post.sentiment?.rawValue).databaseValue,
          ], into: PostTables.posts)
      }
    }
  }
}
