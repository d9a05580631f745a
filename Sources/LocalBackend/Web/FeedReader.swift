import Foundation
import GRDB

/// A highlight as `/rest/v1` gives it to the one who asks.
struct SharedPost: Decodable, Sendable {
  var id: String
  var authorId: String
  /// `nil` when the asker may not see who it is.
  var author: Person?
  var muxPlaybackId: String
  var thumbnailUrl: String?
  var caption: String?
  var tags: [String]
  /// Of a post of several clips, in order.
  var videoUrls: [String]?
  /// Seconds.
  var duration: Double?
  var likesCount: Int
  var commentsCount: Int
  var isLikedByMe: Bool
  var hideLikes: Bool
  var privacyLevel: String
  /// Text of `timestampText`.
  var createdAt: String
}

/// A comment in the same way.
struct SharedComment: Decodable, Sendable {
  var id: String
  var authorId: String
  var author: Person?
  var text: String
  var createdAt: String
}

/// Where a page of rows goes on: behind this row, newest first. Rows that are added meanwhile move nothing.
struct PageCursor: Sendable, Equatable {
  var createdAt: String
  var id: String

  init(createdAt: String, id: String) {
    self.createdAt = createdAt
    self.id = id
  }

  /// `nil` for a text that is none.
  init?(_ text: String?) {
    guard let parts = text?.split(separator: "~"), parts.count == 2, let time = Timestamp.normal(String(parts[0])),
      let id = UUID(uuidString: String(parts[1]))
    else { return nil }
    self.init(createdAt: time, id: id.uuidString.lowercased())
  }

  /// Fits into a query as it is.
  var text: String { "\(createdAt.replacing("+00:00", with: ""))~\(id)" }

  var filter: RowFilter {
    func compare(_ column: String, _ comparison: RowFilter.Comparison, _ value: String) -> RowFilter {
      .comparison(column: column, isNegated: false, .compare(comparison, value))
    }
    return .any(
      [
        compare("created_at", .lt, createdAt),
        .all([compare("created_at", .eq, createdAt), compare("id", .lt, id)], isNegated: false),
      ], isNegated: false)
  }
}

/// Reads highlights and comments by the rows' own functions and rules.
struct FeedReader: Sendable {
  let rows: RowStore

  /// Which highlights, besides those that the asker may see.
  enum Choice: Sendable {
    /// All but those of people that the asker has muted.
    case feed
    /// The same with a tag.
    case tag(String)
    case author(String)
  }

  private static let columns = """
    id,author_id,mux_playback_id,thumbnail_url,caption,tags,video_urls,duration,likes_count,comments_count,\
    is_liked_by_me,hide_likes,privacy_level,created_at,author:profiles(\(PeopleReader.columns))
    """
  private static let newestFirst = "order=created_at.desc,id.desc"

  /// One page, newest first, and where the next one begins; `nil` when there is none.
  func posts(
    _ choice: Choice, after cursor: PageCursor?, limit: Int, for caller: Caller
  ) async throws -> (posts: [SharedPost], next: PageCursor?) {
    var query = try RowQuery("select=\(Self.columns)&\(Self.newestFirst)&limit=\(limit + 1)")
    if let cursor { query.filters.append(cursor.filter) }
    var narrowing: RowStore.Narrowing?
    switch choice {
    case .feed: narrowing = .unmuted(caller)
    case .tag(let tag):
      narrowing = .unmuted(caller)
      query.filters.append(.comparison(column: "tags", isNegated: false, .contains([tag.lowercased()])))
    case .author(let id):
      query.filters.append(.comparison(column: "author_id", isNegated: false, .compare(.eq, id)))
    }
    let posts: [SharedPost] = try await rows.decoded(SocialTables.highlights, query, caller, narrowing)
    return Self.page(posts, limit) { PageCursor(createdAt: $0.createdAt, id: $0.id) }
  }

  /// `nil` when there is none that the asker may see.
  func post(_ id: String, for caller: Caller) async throws -> SharedPost? {
    guard let id = UUID(uuidString: id)?.uuidString.lowercased() else { return nil }
    let posts: [SharedPost] = try await rows.decoded(
      SocialTables.highlights, RowQuery("select=\(Self.columns)&id=eq.\(id)"), caller)
    return posts.first
  }

  /// - Parameter id: of a highlight.
  func comments(
    of id: String, after cursor: PageCursor?, limit: Int, for caller: Caller
  ) async throws -> (comments: [SharedComment], next: PageCursor?) {
    var query = try RowQuery(
      """
      select=id,author_id,text,created_at,author:profiles(\(PeopleReader.columns))&highlight_id=eq.\(id)\
      &\(Self.newestFirst)&limit=\(limit + 1)
      """)
    if let cursor { query.filters.append(cursor.filter) }
    let comments: [SharedComment] = try await rows.decoded(rows.table("comments"), query, caller)
    return Self.page(comments, limit) { PageCursor(createdAt: $0.createdAt, id: $0.id) }
  }

  private static func page<Row>(
    _ rows: [Row], _ limit: Int, _ cursor: (Row) -> PageCursor
  ) -> ([Row], PageCursor?) {
    let shown = Array(rows.prefix(limit))
    return (shown, rows.count > limit ? shown.last.map(cursor) : nil)
  }
}

extension RowStore {
  /// Rows as values instead of JSON.
  func decoded<Row: Decodable>(
    _ table: TableSchema, _ query: RowQuery, _ caller: Caller, _ narrowing: Narrowing? = nil
  ) async throws -> [Row] {
    let page = try await read(RowCommand(table, as: caller, query), narrowing: narrowing)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try page.rows.map { try decoder.decode(Row.self, from: Data($0.utf8)) }
  }
}
