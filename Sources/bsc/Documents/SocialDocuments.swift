import ClipModel
import Foundation
import Social

/// The JSON documents of `bsc social`. Rows keep the backend's names, as in `bsc.share/1`.

struct FeedItemDocument: Encodable {
  var schema = "bsc.social-highlight/1"
  var highlight: FeedItem
  /// Only in `show`.
  var comments: [HighlightComment]?
}

struct ProfileDocument: Encodable {
  var schema = "bsc.social-profile/1"
  var profile: Profile
  /// Absent for the own profile, and without a connection.
  var relation: FollowState?
}

struct HiddenPersonDocument: Encodable {
  var schema = "bsc.social-hidden/1"
  /// `blocked`, `muted`, `follower` or `followed`.
  var relation: String
  var person: HiddenPerson
}

/// The result of a command that changes something.
struct ActionDocument: Encodable {
  enum Action: String, Encodable {
    case like, unlike, comment, follow, unfollow, accept, refuse, block, unblock, mute, unmute, react
    case deleteComment = "delete-comment"
    case likeComment = "like-comment"
    case unlikeComment = "unlike-comment"
    case removeFollower = "remove-follower"
    case removeReaction = "remove-reaction"
    case withdrawReport = "withdraw"
    case readNotifications = "read-notifications"
  }

  var schema = "bsc.social-action/1"
  var action: Action
  /// The ID of the highlight, comment or person.
  var id: UUID
  /// `performed` or `queued`.
  var status = "performed"
  /// After a follow: `following`, `requested` or `none`.
  var relation: FollowState?

  init(_ action: Action, id: UUID) { (self.action, self.id) = (action, id) }

  private enum CodingKeys: CodingKey {
    case schema, action, id, status, relation
  }

  /// Encodes the ID in lowercase, as the backend does.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(schema, forKey: .schema)
    try container.encode(action, forKey: .action)
    try container.encode(id.uuidString.lowercased(), forKey: .id)
    try container.encode(status, forKey: .status)
    try container.encodeIfPresent(relation, forKey: .relation)
  }
}

/// The result of sending the actions that waited.
struct QueueDocument: Encodable {
  var schema = "bsc.social-queue/1"
  var sent: Int
  var refused: Int
  var waiting: Int
}

/// A tag or team that a search found.
struct LabelDocument: Encodable {
  var schema = "bsc.social-label/1"
  /// `tag` or `team`.
  var kind: String
  var label: SearchLabel
}

struct NotificationDocument: Encodable {
  var schema = "bsc.social-notification/1"
  var notification: NotificationGroup
  /// The usernames of up to three people who caused it.
  var actors: [String]
}
