import Foundation
import GRDB

/// The backend's database. Extensions add the queries, with one file per table.
struct ServerStore: Sendable {
  let database: DatabasePool

  /// Opens the database file and migrates it to the latest schema. Blocks the calling thread, so don't call it on the
  /// cooperative thread pool.
  /// - Parameter now: the server's clock, which SQL statements read with `server_time()`.
  init(
    path: String, modules: [ServerModule] = ServerModule.all, now: @escaping @Sendable () -> Date = { Date() }
  ) throws(LocalBackendError) {
    do {
      var configuration = Configuration()
      configuration.label = "bsc.local-backend"
      configuration.busyMode = .timeout(5)
      configuration.prepareDatabase { db in
        for function in SQLFunctions.all + modules.flatMap(\.sqlFunctions) { db.add(function: function) }
        db.add(function: SQLFunctions.serverTime(now))
      }
      let pool = try DatabasePool(path: path, configuration: configuration)
      // In WAL mode, GRDB uses `synchronous = NORMAL`, which can lose the last commits in a power failure. Once the
      // server has acknowledged an upload offset to a client, that offset must never decrease.
      try pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA synchronous = FULL") }
      let migrator = modules.migrator
      guard try pool.read({ db in try !migrator.hasBeenSuperseded(db) }) else {
        throw LocalBackendError.databaseUnusable(
          path: path, reason: "the database was upgraded by a newer version of bsc")
      }
      try migrator.migrate(pool)
      for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path + suffix)
      }
      database = pool
    } catch let error as LocalBackendError {
      throw error
    } catch  where StorageFailure.isDiskFull(error) {
      throw .diskFull(path: path)
    } catch {
      throw .databaseUnusable(path: path, reason: "\(error)")
    }
  }
}

extension Database {
  func hasRow(_ sql: String, _ arguments: StatementArguments = []) throws -> Bool {
    try Row.fetchOne(self, sql: sql, arguments: arguments) != nil
  }
}
