import GRDB

/// The tables for notifications, and for the devices that receive them.
enum NotificationTables {
  private typealias Tables = SocialTables

  static let notifications = TableSchema(
    name: "notifications",
    columns: [
      Tables.id, Tables.reference("user_id", "profiles"),
      Tables.column("kind", .text).requireOneOf([
        "like", "comment", "mention", "follow", "request", "accepted", "comment_like", "reaction", "moderation",
      ]),
      Tables.reference("actor_id", "profiles").allowingNull(),
      Tables.reference("highlight_id", "highlights").allowingNull(),
      Tables.reference("comment_id", "comments").allowingNull(), Tables.column("cause", .uuid),
      Tables.column("details", .json).allowingNull(), Tables.createdAt,
      Tables.column("read_at", .timestamp).allowingNull(), Tables.column("pushed_at", .timestamp).allowingNull(),
    ],
    unique: [["cause", "user_id", "kind"]], rules: RowRules(select: isShown))

  /// The condition that a notification is the caller's, isn't about a muted or hidden person, and isn't about a
  /// highlight that the caller can't see.
  static let isShown: RowRules.Condition = { row, viewer in
    """
    \(row).user_id = \(viewer)
    AND (\(row).actor_id IS NULL OR \(RowRules.canSeeProfile("\(row).actor_id", viewer)) AND NOT EXISTS (
      SELECT 1 FROM user_mutes AS nm WHERE nm.muter_id = \(viewer) AND nm.muted_id = \(row).actor_id))
    AND (\(row).highlight_id IS NULL OR \(RowRules.belongsToVisibleHighlight()(row, viewer)))
    """
  }

  static let deviceTokens = TableSchema(
    name: "device_tokens",
    columns: [
      Tables.id, Tables.reference("user_id", "profiles"),
      // APNs: hexadecimal.
      Tables.column("token", .text).check { (text: String) in text.wholeMatch(of: /[0-9a-f]{64,200}/) != nil },
      Tables.column("environment", .text).requireOneOf(["production", "sandbox"]),
      Tables.column("updated_at", .timestamp).fallback(.now),
    ],
    unique: [["token"]],
    rules: RowRules(select: RowRules.isCaller("user_id"), delete: RowRules.isCaller("user_id")), mayDelete: true)
}
