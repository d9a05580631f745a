public import Foundation
import RowRequests

/// A change that can wait until the backend is reachable. Performing it twice has the effect of performing it once.
public enum SocialAction: Codable, Equatable, Sendable {
  /// Likes or unlikes a highlight.
  case setLike(highlight: UUID, isLiked: Bool)
  /// Likes or unlikes a comment.
  case setCommentLike(comment: UUID, isLiked: Bool)
  /// Follows or unfollows a person. Profiles that are not public get a request instead.
  case setFollow(profile: UUID, isFollowing: Bool)
  /// Adds a comment. The client generates the ID.
  case addComment(id: UUID, highlight: UUID, text: String)
  /// Deletes a comment of the account.
  case deleteComment(id: UUID)

  /// What the action changes. Of several actions with the same target, only the last one counts.
  var target: String {
    switch self {
    case .setLike(let highlight, _): "like \(highlight.rowText)"
    case .setCommentLike(let comment, _): "comment-like \(comment.rowText)"
    case .setFollow(let profile, _): "follow \(profile.rowText)"
    case .addComment(let id, _, _), .deleteComment(let id): "comment \(id.rowText)"
    }
  }
}
