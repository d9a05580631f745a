public import Foundation
import GRDB
import RowRequests

/// What a cached value is, and how long it's fresh.
public struct CacheKey<Value: Codable & Sendable>: Sendable {
  /// The name of the value, unique in its account.
  public var name: String
  /// How long the value is fresh after it was stored.
  public var lifetime: Duration

  public init(name: String, lifetime: Duration) { (self.name, self.lifetime) = (name, lifetime) }
}

extension CacheKey<FeedPage> {
  /// The first page of a feed, fresh for 5 minutes.
  public static func feed(_ kind: FeedKind) -> CacheKey<FeedPage> {
    CacheKey(name: "feed \(kind.cacheName)", lifetime: .seconds(300))
  }
}

extension CacheKey<Profile> {
  /// A profile, fresh for 1 hour.
  public static func profile(_ id: UUID) -> CacheKey<Profile> {
    CacheKey(name: "profile \(id.rowText)", lifetime: .seconds(3600))
  }
}

extension FeedKind {
  fileprivate var cacheName: String {
    switch self {
    case .newest: "newest"
    case .following: "following"
    case .discover: "discover"
    case .forYou: "for-you"
    case .tag(let tag): "tag \(tag.lowercased())"
    case .author(let id): "author \(id.rowText)"
    case .search(let query): "search \(query)"
    }
  }
}

/// A value from the cache or from the backend.
public struct CachedValue<Value: Sendable>: Sendable {
  /// The value.
  public var value: Value
  /// When the value was stored.
  public var storedAt: Date
  /// Whether the value is older than the key's lifetime.
  public var isStale: Bool
}

/// Values of the social layer that can be shown before the backend has answered, or without a connection.
///
/// The cache is an SQLite database that can be deleted at any time. Each account has separate values. A value that was
/// stored by another version of an app and can't be decoded counts as missing.
public struct SocialCache: Sendable {
  private let database: SocialDatabase
  private let account: String
  private let now: @Sendable () -> Date

  /// The maximum number of values of all accounts. Older values are removed.
  static let capacity = 500

  private static let schema = """
    CREATE TABLE entry (
      account TEXT NOT NULL,
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      stored_at REAL NOT NULL,
      PRIMARY KEY (account, name)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX entry_age ON entry (stored_at)
    """

  /// Opens or creates the cache of an account.
  /// - Parameters:
  ///   - path: the path of the database, whose folder exists.
  ///   - account: a text that identifies the backend and the account.
  ///   - now: returns the current time.
  /// - Throws: `SocialError.storage` or `.storageNewer`.
  public static func open(
    path: String, account: String, now: @escaping @Sendable () -> Date = { Date() }
  ) async throws -> SocialCache {
    SocialCache(
      database: try await SocialDatabase.open(path, schema: schema, isDurable: false), account: account, now: now)
  }

  /// Returns the stored value, or `nil` if there is none.
  public func value<Value>(_ key: CacheKey<Value>) async throws -> CachedValue<Value>? {
    let (account, time) = (account, now())
    return try await database.write("read the cache") { database in
      guard
        let row = try Row.fetchOne(
          database, sql: "SELECT value, stored_at FROM entry WHERE account = ? AND name = ?",
          arguments: [account, key.name]),
        let value = try? JSONDecoder().decode(Value.self, from: Data((row["value"] as String).utf8))
      else { return nil }
      let storedAt = Date(timeIntervalSince1970: row["stored_at"])
      let age = Duration.seconds(time.timeIntervalSince(storedAt))
      // A value from the future was stored before the clock was set back.
      return CachedValue(value: value, storedAt: storedAt, isStale: age >= key.lifetime || age < .zero)
    }
  }

  /// Stores a value and removes the oldest ones that exceed the capacity.
  public func store<Value>(_ value: Value, for key: CacheKey<Value>) async throws {
    let (account, time) = (account, now().timeIntervalSince1970)
    let text = String(decoding: try RowRequest.encodeJSON(value), as: UTF8.self)
    try await database.write("write the cache") { database in
      try database.execute(
        sql: "INSERT OR REPLACE INTO entry VALUES (?, ?, ?, ?)", arguments: [account, key.name, text, time])
      try database.execute(
        sql: """
          DELETE FROM entry WHERE stored_at < (
            SELECT stored_at FROM entry ORDER BY stored_at DESC LIMIT 1 OFFSET ?)
          """, arguments: [Self.capacity - 1])
    }
  }

  /// Removes all values of the account, for example after signing out.
  public func removeAll() async throws {
    let account = account
    try await database.write("clear the cache") {
      try $0.execute(sql: "DELETE FROM entry WHERE account = ?", arguments: [account])
    }
  }

  /// Returns the stored value at once and, unless it's fresh, the current one when the backend has answered.
  ///
  /// - Parameters:
  ///   - key: the key of the value.
  ///   - fetch: requests the value from the backend. Not called if the stored value is fresh.
  /// - Returns: one or two values. If `fetch` throws an error, the stream throws it after the stored value.
  public func values<Value>(
    for key: CacheKey<Value>, fetch: @escaping @Sendable () async throws -> Value
  ) -> AsyncThrowingStream<CachedValue<Value>, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        do {
          let stored = try await value(key)
          if let stored { continuation.yield(stored) }
          if stored?.isStale ?? true {
            let value = try await fetch()
            try await store(value, for: key)
            continuation.yield(CachedValue(value: value, storedAt: now(), isStale: false))
          }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
