#if Recruiting
import ClipModel
import GRDB
import Hummingbird

extension RPCFunction {
  static let socialPosts = [
    RPCFunction(
      name: "ingest_posts", arguments: ["family", "posts", "owner"], isReadOnly: false,
      bodyLimit: PostIngest.bodyLimit, answer: .response(ingestPosts)),
    RPCFunction(name: "begin_sync", arguments: ["family", "owner"], isReadOnly: false, answer: .response(beginSync)),
    RPCFunction(name: "finish_sync", arguments: ["family", "owner"], isReadOnly: false, answer: .response(finishSync)),
    RPCFunction(name: "sync_handles", arguments: ["family"], answer: .rows(SyncState.handleTable, syncHandles)),
    RPCFunction(
      name: "save_sync_state",
      arguments: [
        "family", "platform", "handle", "external_id", "since_id", "error", "owner", "page_position", "newest_id",
        "was_read",
      ], isReadOnly: false, answer: .response(saveSyncState)),
  ]

  private static func ingestPosts(_ call: FunctionCall) async throws -> Response {
    let user = try call.user()
    let family = try call.value("family", .uuid)
    // Rejects texts that PostgreSQL can't store.
    _ = try call.value("posts", .json)
    let owner = try call.optionalValue("owner", .uuid)
    let posts = call.body["posts"]?.elements
    let now = call.rows.now()
    let summary = try await call.rows.store.database.write { db in
      try db.requireMember(user, of: family)
      try SyncState.renew(family, owner: owner, in: db, now: now)
      guard let posts, posts.count <= PostIngest.limit else {
        throw PostgRESTFailure(.badRequest, "23514", "posts must be a list of at most \(PostIngest.limit) posts")
      }
      return try PostIngest(family: String.fromDatabaseValue(family) ?? "", db: db, now: timestampText(now)).add(posts)
    }
    return try Response.json(summary)
  }

  private static func beginSync(_ call: FunctionCall) async throws -> Response {
    let owner = try call.optionalValue("owner", .uuid)
    let now = call.rows.now()
    return try await changeFamily(call) { family, db in try SyncState.begin(family, owner: owner, in: db, now: now) }
  }

  private static func finishSync(_ call: FunctionCall) async throws -> Response {
    let owner = try call.optionalValue("owner", .uuid)
    let now = call.rows.now()
    return try await changeFamily(call) { family, db in try SyncState.finish(family, owner: owner, in: db, now: now) }
  }

  private static func saveSyncState(_ call: FunctionCall) async throws -> Response {
    var values = [
      "platform": try call.value("platform", .text), "handle": try call.value("handle", .text),
      "last_error": try call.optionalValue("error", .text),
    ]
    for name in ["external_id", "since_id", "page_position", "newest_id"] {
      values[name] = try call.optionalValue(name, .text)
    }
    let given = values
    let owner = try call.optionalValue("owner", .uuid)
    let wasRead = Bool.fromDatabaseValue(try call.value("was_read", .boolean, default: true.databaseValue)) ?? false
    let now = call.rows.now()
    return try await changeFamily(call) { family, db in
      try SyncState.renew(family, owner: owner, in: db, now: now)
      try SyncState.save(given.merging(["family_unit_id": family]) { $1 }, wasRead: wasRead, in: db, now: now)
    }
  }

  private static func syncHandles(_ call: FunctionCall) async throws -> RowStore.Restriction {
    let user = try call.user()
    let family = try call.value("family", .uuid)
    try await call.rows.store.database.read { db in try db.requireMember(user, of: family) }
    return SyncState.handles(of: family)
  }

  /// Changes something in a family of which the caller is a member.
  private static func changeFamily(
    _ call: FunctionCall, _ change: @escaping @Sendable (DatabaseValue, Database) throws -> Void
  ) async throws -> Response {
    let user = try call.user()
    let family = try call.value("family", .uuid)
    try await call.rows.store.database.write { db in
      try db.requireMember(user, of: family)
      try change(family, db)
    }
    return Response(status: .noContent)
  }
}
#endif
