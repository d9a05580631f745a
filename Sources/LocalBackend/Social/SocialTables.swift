import ClipModel
import GRDB
import HTTPTypes
import Social

/// The tables for the social features.
enum SocialTables {
  typealias Column = TableSchema.Column

  static func column(_ name: String, _ type: ColumnType) -> Column { Column(name: name, type: type) }
  static let id = column("id", .uuid).fallback(.newID)
  static let createdAt = column("created_at", .timestamp).fallback(.now)
  static func counter(_ name: String) -> Column { column(name, .integer).fallback(0).requireMinimum(0) }
  static func reference(_ name: String, _ table: String) -> Column { column(name, .uuid).referencing(table) }
  static let privacy = column("privacy_level", .text).fallback("public").requireOneOf(
    PrivacyLevel.allCases.map(\.rawValue))

  /// Creates a table with at most one row for each pair of a user and an object.
  static func linkTable(
    _ name: String, from person: String, to table: String, as thing: String, _ rules: RowRules,
    anonymousMaySelect: Bool = true, actionLimit: ActionLimit? = nil
  ) -> TableSchema {
    TableSchema(
      name: name,
      columns: [
        id, reference(person, "profiles").allowingInsert(), reference(thing, table).allowingInsert(), createdAt,
      ],
      unique: [[person, thing]], rules: rules, anonymousMaySelect: anonymousMaySelect, mayDelete: true,
      actionLimit: actionLimit)
  }

  // MARK: Polls

  static let polls: [TableSchema] = [
    TableSchema(
      name: "polls",
      columns: [
        id, reference("highlight_id", "highlights").allowingInsert(),
        column("question", .text).allowingInsert().text(limit: 300, isRequired: true), counter("total_votes"),
        createdAt,
      ],
      unique: [["highlight_id"]],
      rules: RowRules(
        select: RowRules.belongsToVisibleHighlight(),
        insert: RowRules.allOf(
          RowRules.belongsToVisibleHighlight("h.author_id = VIEWER"), AccountRestriction.isMissing),
        delete: RowRules.belongsToVisibleHighlight("h.author_id = VIEWER")),
      anonymousMaySelect: true, mayDelete: true),
    TableSchema(
      name: "poll_options",
      columns: [
        id, reference("poll_id", "polls").allowingInsert(),
        column("text", .text).allowingInsert().text(limit: 100, isRequired: true),
        counter("vote_count"), column("sort_order", .integer).fallback(0).allowingInsert(), createdAt,
      ],
      rules: RowRules(
        select: RowRules.belongsToVisiblePoll,
        insert: RowRules.allOf(RowRules.belongsToOwnPoll, AccountRestriction.isMissing)),
      anonymousMaySelect: true),
    TableSchema(
      name: "poll_votes",
      columns: [
        id, column("poll_id", .uuid).allowingWrites(), reference("option_id", "poll_options").allowingWrites(),
        reference("user_id", "profiles").allowingWrites(), createdAt,
      ],
      unique: [["poll_id", "user_id"]],
      rules: RowRules(
        select: RowRules.isCaller("user_id"),
        insert: RowRules.allOf(RowRules.isCaller("user_id"), RowRules.belongsToVisiblePoll),
        update: RowRules.isCaller("user_id"),
        updateCheck: RowRules.allOf(RowRules.isCaller("user_id"), RowRules.belongsToVisiblePoll),
        delete: RowRules.isCaller("user_id")),
      mayDelete: true),
  ]

  // MARK: Moderation

  static let moderation: [TableSchema] = [
    TableSchema(
      name: "content_reports",
      columns: [
        id.allowingInsert(), reference("reporter_id", "profiles").fallback(.caller).allowingInsert(),
        column("reported_type", .text).allowingInsert().requireOneOf(["highlight", "comment", "user_profile"]),
        column("reported_id", .uuid).allowingInsert(), reference("reported_user_id", "profiles").allowingInsert(),
        column("report_type", .text).allowingInsert().requireOneOf(reportReasons),
        column("description", .text).allowingNull().allowingInsert().text(limit: SocialLimits.reportDescriptionLength),
        column("status", .text).fallback("pending").requireOneOf(["pending", "reviewed", "action_taken", "dismissed"]),
        column("reviewed_at", .timestamp).allowingNull(), createdAt, column("updated_at", .timestamp).fallback(.now),
      ],
      rules: RowRules(select: RowRules.isCaller("reporter_id"), insert: RowRules.isCaller("reporter_id")),
      prepare: { row, db, _ in try findReportedUser(&row, db) },
      actionLimit: ActionLimit(name: "reports", account: "reporter_id")),
    TableSchema(
      name: "rate_limits",
      columns: [
        column("name", .text), column("max_count", .integer).requireMinimum(1),
        column("window_seconds", .integer).requireMinimum(1),
      ],
      key: "name", rules: RowRules(select: { _, _ in "1" }), anonymousMaySelect: true),
    TableSchema(
      name: "account_flags",
      columns: [
        id, reference("user_id", "profiles"), column("reason", .text).referencing("rate_limits"),
        column("observed_count", .integer), createdAt, column("reviewed_at", .timestamp).allowingNull(),
      ],
      rules: RowRules(select: RowRules.isCaller("user_id"))),
  ]

  /// The reasons for reporting content. Four come from the specification and eight from the app, and two appear in
  /// both.
  private static let reportReasons = [
    "inappropriate", "spam", "not_sports", "harassment", "inappropriate_content", "impersonation", "violence",
    "hate_speech", "self_harm", "other",
  ]

  /// Looks up the reported user. Moderators act on this column, and a client may have sent a wrong user.
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
