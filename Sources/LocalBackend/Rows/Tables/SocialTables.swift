import GRDB
import HTTPTypes

/// The tables of the social layer.
enum SocialTables {
  typealias Column = TableSchema.Column

  static func column(_ name: String, _ type: ColumnType) -> Column { Column(name: name, type: type) }
  static let id = column("id", .uuid).fallback(.newID)
  static let createdAt = column("created_at", .timestamp).fallback(.now)
  static func counter(_ name: String) -> Column { column(name, .integer).fallback(.value(0.databaseValue)) }
  static func reference(_ name: String, _ table: String) -> Column { column(name, .uuid).pointing(to: table) }
  static let privacy = column("privacy_level", .text).fallback(.value("public".databaseValue))

  // MARK: Polls

  static let polls: [TableSchema] = [
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

  static let moderation: [TableSchema] = [
    TableSchema(
      name: "content_reports", source: "content_reports",
      columns: [
        id, reference("reporter_id", "profiles").fallback(.caller).insertable(),
        column("reported_type", .text).insertable(),
        column("reported_id", .uuid).insertable(), reference("reported_user_id", "profiles").insertable(),
        column("report_type", .text).insertable(), column("description", .text).nullable().insertable(),
        column("status", .text).fallback(.value("pending".databaseValue)),
        column("reviewed_at", .timestamp).nullable(), createdAt, column("updated_at", .timestamp).fallback(.now),
      ],
      checks: [
        .oneOf("content_reports", "reported_type", ["highlight", "comment", "user_profile"]),
        .oneOf("content_reports", "report_type", reportReasons),
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

  /// The specification's four and the app's eight.
  private static let reportReasons = [
    "inappropriate", "spam", "not_sports", "harassment", "inappropriate_content", "impersonation", "violence",
    "hate_speech", "self_harm", "other",
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
