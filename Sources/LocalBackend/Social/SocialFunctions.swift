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
  static func acceptFollowRequest(_ call: FunctionCall) async throws -> Response {
    let requester = try call.value("requester", .uuid)
    guard let target = call.caller.userID else { throw call.denied }
    let now = timestampText(call.rows.now())
    try await call.rows.store.database.write { db in
      try db.execute(
        sql: "DELETE FROM follow_requests WHERE requester_id = ? AND target_id = ?", arguments: [requester, target])
      guard db.changesCount > 0 else { throw PostgRESTFailure(.notFound, "PT404", "there is no such request") }
      let follow = UUID().uuidString.lowercased()
      try db.execute(
        sql: "INSERT INTO follows VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        arguments: [follow, requester, target, now])
      // The requester is notified about the acceptance, instead of the target about a follower.
      try db.execute(
        sql: """
          UPDATE notifications SET kind = 'accepted', user_id = actor_id, actor_id = user_id
          WHERE cause = ? AND kind = 'follow'
          """, arguments: [follow])
    }
    return Response(status: .noContent)
  }
}
