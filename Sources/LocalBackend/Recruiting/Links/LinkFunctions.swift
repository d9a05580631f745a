#if Recruiting
import Foundation
import GRDB
import HTTPTypes
import Hummingbird

extension RPCFunction {
  static let highlightLinks = [
    RPCFunction(
      name: "send_highlight",
      arguments: ["id", "token", "family", "highlight", "coach", "channel", "message", "expires_at"], isReadOnly: false,
      answer: .response(sendHighlight)),
    RPCFunction(
      name: "revoke_highlight_share", arguments: ["id"], isReadOnly: false, answer: .response(revokeHighlightShare)),
    RPCFunction(
      name: "open_highlight_share", arguments: ["token", "viewer", "is_counted"], isReadOnly: false,
      answer: .response(openHighlightShare)),
  ]

  private static func sendHighlight(_ call: FunctionCall) async throws -> Response {
    let user = try call.user()
    let now = call.rows.now()
    let latest = timestampText(now.addingTimeInterval(HighlightLinkRequest.defaultSeconds)).databaseValue
    let request = HighlightLinkRequest(
      user: user, id: try call.value("id", .uuid), token: String.fromDatabaseValue(try call.value("token", .text)),
      family: try call.value("family", .uuid), highlight: try call.value("highlight", .uuid),
      coach: try call.value("coach", .uuid), channel: try call.value("channel", .text),
      message: try call.optionalValue("message", .text),
      expiresAt: String.fromDatabaseValue(try call.value("expires_at", .timestamp, default: latest)))
    var statement = RowStatement(caller: .service, tables: call.rows.tables)
    let object = try statement.rowObject([.all], of: HighlightLinkTable.links, alias: "s").json
    let link = try await call.rows.store.database.write { db in
      let id = try request.send(in: db, now: now)
      return try String.fetchOne(db, sql: "SELECT \(object) FROM highlight_shares AS s WHERE s.id = ?", arguments: [id])
    }
    return .text((link ?? "null").utf8, "application/json; charset=utf-8")
  }

  /// Ends a link. Only the sender and parents may call it. A repeated call changes nothing.
  private static func revokeHighlightShare(_ call: FunctionCall) async throws -> Response {
    let user = try call.user()
    let id = try call.value("id", .uuid)
    let now = timestampText(call.rows.now())
    let time = try await call.rows.store.database.write { db in try revokeLink(id, by: user, in: db, now: now) }
    return try Response.json(time)
  }

  /// - Returns: when the link was revoked.
  static func revokeLink(_ id: DatabaseValue, by user: String, in db: Database, now: String) throws -> String {
    let mayRevoke = RowRules.isOwnOrParents("sent_by")("s", Caller.user(user).sql)
    try db.execute(
      sql: "UPDATE highlight_shares AS s SET revoked_at = coalesce(revoked_at, ?) WHERE s.id = ? AND \(mayRevoke)",
      arguments: [now, id])
    guard db.changesCount > 0,
      let time = try String.fetchOne(db, sql: "SELECT revoked_at FROM highlight_shares WHERE id = ?", arguments: [id])
    else { throw PostgRESTFailure(.notFound, "PT404", "the link does not exist") }
    return time
  }

  /// Returns the content of a link's page, for the server of that page.
  private static func openHighlightShare(_ call: FunctionCall) async throws -> Response {
    try call.requireService()
    let token = String.fromDatabaseValue(try call.value("token", .text))
    let viewer = try call.optionalValue("viewer", .uuid)
    let isCounted = Bool.fromDatabaseValue(try call.value("is_counted", .boolean, default: true.databaseValue)) ?? false
    let now = call.rows.now()
    let opened = try await call.rows.store.database.write { db in
      try OpenedLink.open(token, viewer: viewer, isCounted: isCounted, in: db, now: now)
    }
    return try Response.json([opened.document])
  }
}
#endif
