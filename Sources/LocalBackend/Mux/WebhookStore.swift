import Foundation
import GRDB

/// A webhook event that must be delivered to a URL.
struct WebhookDelivery: SnakeCaseRow {
  var sequence: Int64
  var url: String
  var event: String
  /// The earlier delivery attempts, as a JSON array.
  var attempts: String
  var attemptCount: Int
  /// The event's creation time in Unix seconds.
  var createdAt: Double
  var dueAt: Double

  /// The request body, which contains the event and its earlier attempts.
  var body: [UInt8] { Array(event.dropLast().utf8) + Array(#","attempts":"#.utf8) + Array(attempts.utf8) + [0x7D] }
}

/// Queries on the tables `webhook_endpoints` and `webhook_deliveries`.
extension ServerStore {
  /// Sets the webhook URLs for this run of the server. Events for other URLs are kept for a day.
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

  /// Returns the delivery that is due next.
  func nextDelivery(to url: String) async throws -> WebhookDelivery? {
    try await database.read { db in
      try WebhookDelivery.fetchOne(
        db, sql: "SELECT * FROM webhook_deliveries WHERE url = ? ORDER BY due_at, sequence", arguments: [url])
    }
  }

  /// Removes a delivery that has succeeded or will not be retried.
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
