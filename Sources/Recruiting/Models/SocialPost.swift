public import Foundation

/// A post of a coach or a program on X or Instagram. Its content is untrusted text.
public struct SocialPost: Identifiable, Equatable, Sendable, Codable {
  /// The ID of the row, a UUID.
  public let id: String
  /// The coach with the author's handle. `nil` if there is none.
  public let coachId: String?
  /// The coach's school, or the school with the author's handle. `nil` if there is none.
  public let schoolId: String?
  /// The platform of the post.
  public let platform: SocialPlatform
  /// The address in the form of `PostAddress.text`.
  public let postUrl: String
  /// At most 100,000 code points.
  public let postContent: String
  /// When the post was published.
  public let postDate: Date
  /// The author's account, without `@`.
  public let authorHandle: String
  /// The author's name on the platform, at most 200 code points.
  public let authorName: String
  /// Whether the post is about recruiting, by `RecruitingClassifier`.
  public let isRecruitingRelated: Bool
  /// The flag and the notes belong to the family.
  public var flaggedForReview: Bool
  /// `nil` if the post was not analyzed.
  public let sentiment: PostSentiment?
  /// The family's notes, at most 5,000 characters.
  public var notes: String?

  /// Creates a post from the values of a row.
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
