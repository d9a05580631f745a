public import Foundation

/// A comment on a highlight: a row of the table `comments`.
public struct HighlightComment: Codable, Equatable, Identifiable, Sendable {
  /// The comment's ID, which the client generates, so that a repeated request doesn't add the comment twice.
  public var id: UUID
  /// The highlight's ID.
  public var highlightID: UUID
  /// The author's account ID.
  public var authorID: UUID
  /// The author; `nil` if the profile isn't visible.
  public var author: Profile?
  /// The text, at most 500 characters.
  public var text: String
  /// The number of likes.
  public var likesCount: Int
  /// Whether the viewer likes the comment.
  public var isLiked: Bool
  /// The number of each emoji reaction.
  public var reactions: [String: Int]
  /// The creation time in ISO 8601 format with a time zone.
  public var createdAt: String

  enum CodingKeys: String, CodingKey {
    case id, author, text, reactions
    case highlightID = "highlight_id"
    case authorID = "author_id"
    case likesCount = "likes_count"
    case isLiked = "is_liked_by_me"
    case createdAt = "created_at"
  }

  init(id: UUID, highlightID: UUID, authorID: UUID, author: Profile?, text: String, createdAt: String) {
    (self.id, self.highlightID, self.authorID, self.author) = (id, highlightID, authorID, author)
    (self.text, self.createdAt) = (text, createdAt)
    (likesCount, isLiked, reactions) = (0, false, [:])
  }

  /// Decodes a row of `comments`. Requests without the computed columns have no reactions.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(UUID.self, forKey: .id)
    highlightID = try container.decode(UUID.self, forKey: .highlightID)
    authorID = try container.decode(UUID.self, forKey: .authorID)
    author = try container.decodeIfPresent(Profile.self, forKey: .author)
    text = try container.decode(String.self, forKey: .text)
    likesCount = try container.decode(Int.self, forKey: .likesCount)
    isLiked = try container.decodeIfPresent(Bool.self, forKey: .isLiked) ?? false
    reactions = try container.decodeIfPresent([String: Int].self, forKey: .reactions) ?? [:]
    createdAt = try container.decode(String.self, forKey: .createdAt)
  }
}

/// The emoji that people can react with.
public enum CommentReaction: String, Codable, CaseIterable, Sendable {
  /// Love.
  case heart = "❤️"
  /// Impressive.
  case fire = "🔥"
  /// Applause.
  case clap = "👏"
  /// Funny.
  case laugh = "😂"
  /// Surprising.
  case wow = "😮"
  /// Strong.
  case muscle = "💪"
  /// Volleyball.
  case ball = "🏐"
}
