import Dispatch
import Foundation
import GRDB

/// An SQLite database of the social layer. Errors become `SocialError.storage`.
struct SocialDatabase: Sendable {
  private let queue: DatabaseQueue

  /// Opens or creates a database. Several processes can use it at the same time.
  /// - Parameters:
  ///   - path: the file's path. Its folder exists.
  ///   - schema: the statements that create the tables of the current version, 1.
  ///   - isDurable: whether changes are on the disk when a call returns.
  static func open(_ path: String, schema: String, isDurable: Bool) async throws -> SocialDatabase {
    // Opening blocks, so it doesn't run on the cooperative pool.
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(
          with: Result {
            SocialDatabase(queue: try converting("open \(path)") { try openQueue(path, schema, isDurable) })
          })
      }
    }
  }

  private static func openQueue(_ path: String, _ schema: String, _ isDurable: Bool) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.journalMode = .wal
    // Other processes hold the lock only for milliseconds, so a longer wait indicates an error.
    configuration.busyMode = .timeout(10)
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.writeWithoutTransaction { database in
      // In WAL mode, GRDB sets `synchronous` to NORMAL, which can lose the latest changes in a power failure.
      try database.execute(sql: "PRAGMA synchronous = \(isDurable ? "FULL" : "NORMAL")")
      try database.inTransaction(.immediate) {
        switch try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0 {
        case 0: try database.execute(sql: schema + "; PRAGMA user_version = 1")
        case 1: break
        default: throw SocialError.storageNewer(path: path)
        }
        return .commit
      }
    }
    return queue
  }

  /// Runs `body` in a transaction.
  func write<Value: Sendable>(
    _ operation: String, _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    do {
      return try await queue.write(body)
    } catch {
      throw Self.convert(error, operation)
    }
  }

  private static func converting<Value>(_ operation: String, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch { throw convert(error, operation) }
  }

  /// The message must not contain the statement's arguments, which include comments.
  private static func convert(_ error: any Error, _ operation: String) -> any Error {
    guard let error = error as? DatabaseError else { return error }
    if error.resultCode == .SQLITE_INTERRUPT { return CancellationError() }
    return SocialError.storage(
      operation: operation, reason: error.message ?? "SQLite error \(error.extendedResultCode.rawValue)")
  }
}
