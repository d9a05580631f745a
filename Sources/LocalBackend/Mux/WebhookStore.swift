import Foundation
import GRDB

/// An event on its way to one address.
struct WebhookDelivery: SnakeCaseRow {
  var sequence: Int64
  var url: String
  var event: String
  /// JSON array.
  var attempts: String
  var attemptCount: Int
  /// Unix seconds.
  var createdAt: Double

  /// What is sent: the event, and how often it was sent before.
  var body: [UInt8] { Array(event.dropLast().utf8) + Array(#","attempts":"#.utf8) + Array(attempts.utf8) + [0x7D] }
}

/// The queries of `webhook_endpoints` and `webhook_deliveries`.
extension ServerStore {
  /// The addresses of this start. What waits for others waits on, for a day.
  func setWebhooks(_ urls: [String], now: Date) async throws {
    try await database.write { db in
      try db.execute(sql: "DELETE FROM webhook_endpoints")
      for url in Set(urls).sorted() {
        try db.execute(sql: "INSERT INTO webhook_endpoints (url) VALUES (?)", arguments: [url])
      }
      try db.execute(
        sql: "DELETE FROM webhook_deliveries WHERE created_at < ?",
        arguments: [now.timeIntervalSince1970 - WebhookSchedule.lifetime])
    }
  }

  /// The one that has waited longest, if any is due.
  func dueDelivery(to url: String, now: Date) async throws -> WebhookDelivery? {
    try await database.read { db in
      try WebhookDelivery.fetchOne(
        db,
        sql: """
          SELECT sequence, url, event, attempts, attempt_count, created_at FROM webhook_deliveries
          WHERE url = ? AND due_at <= ? ORDER BY due_at, sequence
          """, arguments: [url, now.timeIntervalSince1970])
    }
  }

  /// Unix seconds; `nil` when nothing waits.
  func nextDelivery(to url: String) async throws -> Double? {
    try await database.read { db in
      try Double.fetchOne(db, sql: "SELECT min(due_at) FROM webhook_deliveries WHERE url = ?", arguments: [url])
    }
  }

  /// It arrived, or is given up.
  func endDelivery(_ sequence: Int64) async throws {
    try await database.write { db in
      try db.execute(sql: "DELETE FROM webhook_deliveries WHERE sequence = ?", arguments: [sequence])
    }
  }

  func postponeDelivery(_ delivery: WebhookDelivery, attempts: String, due: Double) async throws {
    try await database.write { db in
      try db.execute(
        sql: """
          UPDATE webhook_deliveries SET attempts = ?, attempt_count = attempt_count + 1, due_at = ? WHERE sequence = ?
          """, arguments: [attempts, due, delivery.sequence])
    }
  }
}
