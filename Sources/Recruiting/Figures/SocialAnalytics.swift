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

  /// Computes all figures in one pass over the posts.
  /// - Parameter schoolNames: the names of the schools by ID.
  public init(
    _ posts: some Sequence<SocialPost>, range: Range, now: Date, in zone: RecruitingTimeZone,
    schoolNames: [String: String]
  ) {
    self.init(posts, days: range == .all ? nil : range.rawValue, now: now, in: zone, schoolNames: schoolNames)
  }

  /// - Parameter days: the calendar days until today, from 1 to 366; other numbers are moved into this range. `nil` for all
  ///   posts.
  package init(
    _ posts: some Sequence<SocialPost>, days: Int?, now: Date, in zone: RecruitingTimeZone,
    schoolNames: [String: String]
  ) {
    let dayCount = days.map(Self.countedDays) ?? Range.all.dayCount
    let (names, starts) = zone.lastDays(dayCount, until: now)
    var counter = Counter(starts: starts, countsOtherDays: days == nil)
    for post in posts { counter.count(post) }

    total = counter.total
    recruiting = counter.recruiting
    recruitingPercentage = Percentage.of(counter.recruiting, in: counter.total)
    let analyzed = counter.sentiments.values.reduce(0, +)
    self.analyzed = analyzed
    positive = counter.sentiments[.positive, default: 0] + counter.sentiments[.veryPositive, default: 0]
    positivePercentage = Percentage.of(positive, in: analyzed)
    activeSchools = counter.schools.count
    twitter = counter.platforms[.twitter, default: 0]
    instagram = counter.platforms[.instagram, default: 0]
    sentiments = PostSentiment.allCases.map {
      let count = counter.sentiments[$0, default: 0]
      return SentimentShare(sentiment: $0, count: count, percentage: Percentage.of(count, in: analyzed))
    }
    let largest = Double(max(counter.days.max() ?? 0, 1))
    self.days = zip(names, counter.days).map { Day(day: $0, count: $1, height: Double($1) / largest) }
    schools = counter.schools.map {
      SchoolActivity(id: $0, name: schoolNames[$0] ?? RecruitingTexts.unknownSchool, count: $1)
    }.sorted { ($1.count, $0.name, $0.id) < ($0.count, $1.name, $1.id) }.prefix(5).map(\.self)
    recent = counter.recent
  }

  /// Moves a number of days into the range that is counted.
  package static func countedDays(_ days: Int) -> Int { min(max(days, 1), 366) }

  private struct Counter {
    /// The first moment of each day, and that of tomorrow.
    let starts: [Date]
    let countsOtherDays: Bool
    var total = 0
    var recruiting = 0
    var sentiments: [PostSentiment: Int] = [:]
    var platforms: [SocialPlatform: Int] = [:]
    var schools: [String: Int] = [:]
    var days: [Int]
    var recent: [SocialPost] = []

    init(starts: [Date], countsOtherDays: Bool) {
      self.starts = starts
      self.countsOtherDays = countsOtherDays
      days = Array(repeating: 0, count: starts.count - 1)
    }

    mutating func count(_ post: SocialPost) {
      let day = dayIndex(post.postDate)
      if let day { days[day] += 1 }
      guard day != nil || countsOtherDays else { return }
      total += 1
      platforms[post.platform, default: 0] += 1
      if let sentiment = post.sentiment { sentiments[sentiment, default: 0] += 1 }
      if let school = post.schoolId { schools[school, default: 0] += 1 }
      guard post.isRecruitingRelated else { return }
      recruiting += 1
      if recent.count == 5, let last = recent.last, !SocialPost.isNewer(post, last) { return }
      recent.insert(post, at: recent.firstIndex { SocialPost.isNewer(post, $0) } ?? recent.endIndex)
      if recent.count > 5 { recent.removeLast() }
    }

    /// The index of the day that contains a time, by binary search.
    private func dayIndex(_ date: Date) -> Int? {
      guard let first = starts.first, let end = starts.last, date >= first, date < end else { return nil }
      var low = 0
      var high = starts.count - 1
      while high - low > 1 {
        let middle = (low + high) / 2
        if starts[middle] <= date { low = middle } else { high = middle }
      }
      return low
    }
  }
}
