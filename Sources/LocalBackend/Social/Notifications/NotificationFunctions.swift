import ClipModel
import GRDB
import Hummingbird

extension RPCFunction {
  static let notifications = [
    RPCFunction(name: "notification_groups", arguments: ["before"], answer: .rows(groupTable, notificationGroups)),
    RPCFunction(name: "unread_notifications", answer: .response(unreadCount)),
    RPCFunction(
      name: "mark_notifications_read", arguments: ["until"], isReadOnly: false, answer: .response(markNotificationsRead)
    ),
    RPCFunction(
      name: "register_device", arguments: ["token", "environment"], isReadOnly: false,
      answer: .response(registerDevice)),
  ]

  static let groupTable = TableSchema.result(
    "notification_groups",
    [
      SocialTables.column("kind", .text), SocialTables.column("highlight_id", .uuid),
      SocialTables.column("comment_id", .uuid), SocialTables.column("actor_ids", .textArray).allowingNull(),
      SocialTables.column("actor_count", .integer), SocialTables.column("is_read", .boolean),
      SocialTables.column("details", .json).allowingNull(), SocialTables.column("newest", .timestamp),
      SocialTables.column("oldest", .timestamp),
    ])

  /// Selects the newest 100 notifications before a time, grouped: likes and comments by highlight, likes of comments
  /// and reactions by comment, all follows, and others separately.
  static func notificationGroups(_ call: FunctionCall) async throws -> RowStore.Restriction {
    let user = call.caller
    guard user.userID != nil else { throw call.denied }
    let before = try call.optionalValue("before", .timestamp)
    return RowStore.Restriction(source: { statement in
      let isEarlier = before.isNull ? "1" : "n.created_at < \(statement.bind(before))"
      return """
        WITH page AS (
          SELECT n.*, n.kind || '/' || coalesce(n.highlight_id, '') || '/' || coalesce(
            CASE WHEN n.kind IN ('comment_like', 'reaction') THEN n.comment_id
              WHEN n.kind NOT IN ('like', 'comment', 'follow') THEN n.id END, '') AS part
          FROM notifications AS n WHERE \(NotificationTables.isShown("n", user.sql)) AND \(isEarlier)
          ORDER BY n.created_at DESC LIMIT 100)
        SELECT p.kind, p.highlight_id,
          (SELECT q.comment_id FROM page AS q WHERE q.part = p.part ORDER BY q.created_at DESC LIMIT 1) AS comment_id,
          nullif((SELECT json_group_array(actor_id) FROM (
            SELECT DISTINCT q.actor_id FROM page AS q WHERE q.part = p.part AND q.actor_id IS NOT NULL
            ORDER BY q.actor_id LIMIT 3)), '[]') AS actor_ids,
          count(DISTINCT p.actor_id) AS actor_count, min(p.read_at IS NOT NULL) AS is_read,
          max(p.details) AS details, max(p.created_at) AS newest, min(p.created_at) AS oldest
        FROM page AS p GROUP BY p.part ORDER BY max(p.created_at) DESC, p.kind, p.highlight_id
        """
    })
  }

  /// Returns the number of unread notifications for a badge, at most 100.
  private static func unreadCount(_ call: FunctionCall) async throws -> Response {
    _ = try call.user()
    return try Response.json(try await call.rows.store.database.read { db in try unreadCount(of: call.caller, db) })
  }

  static func unreadCount(of caller: Caller, _ db: Database) throws -> Int {
    try Int.fetchOne(
      db,
      sql: """
        SELECT count(*) FROM (
          SELECT 1 FROM notifications AS n
          WHERE \(NotificationTables.isShown("n", caller.sql)) AND n.read_at IS NULL LIMIT 100)
        """) ?? 0
  }

  /// Marks the notifications up to the newest one that was shown.
  static func markNotificationsRead(_ call: FunctionCall) async throws -> Response {
    let user = try call.user()
    let now = timestampText(call.rows.now())
    let until = call.body["until"] == nil ? now.databaseValue : try call.optionalValue("until", .timestamp)
    try await call.rows.store.database.write { db in
      try db.execute(
        sql: "UPDATE notifications SET read_at = ? WHERE user_id = ? AND read_at IS NULL AND created_at <= ?",
        arguments: [now, user, until])
    }
    return Response(status: .noContent)
  }

  /// The maximum number of devices of an account. A new device replaces the oldest one.
  private static let deviceLimit = 20

  /// Registers a device for its current account. A device that another account has registered changes its owner.
  private static func registerDevice(_ call: FunctionCall) async throws -> Response {
    let user = try call.user()
    let token = String.fromDatabaseValue(try call.value("token", .text))?.lowercased()
    let environment =
      call.body["environment"] == nil ? "production".databaseValue : try call.optionalValue("environment", .text)
    let now = call.rows.now()
    let values = [
      "user_id": user.databaseValue, "token": token.databaseValue, "environment": environment,
      "updated_at": timestampText(now).databaseValue,
    ]
    try await call.rows.store.database.write { db in
      try RowWriter(db: db, caller: .service, now: now).insert(
        values, into: NotificationTables.deviceTokens, on: ["token"], .merge)
      try db.execute(
        sql: """
          DELETE FROM device_tokens WHERE id IN (
            SELECT id FROM device_tokens WHERE user_id = ? ORDER BY updated_at DESC, id LIMIT -1 OFFSET ?)
          """, arguments: [user, deviceLimit])
    }
    return Response(status: .noContent)
  }
}
