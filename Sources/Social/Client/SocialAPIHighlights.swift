import ClipModel
public import Foundation
import RowRequests

/// Feeds, comments, likes and polls.
extension SocialAPI {
  private static let itemColumns = "*,is_liked_by_me,author:profiles(*),poll:polls(*,options:poll_options(*))"
  private static let commentColumns = "*,is_liked_by_me,reactions,author:profiles(*)"

  public func feed(_ kind: FeedKind, limit: Int, after cursor: FeedCursor?) async throws -> FeedPage {
    // Before the request, so that likes during the request are later.
    let start = kind.start
    let request = try Self.feedRequest(kind, limit: limit, after: cursor)
    let items: [FeedItem] = try await sendAndDecode(request)
    guard items.count >= limit, let last = items.last else { return FeedPage(items: items, next: nil) }
    let next: FeedCursor =
      switch cursor ?? start {
      case .offset(let skipped): .offset(skipped + items.count)
      case .ranked(let skipped, let time): .ranked(offset: skipped + items.count, likedBefore: time)
      case .before, nil: .before(createdAt: last.highlight.createdAt, id: last.id)
      }
    return FeedPage(items: items, next: next)
  }

  private static func feedRequest(
    _ kind: FeedKind, limit: Int, after cursor: FeedCursor?
  ) throws -> RowRequest {
    let operation = "read the feed"
    let select = ("select", itemColumns)
    var arguments: [String: RowValue] = ["max_rows": .number(limit)]
    switch cursor {
    case .offset(let count): arguments["skip_rows"] = .number(count)
    case .ranked(let count, let time):
      (arguments["skip_rows"], arguments["liked_before"]) = (.number(count), .text(time))
    case .before(let time, let id): (arguments["before"], arguments["before_id"]) = (.text(time), .id(id))
    case nil: break
    }
    switch kind {
    case .newest:
      return try .call(operation, "feed", [:], [select] + pageQuery(limit, cursor))
    case .author(let id):
      return .rows(operation, "highlights", [select, ("author_id", "eq.\(id.rowText)")] + pageQuery(limit, cursor))
    case .following: return try .call(operation, "following_feed", arguments, [select])
    case .discover: return try .call(operation, "discover_highlights", arguments, [select])
    case .forYou: return try .call(operation, "for_you", arguments, [select])
    case .tag(let tag):
      arguments["tag"] = .text(tag.lowercased())
      return try .call(operation, "highlights_with_tag", arguments, [select])
    case .search(let query):
      try SocialLimits.checkQuery(query)
      arguments["query"] = .text(query)
      return try .call(operation, "search_highlights", arguments, [select])
    }
  }

  private static func pageQuery(_ limit: Int, _ cursor: FeedCursor?) -> [(String, String)] {
    var query = [("order", "created_at.desc,id.desc"), ("limit", "\(limit)")]
    if case .before(let time, let id) = cursor {
      // Times contain no characters that PostgREST's syntax reserves, except the plus sign, which is encoded.
      query.append(("or", "(created_at.lt.\(time),and(created_at.eq.\(time),id.lt.\(id.rowText)))"))
    }
    return query
  }

  public func highlight(_ id: UUID) async throws -> FeedItem? {
    let items: [FeedItem] = try await sendAndDecode(
      .rows("read the highlight", "highlights", [("select", Self.itemColumns), ("id", "eq.\(id.rowText)")]))
    return items.first
  }

  // MARK: Comments

  public func comments(of highlight: UUID, limit: Int, offset: Int) async throws -> [HighlightComment] {
    try await sendAndDecode(
      .rows(
        "read the comments", "comments",
        [
          ("select", Self.commentColumns), ("highlight_id", "eq.\(highlight.rowText)"),
          ("order", "created_at.desc,id.desc"), ("limit", "\(limit)"), ("offset", "\(offset)"),
        ]))
  }

  public func comment(_ id: UUID) async throws -> HighlightComment? {
    let comments: [HighlightComment] = try await sendAndDecode(
      .rows("read the comment", "comments", [("select", Self.commentColumns), ("id", "eq.\(id.rowText)")]))
    return comments.first
  }

  public func setReaction(_ reaction: CommentReaction, to comment: UUID, isOn: Bool) async throws {
    try await setRow(
      "react to the comment", in: "comment_reactions",
      [("user_id", try await me.rowText), ("comment_id", comment.rowText), ("emoji", reaction.rawValue)], isOn: isOn)
  }

  public func vote(for option: UUID, in poll: UUID) async throws {
    let row: [String: RowValue] = ["poll_id": .id(poll), "option_id": .id(option), "user_id": .id(try await me)]
    try await upsert("vote", into: "poll_votes", on: "poll_id,user_id", row)
  }

  // MARK: Actions

  public func perform(_ action: SocialAction) async throws {
    switch action {
    case .setLike(let highlight, let isLiked):
      try await setRow(
        "like the highlight", in: "likes", [("user_id", try await me.rowText), ("highlight_id", highlight.rowText)],
        isOn: isLiked)
    case .setCommentLike(let comment, let isLiked):
      try await setRow(
        "like the comment", in: "comment_likes", [("user_id", try await me.rowText), ("comment_id", comment.rowText)],
        isOn: isLiked)
    case .setFollow(let profile, let isFollowing):
      if isFollowing { try await follow(profile) } else { try await unfollow(profile) }
    case .addComment(let id, let highlight, let text):
      try SocialLimits.check(text, limit: SocialLimits.commentLength, operation: "add the comment")
      try await insertOnce(
        "add the comment", into: "comments",
        ["id": .id(id), "highlight_id": .id(highlight), "author_id": .id(try await me), "text": .text(text)])
    case .deleteComment(let id):
      try await delete("delete the comment", from: "comments", where: [("id", "eq.\(id.rowText)")])
      // The backend ignores requests to delete another person's comment.
      if try await comment(id) != nil {
        throw SocialError.forbidden(operation: "delete the comment", reason: "it is not your comment")
      }
    }
  }

  /// Follows a public profile, or asks a followers-only profile.
  private func follow(_ profile: UUID) async throws {
    // A repeated request must not ask again after the person has accepted.
    if try await followState(of: profile) != .none { return }
    // Profiles of children can't be read before they accept, but can be asked.
    let isPublic = try await self.profile(profile)?.privacy == .everyone
    try await setRelation(isPublic ? .follow : .request, to: profile, isOn: true, operation: "follow the person")
  }

  private func unfollow(_ profile: UUID) async throws {
    for relation in [Relation.follow, .request] {
      try await setRelation(relation, to: profile, isOn: false, operation: "unfollow the person")
    }
  }
}

extension FeedKind {
  /// The cursor of the first page of feeds that continue after a number of highlights; `nil` for feeds in order of time.
  fileprivate var start: FeedCursor? {
    switch self {
    case .discover: .offset(0)
    case .forYou:
      .ranked(
        offset: 0, likedBefore: Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    case .newest, .following, .tag, .author, .search: nil
    }
  }
}

extension SocialLimits {
  /// Throws an error if a search has no letters or digits. The backend would return what is most used.
  static func checkQuery(_ query: String) throws(SocialError) {
    guard query.contains(where: { $0.isLetter || $0.isNumber }) else { throw .emptySearch }
  }

  /// Throws an error if the database would reject the text.
  static func check(_ text: String, limit: Int, operation: String) throws(SocialError) {
    guard text.contains(where: { !$0.isWhitespace }) else { throw .emptyText(operation: operation) }
    let count = TextLimit.characters.length(of: text)
    guard count <= limit else { throw .textTooLong(operation: operation, count: count, limit: limit) }
  }
}
