public import Foundation

/// A post of a coach or a program on X or Instagram. Its content is untrusted text.
public struct SocialPost: Identifiable, Equatable, Sendable, Codable {
  public let id: String
  public let coachId: String?
  public let schoolId: String?
  public let platform: SocialPlatform
  public let postUrl: String
  public let postContent: String
  public let postDate: Date
  public let authorHandle: String
  public let authorName: String
  public let isRecruitingRelated: Bool
  /// The flag and the notes belong to the family.
  public var flaggedForReview: Bool
  /// `nil` if the post was not analyzed.
  public let sentiment: PostSentiment?
  public var notes: String?

  public init(
    id: String, coachId: String? = nil, schoolId: String? = nil, platform: SocialPlatform, postUrl: String,
    postContent: String, postDate: Date, authorHandle: String, authorName: String, isRecruitingRelated: Bool = false,
    flaggedForReview: Bool = false, sentiment: PostSentiment? = nil, notes: String? = nil
  ) {
    self.id = id
    self.coachId = coachId
    self.schoolId = schoolId
    self.platform = platform
    self.postUrl = postUrl
    self.postContent = postContent
    self.postDate = postDate
    self.authorHandle = authorHandle
    self.authorName = authorName
    self.isRecruitingRelated = isRecruitingRelated
    self.flaggedForReview = flaggedForReview
    self.sentiment = sentiment
    self.notes = notes
  }

  /// The newest post first; posts of the same time by ID, descending, like the database's index.
  public static func isNewer(_ left: SocialPost, _ right: SocialPost) -> Bool {
    left.postDate == right.postDate ? left.id > right.id : left.postDate > right.postDate
  }
}
