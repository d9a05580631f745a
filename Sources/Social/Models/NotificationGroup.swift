public import Foundation

/// Notifications of one kind about the same highlight or comment, as the function `notification_groups` returns them.
public struct NotificationGroup: Codable, Equatable, Sendable {
  /// What happened: `like`, `comment`, `mention`, `follow`, `request`, `accepted`, `comment_like`, `reaction` or
  /// `moderation`. Later versions of the backend can add kinds.
  public var kind: String
  /// The highlight; `nil` for follows and moderation.
  public var highlightID: UUID?
  /// The newest comment; `nil` if the notification isn't about a comment.
  public var commentID: UUID?
  /// Up to three of the people who caused the notifications; empty for moderators.
  public var actorIDs: [UUID]
  /// The number of people who caused the notifications.
  public var actorCount: Int
  /// Whether all of the notifications are marked as read.
  public var isRead: Bool
  /// A moderator's decision; `nil` for other kinds.
  public var details: ModerationNotice?
  /// The time of the newest notification, in ISO 8601 format with a time zone.
  public var newest: String
  /// The time of the oldest notification. The next page starts before it.
  public var oldest: String

  enum CodingKeys: String, CodingKey {
    case kind, details, newest, oldest
    case highlightID = "highlight_id"
    case commentID = "comment_id"
    case actorIDs = "actor_ids"
    case actorCount = "actor_count"
    case isRead = "is_read"
  }

  /// Decodes a row, whose `actor_ids` is null for moderators.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    kind = try container.decode(String.self, forKey: .kind)
    highlightID = try container.decodeIfPresent(UUID.self, forKey: .highlightID)
    commentID = try container.decodeIfPresent(UUID.self, forKey: .commentID)
    actorIDs = try container.decodeIfPresent([UUID].self, forKey: .actorIDs) ?? []
    actorCount = try container.decode(Int.self, forKey: .actorCount)
    isRead = try container.decode(Bool.self, forKey: .isRead)
    details = try container.decodeIfPresent(ModerationNotice.self, forKey: .details)
    newest = try container.decode(String.self, forKey: .newest)
    oldest = try container.decode(String.self, forKey: .oldest)
  }
}

/// What a notification says about a moderator's decision.
public struct ModerationNotice: Codable, Equatable, Sendable {
  /// The consequence: `warn`, `restrict` or `lift`.
  public var action: String
  /// Whether the content was removed.
  public var isRemoved: Bool
  /// The beginning of the content; `nil` if it has no text.
  public var content: String?
  /// The moderator's reason.
  public var reason: String
  /// When a restriction ends, in ISO 8601 format with a time zone.
  public var until: String?

  enum CodingKeys: String, CodingKey {
    case action, content, reason, until
    case isRemoved = "removed"
  }
}
