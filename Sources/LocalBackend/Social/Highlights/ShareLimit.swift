import ClipModel
import Foundation
import GRDB

/// The number of rallies that an account can share in a time window. The server doesn't enforce the limit: clients read
/// it and slow down, and accounts that exceed it are flagged for moderators. A post with several rallies counts as one.
enum ShareLimit {
  private static let name = "shared_rallies"

  /// Counts a new highlight. Deleting highlights doesn't reduce the count. An account is flagged at most once per
  /// window.
  static func recordShare(_ highlight: NewRow, _ db: Database, _ now: String) throws {
    let author = highlight["author_id"]
    try db.execute(sql: "INSERT INTO shares VALUES (?, ?)", arguments: [author, now])
    guard let limit = try limit(db) else { return }
    let start = timestamp(now, minus: limit.windowSeconds)
    let used =
      try Int.fetchOne(
        db, sql: "SELECT count(*) FROM shares WHERE author_id = ? AND created_at > ?", arguments: [author, start]) ?? 0
    let isFlagged = try db.hasRow(
      "SELECT 1 FROM account_flags WHERE user_id = ? AND reason = ? AND created_at > ?", [author, name, start])
    guard used > limit.maxCount, !isFlagged else { return }
    try db.execute(
      sql: "INSERT INTO account_flags (id, user_id, reason, observed_count, created_at) VALUES (?, ?, ?, ?, ?)",
      arguments: [UUID().uuidString.lowercased(), author, name, used, now])
  }

  /// Returns the response of `share_allowance`, which also counts unfinished uploads.
  static func allowance(of author: String?, _ db: Database, _ now: Date) throws -> ShareAllowance? {
    guard let limit = try limit(db) else { return nil }
    let start = timestampText(now.addingTimeInterval(-Double(limit.windowSeconds)))
    let past = try Row.fetchOne(
      db, sql: "SELECT count(*) AS used, min(created_at) AS oldest FROM shares WHERE author_id = ? AND created_at > ?",
      arguments: [author, start])
    let used: Int = past?["used"] ?? 0
    let oldest: String? = past?["oldest"]
    let pending =
      try Int.fetchOne(
        db,
        sql: """
          SELECT count(DISTINCT highlight_id) FROM uploads WHERE author_id = ? AND object_name IS NULL AND mux_request IS NULL
          AND (status = 'waiting' AND expires_at > ? OR status = 'asset_created')
          """, arguments: [author, Int64(now.timeIntervalSince1970)]) ?? 0
    return ShareAllowance(
      maxCount: limit.maxCount, windowSeconds: limit.windowSeconds, used: used, pending: pending,
      remaining: max(limit.maxCount - used - pending, 0),
      nextAt: oldest.map { timestamp($0, minus: -limit.windowSeconds) })
  }

  private static func limit(_ db: Database) throws -> (maxCount: Int, windowSeconds: Int)? {
    try Row.fetchOne(db, sql: "SELECT max_count, window_seconds FROM rate_limits WHERE name = ?", arguments: [name])
      .map { ($0["max_count"], $0["window_seconds"]) }
  }

  private static func timestamp(_ text: String, minus seconds: Int) -> String {
    guard let whole = try? Date(text.prefix(19) + "Z", strategy: .iso8601) else { return text }
    return String(whole.addingTimeInterval(-Double(seconds)).formatted(.iso8601).dropLast() + text.dropFirst(19))
  }
}
