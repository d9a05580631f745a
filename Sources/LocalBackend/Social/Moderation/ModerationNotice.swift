import Foundation
import GRDB

/// The content of the notification about a decision on an account's content. It doesn't name the moderator.
struct ModerationNotice {
  var action: String
  var isContentRemoved: Bool
  var targetType: String
  var target: String
  var content: String?
  var reason: DatabaseValue
  /// The end of a restriction.
  var until: String?

  /// Inserts the notification, unless the account already has one with the same cause.
  /// - Parameter cause: the ID of what caused it: the entry in the moderation log, or the upload.
  func insert(for owner: String, cause: DatabaseValue, in db: Database, now: Date) throws {
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO notifications (id, user_id, kind, cause, details, created_at)
        VALUES (random_id(), ?, 'moderation', ?, json_object(
          'action', ?, 'removed', json(?), 'target_type', ?, 'target_id', ?, 'content', substr(?, 1, 200), 'reason', ?,
          'until', ?), ?)
        """,
      arguments: [
        owner, cause, action, isContentRemoved ? "true" : "false", targetType, target, content, reason, until,
        timestampText(now),
      ])
  }
}
