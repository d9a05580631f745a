internal import Foundation

/// Reads the figures as `social_analytics` in the database returns them.
extension SocialAnalytics: Decodable {
  private struct Document: Decodable {
    struct Platforms: Decodable { let twitter, instagram: Int }
    struct DayCount: Decodable {
      let day: String
      let count: Int
    }
    struct Post: Decodable, Sendable {
      let id: String
      let platform: SocialPlatform
      let postDate: Date
      let authorHandle, authorName, postContent, postUrl: String
    }

    let total, recruiting, recruitingPercentage, analyzed, positive, positivePercentage, activeSchools: Int
    let platforms: Platforms
    let sentiments: [SentimentShare]
    let days: [DayCount]
    let schools: [SchoolActivity]
    let recent: RowList<Post>
  }

  public init(from decoder: any Decoder) throws {
    let document = try Document(from: decoder)
    total = document.total
    recruiting = document.recruiting
    recruitingPercentage = document.recruitingPercentage
    analyzed = document.analyzed
    positive = document.positive
    positivePercentage = document.positivePercentage
    activeSchools = document.activeSchools
    twitter = document.platforms.twitter
    instagram = document.platforms.instagram
    sentiments = document.sentiments
    let largest = Double(max(document.days.map(\.count).max() ?? 0, 1))
    days = document.days.map { Day(day: $0.day, count: $0.count, height: Double($0.count) / largest) }
    schools = document.schools
    // The content has at most 500 characters.
    recent = document.recent.rows.map {
      SocialPost(
        id: $0.id, platform: $0.platform, postUrl: $0.postUrl, postContent: $0.postContent, postDate: $0.postDate,
        authorHandle: $0.authorHandle, authorName: $0.authorName, isRecruitingRelated: true)
    }
  }
}
