import Foundation
import GRDB

extension ServerModule {
  /// The module for notifications and the devices of their recipients. The server sends no push notifications.
  static let notifications = ServerModule(
    name: "notifications",
    migrations: [Migration(number: 14, title: "notifications", run: NotificationMigration.run)],
    tables: [NotificationTables.notifications, NotificationTables.deviceTokens],
    functions: RPCFunction.notifications,
    cleanUp: { server in try await server.store.deleteOldNotifications(now: server.now) })
}

extension ServerStore {
  /// Deletes notifications that are older than 90 days.
  func deleteOldNotifications(now: Date) async throws {
    let oldest = timestampText(now.addingTimeInterval(-90 * 86_400))
    try await database.write { db in
      try db.execute(sql: "DELETE FROM notifications WHERE created_at < ?", arguments: [oldest])
    }
  }
}
