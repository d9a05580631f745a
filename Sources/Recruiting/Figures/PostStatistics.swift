/// The statistics cards of the posts of a family or of a coach.
public struct PostStatistics: Equatable, Sendable, Codable {
  /// The number of posts.
  public private(set) var total = 0
  /// Posts on X.
  public private(set) var twitter = 0
  /// Posts on Instagram.
  public private(set) var instagram = 0
  /// Posts that are flagged for review.
  public private(set) var flagged = 0

  /// Counts posts, like `post_statistics` in the database.
  public init(_ posts: some Sequence<SocialPost>) {
    for post in posts {
      total += 1
      switch post.platform {
      case .twitter: twitter += 1
      case .instagram: instagram += 1
      }
      if post.flaggedForReview { flagged += 1 }
    }
  }

  /// The flagged card: the number, or `99+` above 99.
  public var flaggedLabel: String { flagged > 99 ? "99+" : String(flagged) }
}
