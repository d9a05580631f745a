public import ClipModel
public import Foundation

/// A highlight with what a feed shows of it: its author, its counts, and the viewer's like.
public struct FeedItem: Codable, Equatable, Identifiable, Sendable {
  /// The highlight's row.
  public var highlight: Highlight
  /// The author; `nil` if the profile isn't visible.
  public var author: Profile?
  /// The number of likes. If the author hides the number, apps don't show it.
  public var likesCount: Int
  /// The number of comments.
  public var commentsCount: Int
  /// Whether the viewer likes the highlight.
  public var isLiked: Bool
  /// The highlight's poll; `nil` if there is none.
  public var poll: Poll?

  /// The highlight's ID.
  public var id: UUID { highlight.id }

  enum CodingKeys: String, CodingKey {
    case author, poll
    case likesCount = "likes_count"
    case commentsCount = "comments_count"
    case isLiked = "is_liked_by_me"
  }

  /// Decodes a row of `highlights` with the embedded author and poll.
  public init(from decoder: any Decoder) throws {
    highlight = try Highlight(from: decoder)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    author = try container.decodeIfPresent(Profile.self, forKey: .author)
    likesCount = try container.decode(Int.self, forKey: .likesCount)
    commentsCount = try container.decode(Int.self, forKey: .commentsCount)
    isLiked = try container.decodeIfPresent(Bool.self, forKey: .isLiked) ?? false
    poll = try container.decodeIfPresent(Poll.self, forKey: .poll)
  }

  /// Encodes the row in the format that `init(from:)` decodes.
  public func encode(to encoder: any Encoder) throws {
    try highlight.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(author, forKey: .author)
    try container.encode(likesCount, forKey: .likesCount)
    try container.encode(commentsCount, forKey: .commentsCount)
    try container.encode(isLiked, forKey: .isLiked)
    try container.encodeIfPresent(poll, forKey: .poll)
  }
}

/// The order and the selection of a feed.
public enum FeedKind: Codable, Equatable, Sendable {
  /// All highlights that the viewer can see, newest first.
  case newest
  /// Highlights of followed people, newest first. Requires an account.
  case following
  /// Popular highlights of the last 30 days.
  case discover
  /// Highlights liked by people who like the same highlights as the account. Requires an account.
  case forYou
  /// Highlights with a tag, newest first.
  case tag(String)
  /// Highlights of one person, newest first.
  case author(UUID)
  /// Highlights whose caption or tags contain all words of a query, newest first.
  case search(String)
}

/// Where the next page of a feed starts.
public enum FeedCursor: Codable, Equatable, Sendable {
  /// After the highlight with this creation time and ID, for feeds in order of time.
  case before(createdAt: String, id: UUID)
  /// After this number of highlights, for Discover.
  case offset(Int)
  /// After this number of highlights, for For You. Highlights that were liked after the time, which is that of the first
  /// page, stay in the list.
  case ranked(offset: Int, likedBefore: String)
}

/// A page of a feed.
public struct FeedPage: Codable, Equatable, Sendable {
  /// The highlights in order.
  public var items: [FeedItem]
  /// Where the next page starts; `nil` after the last page.
  public var next: FeedCursor?
}
