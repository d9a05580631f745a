import ClipModel
public import Foundation

/// What an app shows of the social layer.
public struct SocialState: Equatable, Sendable {
  /// Highlights by ID.
  public var highlights: [UUID: FeedItem] = [:]
  /// Comments by highlight, newest first.
  public var comments: [UUID: [HighlightComment]] = [:]
  /// Profiles by account ID.
  public var profiles: [UUID: Profile] = [:]
  /// What other people are to the account. Missing people are not followed.
  public var follows: [UUID: FollowState] = [:]

  /// Creates an empty state.
  public init() {}
}

/// The account that performs actions, and the time, so that state changes are pure functions.
public struct ActionContext: Equatable, Sendable {
  /// The account's ID.
  public var account: UUID
  /// The time of the action in ISO 8601 format with a time zone.
  public var time: String

  public init(account: UUID, time: String) { (self.account, self.time) = (account, time) }
}

extension SocialState {
  /// Returns the state after an action, as the backend will report it. An action that changes nothing, such as a like
  /// of a highlight that is already liked, returns the same state.
  public func applying(_ action: SocialAction, _ context: ActionContext) -> SocialState {
    var state = self
    state.apply(action, context)
    return state
  }

  private mutating func apply(_ action: SocialAction, _ context: ActionContext) {
    switch action {
    case .setLike(let highlight, let isLiked):
      guard var item = highlights[highlight], item.isLiked != isLiked else { return }
      item.isLiked = isLiked
      item.likesCount = max(0, item.likesCount + (isLiked ? 1 : -1))
      highlights[highlight] = item
    case .setCommentLike(let comment, let isLiked):
      guard let place = place(of: comment), var changed = comments[place.highlight]?[place.index],
        changed.isLiked != isLiked
      else { return }
      changed.isLiked = isLiked
      changed.likesCount = max(0, changed.likesCount + (isLiked ? 1 : -1))
      comments[place.highlight]?[place.index] = changed
    case .setFollow(let profile, let isFollowing): applyFollow(profile, isFollowing, context)
    case .addComment(let id, let highlight, let text):
      // The confirmed state may already contain the comment of an attempt whose response was lost.
      guard place(of: id) == nil else { return }
      let comment = HighlightComment(
        id: id, highlightID: highlight, authorID: context.account, author: profiles[context.account], text: text,
        createdAt: context.time)
      comments[highlight, default: []].insert(comment, at: 0)
      highlights[highlight]?.commentsCount += 1
    case .deleteComment(let id):
      guard let place = place(of: id) else { return }
      comments[place.highlight]?.remove(at: place.index)
      if let count = highlights[place.highlight]?.commentsCount {
        highlights[place.highlight]?.commentsCount = max(0, count - 1)
      }
    }
  }

  private mutating func applyFollow(_ profile: UUID, _ isFollowing: Bool, _ context: ActionContext) {
    let before = follows[profile] ?? .none
    guard isFollowing != (before != .none) else { return }
    // A request becomes a follow only when the person accepts it. Unknown profiles count as public.
    let needsRequest = profiles[profile].map { $0.privacy != .everyone } ?? false
    let after: FollowState = isFollowing ? (needsRequest ? .requested : .following) : .none
    follows[profile] = after
    guard (before == .following) != (after == .following) else { return }
    let step = after == .following ? 1 : -1
    if let count = profiles[profile]?.followersCount { profiles[profile]?.followersCount = max(0, count + step) }
    if let count = profiles[context.account]?.followingCount {
      profiles[context.account]?.followingCount = max(0, count + step)
    }
  }

  private func place(of comment: UUID) -> (highlight: UUID, index: Int)? {
    for (highlight, list) in comments {
      if let index = list.firstIndex(where: { $0.id == comment }) { return (highlight, index) }
    }
    return nil
  }
}
