import GRDB
import HTTPTypes
import Social

/// The tables for profiles and the relations between profiles.
extension SocialTables {
  static let profiles = TableSchema(
    name: "profiles",
    columns: [
      column("id", .uuid),
      column("display_name", .text).allowingUpdate().text(limit: SocialLimits.displayNameLength, isRequired: true),
      column("username", .text).allowingUpdate().username(),
      column("avatar_url", .text).allowingNull().allowingUpdate().webAddress(),
      column("bio", .text).allowingNull().allowingUpdate().text(limit: SocialLimits.bioLength),
      column("team_name", .text).allowingNull().allowingUpdate().text(limit: SocialLimits.teamNameLength),
      counter("followers_count"),
      counter("following_count"), counter("highlights_count"), privacy.allowingUpdate(), createdAt,
    ],
    unique: [["username"]],
    rules: RowRules(
      select: { row, viewer in RowRules.canListProfile("\(row).id", viewer) }, update: RowRules.isCaller("id")),
    anonymousMaySelect: true)

  static let people: [TableSchema] = [
    profiles,
    relationTable(
      "follows", "follower_id", "following_id",
      RowRules(
        select: { row, viewer in
          // An account sees its followers and everyone whom it follows, so that it can end these follows.
          """
          (\(viewer) IN (\(row).follower_id, \(row).following_id) OR \(RowRules.canListProfile("\(row).follower_id", viewer))
            AND \(RowRules.canListProfile("\(row).following_id", viewer)))
          """
        },
        insert: RowRules.allOf(RowRules.isCaller("follower_id"), RowRules.hasPrivacyLevel("public", "following_id")),
        delete: RowRules.isOneOf("follower_id", "following_id")),
      anonymousMaySelect: true, actionLimit: ActionLimit(name: "follows", account: "follower_id"),
      prepare: { row, db, _ in try rejectBlockedRelation(row, "follower_id", "following_id", db) }),
    relationTable(
      "follow_requests", "requester_id", "target_id",
      RowRules(
        select: RowRules.isOneOf("requester_id", "target_id"),
        insert: RowRules.allOf(
          RowRules.isCaller("requester_id"), RowRules.hasPrivacyLevel("followers_only", "target_id")),
        delete: RowRules.isOneOf("requester_id", "target_id")),
      actionLimit: ActionLimit(name: "follows", account: "requester_id"),
      prepare: { row, db, _ in try rejectBlockedRelation(row, "requester_id", "target_id", db) }),
    relationTable(
      "user_blocks", "blocker_id", "blocked_id", .ownedRows(by: "blocker_id"),
      more: [column("reason", .text).allowingNull().allowingInsert().text(limit: 500)]),
    relationTable("user_mutes", "muter_id", "muted_id", .ownedRows(by: "muter_id")),
    accountDeletions,
  ]

  static let accountDeletions = TableSchema(
    name: "account_deletions",
    columns: [
      reference("user_id", "profiles").allowingInsert(), column("requested_at", .timestamp).fallback(.now),
      column("deletes_at", .timestamp).fallback(.sevenDaysFromNow),
    ],
    key: "user_id", rules: .ownedRows(by: "user_id"), mayDelete: true)

  /// Creates a table for a relation between two profiles.
  private static func relationTable(
    _ name: String, _ first: String, _ second: String, _ rules: RowRules, more: [Column] = [],
    anonymousMaySelect: Bool = false, actionLimit: ActionLimit? = nil,
    prepare: (@Sendable (inout NewRow, Database, String) throws -> Void)? = nil
  ) -> TableSchema {
    var table = linkTable(
      name, from: first, to: "profiles", as: second, rules, anonymousMaySelect: anonymousMaySelect,
      actionLimit: actionLimit)
    table.columns.insert(contentsOf: more, at: 3)
    table.checks = [.requireDifferent(name, first, second)]
    table.prepare = prepare
    return table
  }

  /// Rejects a new relation between two profiles if one of them has blocked the other.
  private static func rejectBlockedRelation(_ row: NewRow, _ one: String, _ other: String, _ db: Database) throws {
    let isBlocked = try db.hasRow(
      """
      SELECT 1 FROM user_blocks WHERE blocker_id = ?1 AND blocked_id = ?2 OR blocker_id = ?2 AND blocked_id = ?1
      """, [row[one], row[other]])
    if isBlocked { throw PostgRESTFailure(.forbidden, "42501", "one of the two has blocked the other") }
  }
}
