import GRDB
import HTTPTypes

/// Every table of `/rest/v1`.
enum SocialTables {
  static let all: [String: TableSchema] = Dictionary(
    uniqueKeysWithValues: (people + shared + polls + moderation).map { ($0.name, $0) })

  private typealias Column = TableSchema.Column

  private static func column(_ name: String, _ type: ColumnType) -> Column { Column(name: name, type: type) }
  private static let id = column("id", .uuid).fallback(.newID)
  private static let createdAt = column("created_at", .timestamp).fallback(.now)
  private static func counter(_ name: String) -> Column { column(name, .integer).fallback(.value(0.databaseValue)) }
  private static func reference(_ name: String, _ table: String) -> Column { column(name, .uuid).pointing(to: table) }
  private static let privacy = column("privacy_level", .text).fallback(.value("public".databaseValue))

  // MARK: People

  private static let people: [TableSchema] = [
    TableSchema(
      name: "profiles", source: "profiles",
      columns: [
        column("id", .uuid), column("display_name", .text).updatable(), column("username", .text).updatable(),
        column("avatar_url", .text).nullable().updatable(), column("bio", .text).nullable().updatable(),
        column("team_name", .text).nullable().updatable(), counter("followers_count"), counter("following_count"),
        counter("highlights_count"), privacy.updatable(), createdAt,
      ],
      unique: [["username"]],
      checks: [
        .text("profiles", "display_name", most: 50, isRequired: true), .username("profiles", "username"),
        .webAddress("profiles", "avatar_url"), .text("profiles", "bio", most: 160),
        .text("profiles", "team_name", most: 80),
        .oneOf("profiles", "privacy_level", TableSchema.Check.privacyLevels),
        .notNegative("profiles", "followers_count"), .notNegative("profiles", "following_count"),
        .notNegative("profiles", "highlights_count"),
      ],
      rules: RowRules(
        select: { row, viewer in RowRules.canSeeProfile("\(row).id", viewer) }, update: RowRules.isCaller("id")),
      anonymousMaySelect: true),
    pair(
      "follows", "follower_id", "following_id",
      RowRules(
        select: { row, viewer in
          """
          \(RowRules.canSeeProfile("\(row).follower_id", viewer))
          AND \(RowRules.canSeeProfile("\(row).following_id", viewer))
          """
        },
        insert: RowRules.both(RowRules.isCaller("follower_id"), RowRules.hasLevel("public", "following_id")),
        delete: RowRules.isOneOf("follower_id", "following_id")),
      anonymousMaySelect: true, prepare: { row, db, _ in try refuseBlocked(row, "follower_id", "following_id", db) }),
    pair(
      "follow_requests", "requester_id", "target_id",
      RowRules(
        select: RowRules.isOneOf("requester_id", "target_id"),
        insert: RowRules.both(RowRules.isCaller("requester_id"), RowRules.hasLevel("followers_only", "target_id")),
        delete: RowRules.isOneOf("requester_id", "target_id")),
      prepare: { row, db, _ in try refuseBlocked(row, "requester_id", "target_id", db) }),
    pair(
      "user_blocks", "blocker_id", "blocked_id", own("blocker_id"),
      more: [column("reason", .text).nullable().insertable()], checks: [.text("user_blocks", "reason", most: 500)]),
    pair("user_mutes", "muter_id", "muted_id", own("muter_id")),
    TableSchema(
      name: "account_deletions", source: "account_deletions",
      columns: [
        reference("user_id", "profiles").insertable(), column("requested_at", .timestamp).fallback(.now),
        column("deletes_at", .timestamp).fallback(.sevenDaysFromNow),
      ],
      key: "user_id", rules: own("user_id"), mayDelete: true),
  ]

  /// Rows that are their owner's to see, make and delete.
  private static func own(_ column: String) -> RowRules {
    RowRules(
      select: RowRules.isCaller(column), insert: RowRules.isCaller(column), delete: RowRules.isCaller(column))
  }

  /// A relation of two profiles.
  private static func pair(
    _ name: String, _ first: String, _ second: String, _ rules: RowRules, more: [Column] = [],
    checks: [TableSchema.Check] = [], anonymousMaySelect: Bool = false,
    prepare: (@Sendable (inout NewRow, Database, String) throws -> Void)? = nil
  ) -> TableSchema {
    TableSchema(
      name: name, source: name,
      columns: [id, reference(first, "profiles").insertable(), reference(second, "profiles").insertable()] + more
        + [createdAt],
      unique: [[first, second]], checks: [.differ(name, first, second)] + checks, rules: rules,
      anonymousMaySelect: anonymousMaySelect, mayDelete: true, prepare: prepare)
  }

  /// A block ends what is between the two, and nothing new begins.
  private static func refuseBlocked(_ row: NewRow, _ one: String, _ other: String, _ db: Database) throws {
    let isBlocked = try Bool.fetchOne(
      db,
      sql: """
        SELECT EXISTS (SELECT 1 FROM user_blocks
        WHERE blocker_id = ?1 AND blocked_id = ?2 OR blocker_id = ?2 AND blocked_id = ?1)
        """, arguments: [row[one], row[other]])
    if isBlocked == true {
      throw PostgRESTFailure(status: .forbidden, code: "42501", message: "one of the two has blocked the other")
    }
  }

  // MARK: What is shared

  private static let shared: [TableSchema] = [
    TableSchema(
      name: "highlights", source: "highlights",
      columns: [
        id.insertable(), reference("author_id", "profiles").insertable(),
        column("mux_playback_id", .text).insertable(), column("mux_asset_id", .text).nullable(),
        column("thumbnail_url", .text).nullable().insertable(), column("caption", .text).nullable().changeable(),
        column("tags", .textArray).fallback(.value("[]".databaseValue)).changeable(),
        column("duration", .double).nullable().insertable(), column("confidence", .double).nullable().insertable(),
        column("quality", .double).nullable().insertable(),
        column("detection_count", .integer).nullable().insertable(), counter("likes_count"),
        counter("comments_count"), privacy.changeable(),
        column("hide_likes", .boolean).fallback(.value(0.databaseValue)).changeable(),
        column("video_urls", .textArray).nullable().insertable(),
        column("local_video_id", .uuid).nullable().insertable(),
        column("local_rally_index", .integer).nullable().insertable(),
        column("rally_metadata", .json).insertable(), column("location_name", .text).nullable().changeable(),
        column("latitude", .double).nullable().changeable(), column("longitude", .double).nullable().changeable(),
        createdAt, likedByMe("likes", "highlight_id"),
      ],
      unique: [["mux_asset_id"]], checks: highlightChecks,
      rules: RowRules(
        select: RowRules.canSeeHighlight, insert: RowRules.isCaller("author_id"),
        update: RowRules.isCaller("author_id"), delete: RowRules.isCaller("author_id")),
      anonymousMaySelect: true, mayDelete: true, prepare: { row, _, _ in RallyFacts.complete(&row) },
      inserted: { row, db, now in try ShareLimit.note(row, db, now) }),
    TableSchema(
      name: "likes", source: "likes",
      columns: [
        id, reference("user_id", "profiles").insertable(), reference("highlight_id", "highlights").insertable(),
        createdAt,
      ],
      unique: [["user_id", "highlight_id"]],
      rules: RowRules(
        select: { row, viewer in
          """
          \(row).user_id = \(viewer) OR \(RowRules.canSeeProfile("\(row).user_id", viewer))
          AND \(RowRules.ofVisibleHighlight("NOT h.hide_likes OR h.author_id = VIEWER")(row, viewer))
          """
        },
        insert: RowRules.both(RowRules.isCaller("user_id"), RowRules.ofVisibleHighlight()),
        delete: RowRules.isCaller("user_id")),
      anonymousMaySelect: true, mayDelete: true),
    TableSchema(
      name: "comments", source: "comments",
      columns: [
        id, reference("highlight_id", "highlights").insertable(), reference("author_id", "profiles").insertable(),
        column("text", .text).insertable(), counter("likes_count"), createdAt, likedByMe("comment_likes", "comment_id"),
      ],
      checks: [
        .text("comments", "text", most: 500, isRequired: true), .notNegative("comments", "likes_count"),
      ],
      rules: RowRules(
        select: RowRules.canSeeComment,
        insert: RowRules.both(RowRules.isCaller("author_id"), RowRules.ofVisibleHighlight()),
        delete: RowRules.isCaller("author_id")),
      anonymousMaySelect: true, mayDelete: true),
    TableSchema(
      name: "comment_likes", source: "comment_likes",
      columns: [
        id, reference("user_id", "profiles").insertable(), reference("comment_id", "comments").insertable(), createdAt,
      ],
      unique: [["user_id", "comment_id"]],
      rules: RowRules(
        select: { row, viewer in
          """
          \(row).user_id = \(viewer) OR \(RowRules.canSeeProfile("\(row).user_id", viewer))
          AND \(RowRules.ofVisibleComment(row, viewer))
          """
        },
        insert: RowRules.both(RowRules.isCaller("user_id"), RowRules.ofVisibleComment),
        delete: RowRules.isCaller("user_id")),
      anonymousMaySelect: true, mayDelete: true),
    TableSchema(
      name: "uploads", source: "draft_uploads",
      columns: [
        id, reference("author_id", "profiles"), column("idempotency_key", .text), column("highlight_id", .uuid),
        column("caption", .text).nullable(), column("tags", .textArray), privacy, column("hide_likes", .boolean),
        column("duration", .double), column("confidence", .double).nullable(), column("quality", .double).nullable(),
        column("detection_count", .integer).nullable(), column("local_video_id", .uuid).nullable(),
        column("local_rally_index", .integer).nullable(), column("status", .text), column("error", .text).nullable(),
        column("attempt", .integer), column("superseded", .boolean), column("mux_upload_id", .text).nullable(),
        column("mux_asset_id", .text).nullable(), column("mux_playback_id", .text).nullable(),
        column("non_standard_input_reasons", .json).nullable(), column("expires_at", .timestamp),
        column("checked_at", .timestamp), createdAt,
      ],
      rules: RowRules(select: RowRules.isCaller("author_id"))),
  ]

  private static func likedByMe(_ table: String, _ column: String) -> Column {
    var result = Self.column("is_liked_by_me", .boolean)
    result.computed = { row, viewer in
      "EXISTS (SELECT 1 FROM \(table) AS my WHERE my.\(column) = \(row).id AND my.user_id = \(viewer))"
    }
    return result
  }

  private static let highlightChecks: [TableSchema.Check] = [
    TableSchema.Check("highlights", "mux_playback_id") { row in
      guard let text = row.text("mux_playback_id") else { return true }
      return text.wholeMatch(of: /(https?:\/\/(?s:.)+|[A-Za-z0-9_\-]+)/) != nil && text.unicodeScalars.count <= 2048
    },
    TableSchema.Check("highlights", "mux_asset_id") { row in
      row.text("mux_asset_id").map { (1...255).contains($0.unicodeScalars.count) } ?? true
    },
    TableSchema.Check("highlights", "thumbnail_url") { row in
      // Relative for clips that this server holds: its port may be another one tomorrow.
      guard let text = row.text("thumbnail_url") else { return true }
      return text.unicodeScalars.count <= 2048
        && (text.hasPrefix("http://") || text.hasPrefix("https://") || !row["mux_asset_id"].isNull)
    },
    .text("highlights", "caption", most: 2200), .textList("highlights", "tags", most: 734, longest: 2200),
    .number("highlights", "duration", 3...60, slack: 1e-6), .number("highlights", "confidence", 0...1),
    .number("highlights", "quality", 0...1), .notNegative("highlights", "detection_count"),
    .notNegative("highlights", "likes_count"), .notNegative("highlights", "comments_count"),
    .oneOf("highlights", "privacy_level", TableSchema.Check.privacyLevels),
    .textList("highlights", "video_urls", most: 50, longest: 2048, isEmptyAllowed: false),
    .notNegative("highlights", "local_rally_index"), .rallyMetadata("highlights", "rally_metadata"),
    .text("highlights", "location_name", most: 200), .number("highlights", "latitude", -90...90, slack: 0),
    .number("highlights", "longitude", -180...180, slack: 0),
    TableSchema.Check(name: "highlights_check") { row in row["latitude"].isNull == row["longitude"].isNull },
  ]

  // MARK: Polls

  private static let polls: [TableSchema] = [
    TableSchema(
      name: "polls", source: "polls",
      columns: [
        id, reference("highlight_id", "highlights").insertable(), column("question", .text).insertable(),
        counter("total_votes"), createdAt,
      ],
      unique: [["highlight_id"]],
      checks: [
        .text("polls", "question", most: 300, isRequired: true), .notNegative("polls", "total_votes"),
      ],
      rules: RowRules(
        select: RowRules.ofVisibleHighlight(), insert: RowRules.ofVisibleHighlight("h.author_id = VIEWER"),
        delete: RowRules.ofVisibleHighlight("h.author_id = VIEWER")),
      anonymousMaySelect: true, mayDelete: true),
    TableSchema(
      name: "poll_options", source: "poll_options",
      columns: [
        id, reference("poll_id", "polls").insertable(), column("text", .text).insertable(), counter("vote_count"),
        counter("sort_order").insertable(), createdAt,
      ],
      checks: [
        .text("poll_options", "text", most: 100, isRequired: true), .notNegative("poll_options", "vote_count"),
      ],
      rules: RowRules(select: RowRules.ofVisiblePoll, insert: RowRules.ofOwnPoll), anonymousMaySelect: true),
    TableSchema(
      name: "poll_votes", source: "poll_votes",
      columns: [
        id, column("poll_id", .uuid).changeable(), reference("option_id", "poll_options").changeable(),
        reference("user_id", "profiles").changeable(), createdAt,
      ],
      unique: [["poll_id", "user_id"]],
      rules: RowRules(
        select: RowRules.isCaller("user_id"),
        insert: RowRules.both(RowRules.isCaller("user_id"), RowRules.ofVisiblePoll),
        update: RowRules.isCaller("user_id"),
        updateCheck: RowRules.both(RowRules.isCaller("user_id"), RowRules.ofVisiblePoll),
        delete: RowRules.isCaller("user_id")),
      mayDelete: true),
  ]

  // MARK: Moderation

  private static let moderation: [TableSchema] = [
    TableSchema(
      name: "content_reports", source: "content_reports",
      columns: [
        id, reference("reporter_id", "profiles").insertable(), column("reported_type", .text).insertable(),
        column("reported_id", .uuid).insertable(), reference("reported_user_id", "profiles").insertable(),
        column("report_type", .text).insertable(), column("description", .text).nullable().insertable(),
        column("status", .text).fallback(.value("pending".databaseValue)),
        column("reviewed_at", .timestamp).nullable(), createdAt,
      ],
      checks: [
        .oneOf("content_reports", "reported_type", ["highlight", "comment", "user_profile"]),
        .oneOf("content_reports", "report_type", ["inappropriate", "spam", "not_sports", "harassment"]),
        .text("content_reports", "description", most: 1000),
        .oneOf("content_reports", "status", ["pending", "reviewed", "action_taken", "dismissed"]),
      ],
      rules: RowRules(select: RowRules.isCaller("reporter_id"), insert: RowRules.isCaller("reporter_id")),
      prepare: { row, db, _ in try findReportedUser(&row, db) }),
    TableSchema(
      name: "rate_limits", source: "rate_limits",
      columns: [column("name", .text), column("max_count", .integer), column("window_seconds", .integer)],
      key: "name", checks: [.positive("rate_limits", "max_count"), .positive("rate_limits", "window_seconds")],
      rules: RowRules(select: { _, _ in "1" }), anonymousMaySelect: true),
    TableSchema(
      name: "account_flags", source: "account_flags",
      columns: [
        id, reference("user_id", "profiles"), column("reason", .text).pointing(to: "rate_limits"),
        column("observed_count", .integer), createdAt,
      ],
      rules: RowRules(select: RowRules.isCaller("user_id"))),
  ]

  /// Whose it is: a moderator acts on it, so it is no client's word.
  private static func findReportedUser(_ row: inout NewRow, _ db: Database) throws {
    let query: String? =
      switch row.text("reported_type") {
      case "highlight": "SELECT author_id FROM highlights WHERE id = ?"
      case "comment": "SELECT author_id FROM comments WHERE id = ?"
      case "user_profile": "SELECT id FROM profiles WHERE id = ?"
      default: nil
      }
    row["reported_user_id"] =
      try query.flatMap { try DatabaseValue.fetchOne(db, sql: $0, arguments: [row["reported_id"]]) } ?? .null
  }
}
