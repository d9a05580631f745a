import Foundation
import GRDB

/// A row that pages list, sorted from newest to oldest.
protocol PagedRow: Decodable, Sendable {
  var id: String { get }
  /// The row's creation time in the format of `timestampText`.
  var createdAt: String { get }
}

/// A highlight as `/rest/v1` returns it for the visitor.
struct SharedPost: PagedRow {
  var id: String
  var authorID: String
  /// The author's profile; `nil` if the visitor can't see it.
  var author: Person?
  /// `nil` for a closed highlight, until `posts` has added the playback IDs that the visitor may use.
  var muxPlaybackID: String?
  var thumbnailUrl: String?
  var caption: String?
  var tags: [String]
  /// The URLs of a post's clips, in order.
  var videoUrls: [String]?
  /// The highlight's duration in seconds.
  var duration: Double?
  var likesCount: Int
  var commentsCount: Int
  var isLikedByMe: Bool
  var hideLikes: Bool
  var privacyLevel: String
  var allowDownloads: Bool
  var createdAt: String
  /// The usernames in lowercase that the caption mentions. They come from a separate query.
  var mentions: Set<String>?

  var mentioned: Set<String> { mentions ?? [] }
}

/// A highlight's poll as `/rest/v1` returns it for the visitor.
struct SharedPoll: Decodable, Sendable {
  var id: String
  var question: String
  var totalVotes: Int
  var options: [Option]

  struct Option: Decodable, Sendable {
    var id: String
    var text: String
    var voteCount: Int
    var sortOrder: Int
  }
}

/// A comment as `/rest/v1` returns it for the visitor.
struct SharedComment: PagedRow {
  var id: String
  var authorID: String
  var author: Person?
  var text: String
  var createdAt: String
  var likesCount: Int
  var isLikedByMe: Bool
  /// The numbers of reactions by emoji.
  var reactions: [String: Int]
  var mentions: [Mention]?

  struct Mention: Decodable, Sendable {
    var profile: Mentioned?
  }

  struct Mentioned: Decodable, Sendable {
    var username: String
  }
}

/// A position after the last row of a page. Rows that are added later don't shift the next page.
struct PageCursor: Sendable, Equatable {
  var createdAt: String
  var id: String
  /// Whether the next page begins with the row itself.
  var includesRow = false

  /// The cursor as text for URL queries. It contains no characters that need encoding.
  var text: String { "\(createdAt.replacing("+00:00", with: ""))~\(id)" }

  /// A filter for the rows after the cursor.
  var filter: RowFilter { filter(of: "created_at") }

  /// A filter for the rows after the cursor, in a table that another time sorts.
  func filter(of column: String) -> RowFilter {
    func compare(_ column: String, _ order: RowFilter.Comparison, _ value: String) -> RowFilter {
      .comparison(column: column, isNegated: false, .compare(order, value))
    }
    let isSameTime = RowFilter.equals(column, createdAt)
    return .any(
      [
        compare(column, .lt, createdAt),
        .all([isSameTime, compare("id", includesRow ? .lte : .lt, id)], isNegated: false),
      ], isNegated: false)
  }
}

extension PageCursor {
  /// Parses a cursor. Returns `nil` if the text is invalid.
  init?(_ text: String?, includesRow: Bool = false) {
    guard let parts = text?.split(separator: "~"), parts.count == 2,
      let time = TimestampText.normalized(String(parts[0])),
      let id = UUID(uuidString: String(parts[1]))
    else { return nil }
    self.init(createdAt: time, id: id.uuidString.lowercased(), includesRow: includesRow)
  }
}

/// Reads highlights and comments that the row rules let the visitor see.
struct FeedReader: Sendable {
  let rows: RowStore

  /// The highlights to list, out of all highlights that the visitor can see.
  enum HighlightSelection: Sendable {
    /// All highlights except those of people whom the visitor has muted.
    case feed
    /// The highlights in the feed that have this tag.
    case tag(String)
    case author(String)
    /// The highlights of people whom this account follows.
    case following(String)
    /// The highlights that match a search.
    case matching(String)
  }

  private static let columns = """
    id,author_id,mux_playback_id,thumbnail_url,caption,tags,video_urls,duration,likes_count,comments_count,\
    is_liked_by_me,hide_likes,privacy_level,allow_downloads,created_at,author:profiles(\(PeopleReader.columns))
    """

  /// Returns one page of highlights, and the cursor of the next page if there is one.
  func posts(
    _ choice: HighlightSelection, after cursor: PageCursor?, limit: Int, for caller: Caller
  ) async throws -> (rows: [SharedPost], next: PageCursor?) {
    let (filter, restriction): (RowFilter?, RowStore.Restriction?) =
      switch choice {
      case .feed: (nil, .findableHighlights(for: caller))
      case .tag(let tag): (nil, .taggedHighlights(tag, for: caller))
      case .author(let id): (.equals("author_id", id), nil)
      case .following(let user): (nil, .followedHighlights(by: user))
      case .matching(let query): (nil, .matchingHighlights(query, for: caller))
      }
    var page: (rows: [SharedPost], next: PageCursor?) = try await page(
      SocialTables.highlights, select: Self.columns, filter, after: cursor, limit: limit, for: caller, restriction)
    try await complete(&page.rows, for: caller)
    return page
  }

  /// Returns the highlights that a function selects, in its order.
  func posts(_ restriction: RowStore.Restriction, for caller: Caller) async throws -> [SharedPost] {
    var posts: [SharedPost] = try await rows.decodeRows(
      SocialTables.highlights, RowQuery("select=\(Self.columns)"), caller, restriction)
    try await complete(&posts, for: caller)
    return posts
  }

  /// Adds what isn't in the highlights' rows.
  private func complete(_ posts: inout [SharedPost], for caller: Caller) async throws {
    try await addPlaybackIDs(to: &posts, for: caller)
    try await addMentions(to: &posts, for: caller)
  }

  /// Adds the people whom the captions mention. Comments of a highlight can have many more mentions, so the rows can't be
  /// embedded.
  private func addMentions(to posts: inout [SharedPost], for caller: Caller) async throws {
    struct Row: Decodable {
      var highlightID: String
      var profile: SharedComment.Mentioned?
    }
    let ids = posts.filter { $0.caption?.contains("@") == true }.map(\.id)
    if ids.isEmpty { return }
    var query = try RowQuery("select=highlight_id,profile:profiles(username)")
    query.filters = [
      .comparison(column: "highlight_id", isNegated: false, .isOneOf(ids)),
      .comparison(column: "comment_id", isNegated: false, .isNull),
    ]
    let found: [Row] = try await rows.decodeRows(rows.table("mentions"), query, caller)
    let names = Dictionary(grouping: found, by: \.highlightID)
    for index in posts.indices {
      posts[index].mentions = Set((names[posts[index].id] ?? []).compactMap { $0.profile?.username.lowercased() })
    }
  }

  /// Adds the playback IDs of closed highlights. Pages need no tokens, because the media routes accept their sessions.
  private func addPlaybackIDs(to posts: inout [SharedPost], for caller: Caller) async throws {
    let closed = posts.filter { $0.muxPlaybackID == nil }.map(\.id)
    if closed.isEmpty { return }
    let clips = Dictionary(grouping: try await rows.store.playableClips(of: closed, for: caller), by: \.highlightID)
    for index in posts.indices {
      guard let ids = clips[posts[index].id]?.map(\.playbackID) else { continue }
      posts[index].muxPlaybackID = ids[0]
      posts[index].videoUrls = ids.count > 1 ? ids : nil
    }
  }

  /// Returns a highlight by ID.
  /// - Returns: `nil` if the highlight doesn't exist or the visitor can't see it.
  func post(_ id: String, for caller: Caller) async throws -> SharedPost? {
    guard let id = UUID(uuidString: id)?.uuidString.lowercased() else { return nil }
    var posts: [SharedPost] = try await rows.decodeRows(
      SocialTables.highlights, RowQuery("select=\(Self.columns)&id=eq.\(id)"), caller)
    try await complete(&posts, for: caller)
    return posts.first
  }

  /// Returns a highlight's poll, or `nil` if there is none that the visitor can see.
  func poll(of highlight: String, for caller: Caller) async throws -> SharedPoll? {
    var query = try RowQuery("select=id,question,total_votes,options:poll_options(id,text,vote_count,sort_order)")
    query.filters = [.equals("highlight_id", highlight)]
    let found: [SharedPoll] = try await rows.decodeRows(rows.table("polls"), query, caller)
    guard var poll = found.first else { return nil }
    poll.options.sort { ($0.sortOrder, $0.id) < ($1.sortOrder, $1.id) }
    return poll
  }

  /// Returns the ID of the option for which the visitor has voted.
  func ownVote(in poll: SharedPoll, for caller: Caller) async throws -> String? {
    struct Row: Decodable { var optionID: String }
    guard let user = caller.userID else { return nil }
    var query = try RowQuery("select=option_id")
    query.filters = [.equals("poll_id", poll.id), .equals("user_id", user)]
    let found: [Row] = try await rows.decodeRows(rows.table("poll_votes"), query, caller)
    return found.first?.optionID
  }

  /// Returns one page of a highlight's comments, and the cursor of the next page if there is one.
  func comments(
    of highlight: String, after cursor: PageCursor?, limit: Int, for caller: Caller
  ) async throws -> (rows: [SharedComment], next: PageCursor?) {
    try await page(
      rows.table("comments"),
      select: """
        id,author_id,text,created_at,likes_count,is_liked_by_me,reactions,author:profiles(\(PeopleReader.columns)),\
        mentions(profile:profiles(username))
        """,
      .equals("highlight_id", highlight), after: cursor, limit: limit, for: caller)
  }

  /// Returns the visitor's reactions to comments, by comment.
  func ownReactions(to comments: [SharedComment], for caller: Caller) async throws -> [String: Set<String>] {
    struct Row: Decodable {
      var commentID: String
      var emoji: String
    }
    guard let user = caller.userID, !comments.isEmpty else { return [:] }
    var query = try RowQuery("select=comment_id,emoji")
    query.filters = [
      .equals("user_id", user), .comparison(column: "comment_id", isNegated: false, .isOneOf(comments.map(\.id))),
    ]
    let found: [Row] = try await rows.decodeRows(rows.table("comment_reactions"), query, caller)
    return Dictionary(grouping: found, by: \.commentID).mapValues { Set($0.map(\.emoji)) }
  }

  private func page<Row: PagedRow>(
    _ table: TableSchema, select columns: String, _ filter: RowFilter?, after cursor: PageCursor?, limit: Int,
    for caller: Caller, _ restriction: RowStore.Restriction? = nil
  ) async throws -> (rows: [Row], next: PageCursor?) {
    var query = try RowQuery("select=\(columns)&order=created_at.desc,id.desc&limit=\(limit + 1)")
    query.filters = [filter, cursor?.filter].compactMap(\.self)
    let found: [Row] = try await rows.decodeRows(table, query, caller, restriction)
    let page = Array(found.prefix(limit))
    guard found.count > limit, let last = page.last else { return (page, nil) }
    return (page, PageCursor(createdAt: last.createdAt, id: last.id))
  }
}

extension RowStore {
  /// Reads a table's rows and decodes them.
  func decodeRows<Row: Decodable>(
    _ table: TableSchema, _ query: RowQuery, _ caller: Caller, _ restriction: Restriction? = nil
  ) async throws -> [Row] {
    let page = try await read(RowCommand(table: table, caller: caller, query: query), restriction: restriction)
    return try page.rows.map { try JSONDecoder.snakeCase.decode(Row.self, from: Data($0.utf8)) }
  }
}
