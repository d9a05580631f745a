import Foundation
import Recruiting
import TestSupport

/// Generated rows for the tests.
enum Samples {
  static func post(
    _ id: String = "p", at date: Date = .distantPast, school: String? = nil, platform: SocialPlatform = .twitter,
    content: String = "text", author: String = "Coach Smith", handle: String = "coach", recruiting: Bool = false,
    flagged: Bool = false, sentiment: PostSentiment? = nil
  ) -> SocialPost {
    SocialPost(
      id: id, schoolId: school, platform: platform, postUrl: "u", postContent: content, postDate: date,
      authorHandle: handle, authorName: author, isRecruitingRelated: recruiting, flaggedForReview: flagged,
      sentiment: sentiment)
  }

  /// Posts up to `days` days before and after a time.
  static func posts(_ count: Int, around now: Date, days: Double, using random: inout SeededGenerator) -> [SocialPost] {
    (0..<count).map { index in
      post(
        "\(index)", at: now + Double.random(in: -days...2, using: &random) * 86_400,
        school: Int.random(in: 0..<4, using: &random) == 0 ? nil : "s\(Int.random(in: 0..<9, using: &random))",
        platform: Bool.random(using: &random) ? .twitter : .instagram,
        content: ["Visit us", "OFFER", "match"].randomElement(using: &random) ?? "",
        recruiting: Bool.random(using: &random), flagged: Bool.random(using: &random),
        sentiment: Bool.random(using: &random) ? nil : PostSentiment.allCases.randomElement(using: &random))
    }
  }

  static func interaction(
    _ id: String = "i", type: InteractionType = .email, direction: InteractionDirection = .outbound,
    subject: String? = nil, content: String? = nil, sentiment: PostSentiment? = nil, at occurred: Date? = nil,
    by user: String = "me", created: Date = .distantPast
  ) -> Interaction {
    Interaction(
      id: id, type: type, direction: direction, subject: subject, content: content, sentiment: sentiment,
      occurredAt: occurred, loggedBy: user, createdAt: created)
  }

  static func date(_ text: String) -> Date { RecruitingDate.parse(text) ?? .distantFuture }

  static func zone(_ name: String) -> RecruitingTimeZone {
    do { return try RecruitingTimeZone(named: name) } catch { preconditionFailure("\(error)") }
  }
}
