public import Foundation

/// The figures of the analytics page, like `social_analytics` in the database.
public struct SocialAnalytics: Equatable, Sendable {
  /// The calendar days that are counted, until today.
  public enum Range: Int, Sendable, CaseIterable {
    case week = 7
    case month = 30
    case quarter = 90
    /// All posts, also those in the future.
    case all = 0

    /// The label of the button: `7 Days`.
    public var label: String {
      switch self {
      case .week: "7 Days"
      case .month: "30 Days"
      case .quarter: "90 Days"
      case .all: "All Time"
      }
    }

    /// The number of bars: `all` shows the last 30 days.
    public var dayCount: Int { self == .all ? 30 : rawValue }
  }

  /// A row of the sentiment chart.
  public struct SentimentShare: Equatable, Sendable, Codable {
    /// The sentiment of the row.
    public let sentiment: PostSentiment
    /// The number of posts.
    public let count: Int
    /// Of the analyzed posts, rounded.
    public let percentage: Int
  }

  /// A bar of the day chart.
  public struct Day: Equatable, Sendable {
    /// The calendar day: `2026-11-24`.
    public let day: String
    /// The number of posts.
    public let count: Int
    /// From 0 to 1: the count divided by the largest count, or by 1 if all are 0.
    public let height: Double
  }

  /// A row of the list of schools.
  public struct SchoolActivity: Equatable, Sendable, Codable {
    /// The ID of the school.
    public let id: String
    /// The name of the school, or "Unknown School".
    public let name: String
    /// The number of posts.
    public let count: Int
  }

  /// The number of posts.
  public let total: Int
  /// Posts about recruiting.
  public let recruiting: Int
  /// The share of recruiting posts, from 0 to 100, rounded; 0 without posts.
  public let recruitingPercentage: Int
  /// Posts with a sentiment.
  public let analyzed: Int
  /// Positive and very positive posts.
  public let positive: Int
  /// The share of positive posts among the analyzed ones, from 0 to 100, rounded; 0 without any.
  public let positivePercentage: Int
  /// Schools with at least one post.
  public let activeSchools: Int
  /// Posts on X.
  public let twitter: Int
  /// Posts on Instagram.
  public let instagram: Int
  /// All four, in the order of `PostSentiment`.
  public let sentiments: [SentimentShare]
  /// One bar for each calendar day until today, the oldest first.
  public let days: [Day]
  /// The five schools with the most posts; ties by name.
  public let schools: [SchoolActivity]
  /// The five newest recruiting posts.
  public let recent: [SocialPost]

  /// Computes the figures of posts in memory. The server passes counts, so that it doesn't read each post.
  /// - Parameter schoolNames: the names of the schools by ID.
  public init(
    _ posts: some Sequence<SocialPost>, range: Range, now: Date, in zone: RecruitingTimeZone,
    schoolNames: [String: String]
  ) {
    let days = range == .all ? nil : range.rawValue
    self.init(posts, period: Period(days: days, until: now, in: zone), schoolNames: schoolNames)
  }

  package init(_ posts: some Sequence<SocialPost>, period: Period, schoolNames: [String: String]) {
    var counts = Counts(days: Array(repeating: 0, count: period.dayNames.count))
    for post in posts { counts.add(post, in: period) }
    self.init(counts, period: period, schoolNames: schoolNames)
  }

  /// - Parameter counts: the posts of the period.
  package init(_ counts: Counts, period: Period, schoolNames: [String: String]) {
    let groups = counts.groups
    let analyzed = groups.postCount { $0.sentiment != nil }
    total = groups.values.reduce(0, +)
    recruiting = groups.postCount(where: \.isRecruitingRelated)
    recruitingPercentage = Percentage.of(recruiting, in: total)
    self.analyzed = analyzed
    positive = groups.postCount { $0.sentiment == .positive || $0.sentiment == .veryPositive }
    positivePercentage = Percentage.of(positive, in: analyzed)
    twitter = groups.postCount { $0.platform == .twitter }
    instagram = groups.postCount { $0.platform == .instagram }
    sentiments = PostSentiment.allCases.map { sentiment in
      let count = groups.postCount { $0.sentiment == sentiment }
      return SentimentShare(sentiment: sentiment, count: count, percentage: Percentage.of(count, in: analyzed))
    }
    let largest = Double(max(counts.days.max() ?? 0, 1))
    days = zip(period.dayNames, counts.days).map { Day(day: $0, count: $1, height: Double($1) / largest) }
    var schoolCounts: [String: Int] = [:]
    for (group, count) in groups {
      if let school = group.schoolId { schoolCounts[school, default: 0] += count }
    }
    activeSchools = schoolCounts.count
    schools = schoolCounts.map {
      SchoolActivity(id: $0, name: schoolNames[$0] ?? RecruitingTexts.unknownSchool, count: $1)
    }.sorted { ($1.count, $0.name, $0.id) < ($0.count, $1.name, $1.id) }.prefix(5).map(\.self)
    recent = counts.recent
  }
}

extension SocialAnalytics {
  /// The calendar days that are counted.
  package struct Period: Sendable {
    /// The names of the chart's days: `2026-11-24`.
    package let dayNames: [String]
    /// The first moment of each day of the chart, and that of tomorrow.
    package let dayStarts: [Date]
    /// Whether posts before and after these days are counted.
    package let isUnlimited: Bool

    /// - Parameter days: the calendar days until today, from 1 to 366; other numbers are moved into this range. `nil` for
    ///   all posts.
    package init(days: Int?, until now: Date, in zone: RecruitingTimeZone) {
      let count = days.map { min(max($0, 1), 366) } ?? Range.all.dayCount
      (dayNames, dayStarts) = zone.lastDays(count, until: now)
      isUnlimited = days == nil
    }

    /// The index of the day that contains a time, by binary search.
    fileprivate func dayIndex(_ date: Date) -> Int? {
      guard let first = dayStarts.first, let end = dayStarts.last, date >= first, date < end else { return nil }
      var low = 0
      var high = dayStarts.count - 1
      while high - low > 1 {
        let middle = (low + high) / 2
        if dayStarts[middle] <= date { low = middle } else { high = middle }
      }
      return low
    }
  }

  /// Posts with the same values.
  package struct Group: Hashable, Sendable {
    let schoolId: String?
    let platform: SocialPlatform
    let isRecruitingRelated: Bool
    let sentiment: PostSentiment?

    package init(schoolId: String?, platform: SocialPlatform, isRecruitingRelated: Bool, sentiment: PostSentiment?) {
      self.schoolId = schoolId
      self.platform = platform
      self.isRecruitingRelated = isRecruitingRelated
      self.sentiment = sentiment
    }
  }

  /// The posts of a period, counted.
  package struct Counts: Sendable {
    /// The number of posts of each group.
    package var groups: [Group: Int] = [:]
    /// The number of posts of each day of the chart.
    package var days: [Int]
    /// The five newest recruiting posts.
    package var recent: [SocialPost] = []

    package init(groups: [Group: Int] = [:], days: [Int], recent: [SocialPost] = []) {
      self.groups = groups
      self.days = days
      self.recent = recent
    }

    fileprivate mutating func add(_ post: SocialPost, in period: Period) {
      let day = period.dayIndex(post.postDate)
      if let day { days[day] += 1 }
      guard day != nil || period.isUnlimited else { return }
      let group = Group(
        schoolId: post.schoolId, platform: post.platform, isRecruitingRelated: post.isRecruitingRelated,
        sentiment: post.sentiment)
      groups[group, default: 0] += 1
      guard post.isRecruitingRelated else { return }
      if recent.count == 5, let last = recent.last, !SocialPost.isNewer(post, last) { return }
      recent.insert(post, at: recent.firstIndex { SocialPost.isNewer(post, $0) } ?? recent.endIndex)
      if recent.count > 5 { recent.removeLast() }
    }
  }
}

extension [SocialAnalytics.Group: Int] {
  /// The number of posts in the groups that match.
  fileprivate func postCount(where matches: (SocialAnalytics.Group) -> Bool) -> Int {
    reduce(0) { matches($1.key) ? $0 + $1.value : $0 }
  }
}
