import GRDB
import Hummingbird

extension RPCFunction {
  static let moderation = [
    RPCFunction(
      name: "moderation_queue", arguments: ["max_rows", "skip_rows"],
      answer: .rows(ModerationTables.queue, moderationQueue)),
    RPCFunction(
      name: "moderate", arguments: ["action", "target_type", "target_id", "reason", "id", "is_pending"],
      isReadOnly: false, answer: .response(moderate)),
    RPCFunction(
      name: "moderation_log", arguments: ["max_rows", "before"], answer: .rows(ModerationTables.actions, moderationLog)),
    RPCFunction(name: "restricted_until", answer: .response(restrictedUntil)),
    RPCFunction(
      name: "withdraw_report", arguments: ["report"], isReadOnly: false, answer: .response(withdrawReport)),
  ]

  private static func requireModerator(_ call: FunctionCall, in db: Database) throws {
    guard try db.hasRow("SELECT 1 FROM moderators WHERE user_id = ?", [try call.user()]) else {
      throw PostgRESTFailure(.forbidden, "42501", "only moderators may do this")
    }
  }

  /// Selects the reports and rate flags without a decision, by target, oldest first. Several reports by one person
  /// count once. `content` is null if it was deleted.
  static func moderationQueue(_ call: FunctionCall) async throws -> RowStore.Restriction {
    _ = try call.user()
    try await call.rows.store.database.read { db in try requireModerator(call, in: db) }
    let limit = try call.pageSize(default: 50, maximum: 200)
    let offset = try call.number("skip_rows") ?? 0
    let start = Decision.offenseStart(call.rows.now())
    return RowStore.Restriction(source: { statement in
      """
      SELECT w.type AS target_type, w.target AS target_id, w.owner AS user_id, p.username, w.reports AS report_count,
        w.types AS report_types, w.flags AS flag_count, w.first AS oldest,
        \(Decision.reportedText("w.type", "w.target")) AS content,
        (SELECT h.mux_playback_id FROM highlights AS h WHERE w.type = 'highlight' AND h.id = w.target)
          AS mux_playback_id,
        \(Decision.offenseCount(of: "w.owner", since: statement.bind(start.databaseValue))) AS offenses
      FROM (
        SELECT o.type, o.target, o.owner, count(DISTINCT o.reporter) AS reports, sum(o.flag) AS flags,
          min(o.at) AS first, nullif((SELECT json_group_array(report_type) FROM (
            SELECT DISTINCT report_type FROM content_reports
            WHERE status = 'pending' AND reported_type = o.type AND reported_id = o.target ORDER BY 1)), '[]') AS types
        FROM (
          SELECT reported_type AS type, reported_id AS target, reported_user_id AS owner, reporter_id AS reporter,
            0 AS flag, created_at AS at
          FROM content_reports WHERE status = 'pending'
          UNION ALL
          SELECT 'user_profile', user_id, user_id, NULL, 1, created_at FROM account_flags WHERE reviewed_at IS NULL
        ) AS o GROUP BY 1, 2, 3) AS w
      JOIN profiles AS p ON p.id = w.owner ORDER BY w.first, w.target LIMIT \(limit) OFFSET \(offset)
      """
    })
  }

  static func moderate(_ call: FunctionCall) async throws -> Response {
    let moderator = try call.user()
    func text(_ name: String) throws -> String { String.fromDatabaseValue(try call.value(name, .text)) ?? "" }
    let decision = Decision(
      moderator: moderator, action: try text("action"), targetType: try text("target_type"),
      target: String.fromDatabaseValue(try call.value("target_id", .uuid)) ?? "",
      reason: try call.value("reason", .text), now: call.rows.now(),
      id: String.fromDatabaseValue(try call.optionalValue("id", .uuid)),
      isPending: Bool.fromDatabaseValue(try call.optionalValue("is_pending", .boolean)) ?? false)
    let consequence = try await call.rows.store.database.write { db in
      try requireModerator(call, in: db)
      return try decision.apply(in: db)
    }
    let until: (any Encodable & Sendable)? = consequence.until
    return try Response.json(
      ["action": consequence.action, "until": until ?? JSONObject.Null()] as JSONObject)
  }

  /// Selects the decisions, newest first.
  static func moderationLog(_ call: FunctionCall) async throws -> RowStore.Restriction {
    _ = try call.user()
    try await call.rows.store.database.read { db in try requireModerator(call, in: db) }
    let before = try call.optionalValue("before", .timestamp)
    return RowStore.Restriction(
      conditions: { statement, alias in before.isNull ? [] : ["\(alias).created_at < \(statement.bind(before))"] },
      order: { _, alias in "ORDER BY \(alias).created_at DESC, \(alias).rowid DESC" },
      limit: try call.pageSize(default: 50, maximum: 200))
  }

  /// Returns the end of the caller's restriction; null without one.
  private static func restrictedUntil(_ call: FunctionCall) async throws -> Response {
    let user = try call.user()
    let end = try await call.rows.store.database.read { db in try AccountRestriction.end(ofAccount: user, in: db) }
    return try Response.json(end)
  }

  /// Deletes a report of the caller that no moderator has reviewed.
  static func withdrawReport(_ call: FunctionCall) async throws -> Response {
    let user = try call.user()
    let report = try call.value("report", .uuid)
    try await call.rows.store.database.write { db in
      try db.execute(
        sql: "DELETE FROM content_reports WHERE id = ? AND reporter_id = ? AND status = 'pending'",
        arguments: [report, user])
      if db.changesCount > 0 { return }
      if try db.hasRow("SELECT 1 FROM content_reports WHERE id = ? AND reporter_id = ?", [report, user]) {
        throw PostgRESTFailure(.conflict, "PT409", "the report has been reviewed")
      }
      throw PostgRESTFailure(.notFound, "PT404", "the report does not exist")
    }
    return Response(status: .noContent)
  }
}
