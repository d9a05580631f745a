import Foundation
import GRDB
import HTTPTypes

extension ServerModule {
  /// The module for the limits of comments, follows, follow requests, likes, reactions and reports.
  static let actionLimits = ServerModule(
    name: "action limits",
    migrations: [
      Migration(number: 17, title: "limits for comments and follows", run: ActionLimit.createTable),
      Migration(number: 25, title: "limit for likes") { db in
        try db.execute(sql: "INSERT INTO rate_limits VALUES ('likes', 300, 600)")
      },
      Migration(number: 28, title: "limit for reports") { db in
        try db.execute(sql: "INSERT INTO rate_limits VALUES ('reports', 30, 3600)")
      },
    ])
}

/// A limit for actions that notify other people, or take a moderator's time. Deleting and repeating such an action would do
/// so again and again.
struct ActionLimit: Sendable {
  /// The name of the limit in `rate_limits`.
  let name: String
  /// The column with the account that acts.
  let account: String

  static let likes = ActionLimit(name: "likes", account: "user_id")

  static func createTable(_ db: Database) throws {
    try db.execute(
      sql: """
        INSERT INTO rate_limits VALUES ('comments', 30, 600), ('follows', 60, 3600);
        CREATE TABLE limited_actions (
          user_id TEXT NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
          name TEXT NOT NULL REFERENCES rate_limits (name), created_at TEXT NOT NULL);
        CREATE INDEX limited_actions_user ON limited_actions (user_id, name, created_at);
        """)
  }

  /// Records an action of the caller. Actions count for the limit even if their rows are deleted. Those of the service,
  /// and accepted requests, don't count.
  /// - Throws: PT429 if the caller has reached the limit.
  func record(_ row: NewRow, by caller: Caller, in db: Database, _ now: Date) throws {
    guard let user = caller.userID, row.text(account) == user else { return }
    let limit = try Row.fetchOne(
      db, sql: "SELECT max_count, window_seconds FROM rate_limits WHERE name = ?", arguments: [name])
    guard let limit else { return }
    let (maximum, seconds): (Int, Int) = (limit["max_count"], limit["window_seconds"])
    try db.execute(
      sql: "DELETE FROM limited_actions WHERE user_id = ? AND name = ? AND created_at <= ?",
      arguments: [user, name, timestampText(now.addingTimeInterval(-Double(seconds)))])
    let count = try Int.fetchOne(
      db, sql: "SELECT count(*) FROM limited_actions WHERE user_id = ? AND name = ?", arguments: [user, name])
    if count ?? 0 >= maximum {
      throw PostgRESTFailure(.tooManyRequests, "PT429", "at most \(maximum) \(name) in \(seconds) seconds")
    }
    try db.execute(
      sql: "INSERT INTO limited_actions VALUES (?, ?, ?)", arguments: [user, name, timestampText(now)])
  }
}
