public import Foundation

/// New posts of a coach that the account has not marked as read: a row of `post_notices`.
public struct PostNotice: Identifiable, Equatable, Sendable, Codable {
  /// The ID of the row, a UUID.
  public let id: String
  /// The coach who published the posts. `nil` for the posts of schools and other accounts.
  public let coachId: String?
  /// The number of new posts.
  public let postCount: Int
  /// How many of them are about recruiting.
  public let recruitingCount: Int
  /// When the newest of them was published.
  public let newestPostDate: Date
  /// When the account marked the posts as read. `nil` before.
  public let readAt: Date?

  /// Creates a notice from the values of a row.
  public init(
    id: String, coachId: String? = nil, postCount: Int, recruitingCount: Int = 0, newestPostDate: Date,
    readAt: Date? = nil
  ) {
    self.id = id
    self.coachId = coachId
    self.postCount = postCount
    self.recruitingCount = recruitingCount
    self.newestPostDate = newestPostDate
    self.readAt = readAt
  }
}
