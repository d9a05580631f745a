/// The statistics cards of the posts of a family or of a coach.
public struct PostStatistics: Equatable, Sendable, Codable {
  public private(set) var total = 0
  public private(set) var twitter = 0
  public private(set) var instagram = 0
  public private(set) var flagged = 0

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
