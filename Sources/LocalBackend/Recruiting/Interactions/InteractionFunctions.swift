#if Recruiting
import GRDB
import Hummingbird

extension RPCFunction {
  static let interactions = [
    RPCFunction(
      name: "cascade_delete_interaction", arguments: ["id", "confirm_delete"], isReadOnly: false,
      answer: .response(cascadeDeleteInteraction)),
    RPCFunction(
      name: "list_attachment", arguments: ["id", "attachment", "is_listed"], isReadOnly: false,
      answer: .response(listAttachment)),
  ]

  /// Adds an attachment to the list of an interaction that the caller has logged, or removes it.
  private static func listAttachment(_ call: FunctionCall) async throws -> Response {
    let user = try call.user()
    let id = try call.value("id", .uuid)
    let attachment = String.fromDatabaseValue(try call.value("attachment", .text))
    let isListed = Bool.fromDatabaseValue(try call.value("is_listed", .boolean, default: true.databaseValue)) ?? false
    let now = call.rows.now()
    try await call.rows.store.database.write { db in
      try InteractionTables.setListed(isListed, of: attachment, in: id, of: user, db, now: now)
    }
    return Response(status: .noContent)
  }

  /// Deletes an interaction that the caller has logged, after a confirmation.
  private static func cascadeDeleteInteraction(_ call: FunctionCall) async throws -> Response {
    let user = try call.user()
    let id = try call.value("id", .uuid)
    let isConfirmed = Bool.fromDatabaseValue(try call.value("confirm_delete", .boolean)) ?? false
    return try await deleteInteraction(id, of: user, isConfirmed: isConfirmed, in: call.rows.store)
  }

  /// - Returns: the response that the app's interface documents.
  static func deleteInteraction(
    _ id: DatabaseValue, of user: String, isConfirmed: Bool, in store: ServerStore
  ) async throws -> Response {
    guard isConfirmed else { throw PostgRESTFailure(.badRequest, "PT400", "the deletion must be confirmed") }
    let rule = RowRules.isOwnInFamily("logged_by")("i", Caller.user(user).sql)
    try await store.database.write { db in
      try db.execute(sql: "DELETE FROM interactions AS i WHERE i.id = ? AND \(rule)", arguments: [id])
      guard db.changesCount > 0 else {
        throw PostgRESTFailure(.notFound, "PT404", "the interaction does not exist")
      }
    }
    let deleted: JSONObject = ["interactions": 1]
    return try Response.json(
      ["success": true, "deleted": deleted, "message": "Interaction deleted"] as JSONObject)
  }
}

/// The route of the app's interface for a confirmed deletion.
struct InteractionRoutes: Sendable {
  let server: ServerDependencies

  func add(to router: Router<BackendContext>) {
    router.post("api/interactions/:id/cascade-delete") { request, context in
      let user = try await server.callers.user(of: request)
      let body = try await context.decodeBody(of: request, limit: 1024, as: Confirmation.self)
      let id = try ColumnType.uuid.value(text: context.parameters.require("id"))
      return try await RPCFunction.deleteInteraction(
        id, of: user, isConfirmed: body.confirmDelete ?? false, in: server.store)
    }
  }

  private struct Confirmation: Decodable {
    var confirmDelete: Bool?
  }
}
#endif
