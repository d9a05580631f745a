import GRDB

/// The tables for moderators and their decisions.
enum ModerationTables {
  static let moderators = TableSchema(
    name: "moderators", columns: [SocialTables.reference("user_id", "profiles"), SocialTables.createdAt],
    key: "user_id", rules: RowRules(select: RowRules.isCaller("user_id")))

  /// Reports and rate flags without a decision, by target.
  static let queue = TableSchema.result(
    "moderation_queue",
    [
      SocialTables.column("target_type", .text), SocialTables.column("target_id", .uuid),
      SocialTables.column("user_id", .uuid), SocialTables.column("username", .text),
      SocialTables.column("report_count", .integer), SocialTables.column("report_types", .textArray).allowingNull(),
      SocialTables.column("flag_count", .integer), SocialTables.column("oldest", .timestamp),
      SocialTables.column("content", .text).allowingNull(),
      SocialTables.column("mux_playback_id", .text).allowingNull(), SocialTables.column("offenses", .integer),
    ])

  /// The append-only log of decisions. Requests don't reach the table itself.
  static let actions = TableSchema(
    name: "moderation_actions",
    columns: [
      SocialTables.id, SocialTables.column("moderator_id", .uuid), SocialTables.column("user_id", .uuid),
      SocialTables.column("action", .text).requireOneOf(["dismiss", "remove", "warn", "restrict", "lift"]),
      SocialTables.column("target_type", .text).requireOneOf(["highlight", "comment", "user_profile"]),
      SocialTables.column("target_id", .uuid),
      SocialTables.column("reason", .text).text(limit: 500, isRequired: true),
      SocialTables.column("until", .timestamp).allowingNull(), SocialTables.createdAt,
    ],
    rules: RowRules(select: { _, _ in "1" }))
}
