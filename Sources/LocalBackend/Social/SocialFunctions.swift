import Foundation
import GRDB
import Hummingbird

/// The functions from `supabase/migrations` that clients can call.
extension RPCFunction {
  static let social = [
    RPCFunction(name: "share_allowance", answer: .response(shareAllowance)),
    RPCFunction(
      name: "accept_follow_request", arguments: ["requester"], isReadOnly: false, answer: .response(acceptFollowRequest)
    ),
    RPCFunction(name: "feed", answer: .rows(SocialTables.highlights) { .excludingMutedUsers($0.caller) }),
    RPCFunction(
      name: "highlights_with_tag", arguments: ["tag", "max_rows", "before"],
      answer: .rows(SocialTables.highlights, highlightsWithTag)),
    RPCFunction(
      name: "discover_highlights", arguments: ["max_rows", "skip_rows"],
      answer: .rows(SocialTables.highlights, discoverHighlights)),
  ]

  private static func shareAllowance(_ call: FunctionCall) async throws -> Response {
    guard call.caller != .anonymous else { throw call.denied }
    let now = call.rows.now()
    let allowance = try await call.rows.store.database.read { db in
      try ShareLimit.allowance(of: call.caller.userID, db, now)
    }
    return try Response.json(allowance)
  }

  /// Accepts a request to follow the caller. Only this function can insert a follow for a different account.
  private static func acceptFollowRequest(_ call: FunctionCall) async throws -> Response {
    let requester = try call.value("requester", .uuid)
    guard let target = call.caller.userID else { throw call.denied }
    let now = timestampText(call.rows.now())
    try await call.rows.store.database.write { db in
      try db.execute(
        sql: "DELETE FROM follow_requests WHERE requester_id = ? AND target_id = ?", arguments: [requester, target])
      guard db.changesCount > 0 else { throw PostgRESTFailure(.notFound, "PT404", "there is no such request") }
      try db.execute(
        sql: "INSERT INTO follows VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        arguments: [UUID().uuidString.lowercased(), requester, target, now])
    }
    return Response(status: .noContent)
  }

  private static func highlightsWithTag(_ call: FunctionCall) throws -> RowStore.Restriction {
    let tag = String.fromDatabaseValue(try call.value("tag", .text))?.lowercased() ?? ""
    let before = try call.optionalValue("before", .timestamp)
    var restriction = RowStore.Restriction.excludingMutedUsers(call.caller) { statement, alias in
      let tag = statement.bind(tag.databaseValue)
      let hasTag = "EXISTS (SELECT 1 FROM json_each(\(alias).tags) WHERE value = \(tag))"
      return before.isNull ? [hasTag] : [hasTag, "\(alias).created_at < \(statement.bind(before))"]
    }
    restriction.order = { _, alias in "ORDER BY \(alias).created_at DESC, \(alias).id DESC" }
    restriction.limit = try call.pageSize()
    return restriction
  }

  private static func discoverHighlights(_ call: FunctionCall) throws -> RowStore.Restriction {
    let now = timestampText(call.rows.now())
    let oldest = timestampText(call.rows.now().addingTimeInterval(-30 * 86_400))
    var restriction = RowStore.Restriction.excludingMutedUsers(call.caller) { statement, alias in
      ["\(alias).privacy_level = 'public'", "\(alias).created_at > \(statement.bind(oldest.databaseValue))"]
    }
    restriction.order = { statement, alias in
      """
      ORDER BY heat(\(alias).likes_count, \(alias).comments_count, \(alias).created_at, \
      \(statement.bind(now.databaseValue))) DESC, \(alias).id
      """
    }
    restriction.limit = try call.pageSize()
    restriction.offset = try call.number("skip_rows") ?? 0
    return restriction
  }
}

extension RowStore.Restriction {
  /// Restricts highlights to those of people whom the caller hasn't muted, and to additional conditions.
  static func excludingMutedUsers(
    _ caller: Caller,
    where conditions: @escaping @Sendable (inout RowStatement, _ alias: String) -> [String] = { _, _ in [] }
  ) -> Self {
    Self(conditions: { statement, alias in
      ["NOT \(RowRules.isMuted(alias, caller.sql))"] + conditions(&statement, alias)
    })
  }
}
