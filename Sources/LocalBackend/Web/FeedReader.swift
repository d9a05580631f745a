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
  var muxPlaybackID: String
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
  var createdAt: String
}

/// A comment as `/rest/v1` returns it for the visitor.
struct SharedComment: PagedRow {
  var id: String
  var authorID: String
  var author: Person?
  var text: String
  var createdAt: String
}

/// A position after the last row of a page. Rows that are added later don't shift the next page.
struct PageCursor: Sendable, Equatable {
  var createdAt: String
  var id: String

  /// The cursor as text for URL queries. It contains no characters that need encoding.
  var text: String { "\(createdAt.replacing("+00:00", with: ""))~\(id)" }

  /// A filter for the rows after the cursor.
  var filter: RowFilter {
    func isLessThan(_ column: String, _ value: String) -> RowFilter {
      .comparison(column: column, isNegated: false, .compare(.lt, value))
    }
    let isSameTime = RowFilter.equals("created_at", createdAt)
    return .any(
      [isLessThan("created_at", createdAt), .all([isSameTime, isLessThan("id", id)], isNegated: false)],
      isNegated: false)
  }
}

extension PageCursor {
  /// Parses a cursor. Returns `nil` if the text is invalid.
  init?(_ text: String?) {
    guard let parts = text?.split(separator: "~"), parts.count == 2, let time = Timestamp.normalized(String(parts[0])),
      let id = UUID(uuidString: String(parts[1]))
    else { return nil }
    self.init(createdAt: time, id: id.uuidString.lowercased())
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
  }

  private static let columns = """
    id,author_id,mux_playback_id,thumbnail_url,caption,tags,video_urls,duration,likes_count,comments_count,\
    is_liked_by_me,hide_likes,privacy_level,created_at,author:profiles(\(PeopleReader.columns))
    """

  /// Returns one page of highlights, and the cursor of the next page if there is one.
  func posts(
    _ choice: HighlightSelection, after cursor: PageCursor?, limit: Int, for caller: Caller
  ) async throws -> (rows: [SharedPost], next: PageCursor?) {
    let (filter, restriction): (RowFilter?, RowStore.Restriction?) =
      switch choice {
      case .feed: (nil, .excludingMutedUsers(caller))
      case .tag(let tag):
        (.comparison(column: "tags", isNegated: false, .contains([tag.lowercased()])), .excludingMutedUsers(caller))
      case .author(let id): (.equals("author_id", id), nil)
      }
    return try await page(
      SocialTables.highlights, select: Self.columns, filter, after: cursor, limit: limit, for: caller, restriction)
  }

  /// Returns a highlight by ID.
  /// - Returns: `nil` if the highlight doesn't exist or the visitor can't see it.
  func post(_ id: String, for caller: Caller) async throws -> SharedPost? {
    guard let id = UUID(uuidString: id)?.uuidString.lowercased() else { return nil }
    let posts: [SharedPost] = try await rows.decodeRows(
      SocialTables.highlights, RowQuery("select=\(Self.columns)&id=eq.\(id)"), caller)
    return posts.first
  }

  /// Returns one page of a highlight's comments, and the cursor of the next page if there is one.
  func comments(
    of highlight: String, after cursor: PageCursor?, limit: Int, for caller: Caller
  ) async throws -> (rows: [SharedComment], next: PageCursor?) {
    try await page(
      rows.table("comments"), select: "id,author_id,text,created_at,author:profiles(\(PeopleReader.columns))",
      .equals("highlight_id", highlight), after: cursor, limit: limit, for: caller)
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
