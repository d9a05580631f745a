import Foundation
import GRDB

/// An event that has to be delivered to a URL.
struct WebhookDelivery: SnakeCaseRow {
  var sequence: Int64
  var url: String
  var event: String
  /// A JSON array of earlier attempts.
  var attempts: String
  var attemptCount: Int
  /// The creation time in Unix seconds.
  var createdAt: Double
  var dueAt: Double

  /// The request body: the event with its earlier attempts.
  var body: [UInt8] { Array(event.dropLast().utf8) + Array(#","attempts":"#.utf8) + Array(attempts.utf8) + [0x7D] }
}

/// The queries of `webhook_endpoints` and `webhook_deliveries`.
extension ServerStore {
  /// Sets the webhooks for this run of the server. Events for other URLs are kept for a day.
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

  /// The delivery that is due first.
  func nextDelivery(to url: String) async throws -> WebhookDelivery? {
    try await database.read { db in
      try WebhookDelivery.fetchOne(
        db, sql: "SELECT * FROM webhook_deliveries WHERE url = ? ORDER BY due_at, sequence", arguments: [url])
    }
  }

  /// Removes a delivery that has succeeded or is no longer retried.
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
