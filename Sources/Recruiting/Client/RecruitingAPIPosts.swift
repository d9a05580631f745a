public import Foundation
internal import RowRequests

/// The number of posts that `ingest_posts` added and changed.
public struct IngestResult: Equatable, Sendable, Codable {
  /// A post that can't be stored.
  public struct Invalid: Equatable, Sendable, Codable {
    /// The index of the post in the list that was sent.
    public var index: Int
    /// The name of the field with the invalid value.
    public let field: String
  }

  /// New posts.
  public internal(set) var added = 0
  /// Posts whose text was edited.
  public internal(set) var changed = 0
  /// Posts that are stored already.
  public internal(set) var unchanged = 0
  /// Posts that the family deleted, which are not added again.
  public internal(set) var dismissed = 0
  /// Posts that were skipped.
  public internal(set) var invalid: [Invalid] = []

  /// A result without posts.
  public init() {}

  /// Adds the result of other posts.
  /// - Parameter index: the number of posts before them, which their indexes don't count.
  public mutating func add(_ other: IngestResult, startingAt index: Int) {
    added += other.added
    changed += other.changed
    unchanged += other.unchanged
    dismissed += other.dismissed
    invalid += other.invalid.map { Invalid(index: $0.index + index, field: $0.field) }
  }
}

/// Posts, their statistics, and analytics.
extension RecruitingAPI {
  private static let order = ("order", "post_date.desc,id.desc")

  /// The posts that match a filter, the newest first.
  /// - Parameters:
  ///   - coach: the ID of a coach, for the coach's posts only.
  ///   - limit: the maximum number of posts.
  ///   - offset: the number of matching posts to skip.
  public func posts(
    of family: String, _ filter: PostFilter = PostFilter(), coach: String? = nil, limit: Int = .max, offset: Int = 0
  ) async throws -> [SocialPost] {
    var query: RowRequest.Query = [("family_unit_id", "eq.\(family)")]
    if let platform = filter.platform { query.append(("platform", "eq.\(platform.rawValue)")) }
    if let school = filter.schoolId { query.append(("school_id", "eq.\(school)")) }
    if let sentiment = filter.sentiment { query.append(("sentiment", "eq.\(sentiment.rawValue)")) }
    if let coach { query.append(("coach_id", "eq.\(coach)")) }
    switch filter.kind {
    case .flagged: query.append(("flagged_for_review", "is.true"))
    case .recruiting: query.append(("is_recruiting_related", "is.true"))
    case nil: break
    }
    var posts: [SocialPost] = []
    var skipped = 0
    // The text is searched here, because it can contain characters with a meaning in patterns.
    let size = filter.search.isEmpty && limit < Self.pageSize - offset ? offset + limit : Self.pageSize
    while true {
      let page: (rows: [SocialPost], count: Int) = try await page(
        .rows(
          "list the posts", "social_media_posts",
          query + [Self.order, ("limit", "\(size)"), ("offset", "\(skipped)")]))
      posts += filter.apply(to: page.rows)
      skipped += page.count
      if page.count < size || posts.count - offset >= limit { break }
    }
    return Array(posts.dropFirst(offset).prefix(limit))
  }

  /// The post with an ID or with the first characters of one, at least four.
  public func post(_ id: String, in family: String) async throws -> SocialPost {
    try await row(id, of: "post", in: "social_media_posts", family: family)
  }

  /// Flags a post for review, or removes the flag. The flag belongs to the family.
  public func flagPost(_ id: String, _ isFlagged: Bool) async throws -> SocialPost {
    try await change("flag the post", in: "social_media_posts", id: id, ["flagged_for_review": .flag(isFlagged)])
  }

  /// Changes the family's notes about a post, at most 5,000 characters. An empty text removes them.
  public func setNotes(_ notes: String, of id: String) async throws -> SocialPost {
    try await change(
      "change the notes", in: "social_media_posts", id: id,
      ["notes": try Self.optional("notes", notes, limit: 5000)])
  }

  /// Deletes a post. The next sync doesn't add it again.
  public func deletePost(_ id: String) async throws {
    try await delete("delete the post", from: "social_media_posts", [("select", "id"), ("id", "eq.\(id)")])
  }

  /// Removes posts that were deleted on their platform, except for those that the family flagged or has notes about.
  /// - Parameter ids: at most 100.
  /// - Returns: the number of removed posts.
  public func removePosts(_ ids: [String], of family: String) async throws -> Int {
    struct Row: Decodable, Sendable {}
    if ids.isEmpty { return 0 }
    let removed: [Row] = try await rows(
      .rows(
        "remove the deleted posts", "social_media_posts",
        [
          ("select", "id"), ("family_unit_id", "eq.\(family)"), ("id", "in.(\(ids.joined(separator: ",")))"),
          ("flagged_for_review", "is.false"), ("notes", "is.null"),
        ], method: .delete, headers: ["Prefer": "return=representation"]))
    return removed.count
  }

  /// The statistics of the posts of a family, or of a coach.
  public func statistics(of family: String, coach: String? = nil) async throws -> PostStatistics {
    let rows: [PostStatistics] = try await rows(
      try .call(
        "read the statistics", "post_statistics", ["family": .text(family), "coach": .text(coach)]))
    return rows.first ?? PostStatistics([])
  }

  /// The figures of the analytics page.
  /// - Parameter zone: the name of a time zone: `America/New_York`.
  public func analytics(
    of family: String, _ range: SocialAnalytics.Range, zone: String
  ) async throws -> SocialAnalytics {
    try await value(
      try .call(
        "read the analytics", "social_analytics",
        [
          "family": .text(family), "days": .number(range == .all ? nil : range.rawValue), "time_zone": .text(zone),
        ]))
  }

  // MARK: Notices

  /// The account's unread notices, at most one per coach, the newest post first.
  public func unreadNotices(of family: String) async throws -> [PostNotice] {
    try await rows(
      .rows(
        "list the new posts", "post_notices",
        [
          ("select", Self.noticeColumns), ("family_unit_id", "eq.\(family)"), ("read_at", "is.null"),
          ("order", "newest_post_date.desc,id.desc"),
        ]))
  }

  /// Marks notices as read, and returns those that were marked. A notice to which posts were added after it was listed
  /// stays unread.
  @discardableResult
  public func markNoticesRead(_ notices: [PostNotice], at time: Date) async throws -> [PostNotice] {
    var marked: [PostNotice] = []
    // The conditions are in the address, whose length is limited.
    for start in stride(from: 0, to: notices.count, by: 50) {
      let conditions = notices[start..<min(start + 50, notices.count)].map {
        "and(id.eq.\($0.id),post_count.eq.\($0.postCount))"
      }
      let changed: [PostNotice] = try await rows(
        .rows(
          "mark the new posts as read", "post_notices",
          [
            ("select", Self.noticeColumns), ("read_at", "is.null"), ("or", "(\(conditions.joined(separator: ",")))"),
          ], method: .patch, headers: ["Prefer": "return=representation"],
          body: try RowRequest.encodeJSON(["read_at": RowValue.time(time)])))
      marked += changed
    }
    return marked
  }

  private static let noticeColumns = "id,coach_id,post_count,recruiting_count,newest_post_date,read_at"

  // MARK: New posts

  /// Adds posts, or changes those whose text was edited. At most 500 posts and about 500 KB per request.
  /// - Parameter owner: the sync that read the posts, whose lock each request renews. `nil` for an import.
  /// - Throws: `syncLost` if another sync has the lock.
  public func ingest(_ posts: [IngestRow], into family: String, owner: String? = nil) async throws -> IngestResult {
    var result = IngestResult()
    var start = 0
    while start < posts.count {
      var end = start
      var byteCount = 0
      while end < posts.count, end - start < 500, end == start || byteCount < 500_000 {
        byteCount += posts[end].postContent.utf8.count + 500
        end += 1
      }
      let part: IngestResult = try await value(
        try .call(
          "add the posts", "ingest_posts",
          ["family": .text(family), "posts": .list(Array(posts[start..<end])), "owner": .text(owner)]))
      result.add(part, startingAt: start)
      start = end
    }
    return result
  }

  /// Starts a sync, of which a family has one at a time. Fails with `rateLimited` if it is too early for the next one.
  /// - Parameter owner: a new ID. A repeated start with the same ID is the same sync.
  public func beginSync(of family: String, owner: String) async throws {
    try await send(try .call("sync the posts", "begin_sync", ["family": .text(family), "owner": .text(owner)]))
  }

  /// Ends a sync. Does nothing if another one has started.
  public func finishSync(of family: String, owner: String) async throws {
    try await send(try .call("finish the sync", "finish_sync", ["family": .text(family), "owner": .text(owner)]))
  }

  /// The handles to read, with the state of the last sync. Those that were not read for the longest time are first.
  public func syncHandles(of family: String) async throws -> [SyncHandle] {
    try await rows(try .call("list the handles", "sync_handles", ["family": .text(family)]))
  }

  /// Stores the state of a handle, and renews the lock of the sync.
  /// - Throws: `syncLost` if another sync has the lock.
  public func saveSyncState(_ result: HandleResult, of family: String, owner: String) async throws {
    try await send(
      try .call(
        "store the sync's state", "save_sync_state",
        [
          "family": .text(family), "platform": .text(result.handle.platform.rawValue),
          "handle": .text(result.handle.name), "external_id": .text(result.externalId),
          "since_id": .text(result.sinceId), "error": .text(result.problem?.rawValue), "owner": .text(owner),
          "page_position": .text(result.pagePosition), "newest_id": .text(result.newestId),
          "was_read": .flag(result.wasRead),
        ]))
  }
}
