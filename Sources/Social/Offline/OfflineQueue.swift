public import Foundation
import GRDB
import RowRequests

/// An action that waits, and how often it was sent.
public struct QueuedAction: Codable, Equatable, Identifiable, Sendable {
  /// The position in the queue. Later actions have greater positions.
  public var id: Int64
  /// The action; `nil` if it can't be read, because the file was damaged. `send` removes it.
  public var action: SocialAction?
  /// When the action was added.
  public var addedAt: Date
  /// The number of attempts to send the action. The outcome of an earlier attempt is unknown.
  public var attemptCount: Int
}

/// Actions that wait until the backend is reachable, in the order in which they were added.
///
/// The queue is an SQLite database, so it survives the process. It loses and repeats nothing: an action is removed only
/// after the backend has answered, and actions can be performed again without effect. Of several actions with the same
/// target, such as a like and its removal, only the last one waits.
///
/// Several processes can add actions at the same time, but only one may call `send` at a time.
public actor OfflineQueue {
  /// What `add` did.
  public enum Addition: Equatable, Sendable {
    /// The action waits.
    case added
    /// The same action was already waiting.
    case duplicate
    /// The action waits and replaces an earlier one with the same target.
    case replaced
    /// The action and an earlier one that was never sent cancel each other, so neither waits.
    case cancelled
  }

  /// The result of `send`.
  public struct SendResult: Sendable {
    /// The number of actions that the backend performed.
    public var sentCount = 0
    /// The number of actions that the backend refused, or that couldn't be read.
    public var refusedCount = 0
    /// The error that stopped sending. The action and those after it still wait.
    public var failure: (any Error)?
    /// Whether another call of `send` was active, so that this one did nothing.
    public var isBusy = false
  }

  private let database: SocialDatabase
  private let account: String
  private let now: @Sendable () -> Date
  private var isSending = false

  private static let schema = """
    CREATE TABLE action (
      position INTEGER PRIMARY KEY AUTOINCREMENT,
      account TEXT NOT NULL,
      target TEXT NOT NULL,
      action TEXT NOT NULL,
      added_at REAL NOT NULL,
      attempt_count INTEGER NOT NULL DEFAULT 0,
      UNIQUE (account, target)
    ) STRICT
    """

  private init(_ database: SocialDatabase, _ account: String, _ now: @escaping @Sendable () -> Date) {
    (self.database, self.account, self.now) = (database, account, now)
  }

  /// Opens or creates the queue of an account.
  /// - Parameters:
  ///   - path: the path of the database, whose folder exists.
  ///   - account: a text that identifies the backend and the account. Each account has a separate queue.
  ///   - now: returns the current time.
  /// - Throws: `SocialError.storage` or `.storageNewer`.
  public static func open(
    path: String, account: String, now: @escaping @Sendable () -> Date = { Date() }
  ) async throws -> OfflineQueue {
    try await open(path: path, account: account, isDurable: true, now: now)
  }

  /// - Parameter isDurable: whether actions also survive a power failure. They always survive the process.
  static func open(
    path: String, account: String, isDurable: Bool, now: @escaping @Sendable () -> Date = { Date() }
  ) async throws -> OfflineQueue {
    OfflineQueue(try await SocialDatabase.open(path, schema: schema, isDurable: isDurable), account, now)
  }

  /// Adds an action. When the call returns, the action survives the process.
  @discardableResult
  public func add(_ action: SocialAction) async throws -> Addition {
    let (account, time) = (account, now().timeIntervalSince1970)
    let text = String(decoding: try RowRequest.encodeJSON(action), as: UTF8.self)
    return try await database.write("queue the action") { database in
      let waiting = try Self.fetch(database, "account = ? AND target = ?", [account, action.target]).first
      if waiting?.action == action { return .duplicate }
      if let waiting {
        try database.execute(sql: "DELETE FROM action WHERE position = ?", arguments: [waiting.id])
        // A comment that may have arrived must be deleted on the backend. For a like, the backend's state is unknown,
        // because the account can have other devices, so the last action is always sent.
        if case (.addComment, .deleteComment) = (waiting.action, action), waiting.attemptCount == 0 {
          return .cancelled
        }
      }
      try database.execute(
        sql: "INSERT INTO action (account, target, action, added_at) VALUES (?, ?, ?, ?)",
        arguments: [account, action.target, text, time])
      return waiting == nil ? .added : .replaced
    }
  }

  /// Returns the actions that wait, in order.
  public func waitingActions() async throws -> [QueuedAction] {
    let account = account
    return try await database.write("read the queue") { try Self.fetch($0, "account = ?", [account]) }
  }

  /// Sends all actions in order, including those that are added in the meantime, until the queue is empty or an action
  /// fails.
  /// - Parameters:
  ///   - perform: sends an action. If it throws a `SocialError` that is a refusal, the action is reported and removed;
  ///     after any other error, it keeps waiting and sending stops.
  ///   - refused: reports an action that was refused or can't be read. If the process ends before this call returns, the
  ///     action is sent and reported again.
  public func send(
    _ perform: @Sendable (SocialAction) async throws -> Void,
    refused: @Sendable (QueuedAction, SocialError) async -> Void
  ) async throws -> SendResult {
    var result = SendResult()
    guard !isSending else {
      result.isBusy = true
      return result
    }
    isSending = true
    defer { isSending = false }
    while let next = try await takeNext() {
      do {
        guard let action = next.action else { throw SocialError.unreadableAction }
        try await perform(action)
        result.sentCount += 1
      } catch let error as SocialError where error.isRefusal {
        await refused(next, error)
        result.refusedCount += 1
      } catch {
        result.failure = error
        return result
      }
      try await remove(next.id)
    }
    return result
  }

  /// Returns the first action, and records the attempt before it's sent: afterwards, its outcome is unknown.
  private func takeNext() async throws -> QueuedAction? {
    let account = account
    return try await database.write("read the queue") { database in
      guard let first = try Self.fetch(database, "account = ?", [account], limit: 1).first else { return nil }
      try database.execute(
        sql: "UPDATE action SET attempt_count = attempt_count + 1 WHERE position = ?", arguments: [first.id])
      return first
    }
  }

  /// Does nothing if a later action has replaced this one.
  private func remove(_ position: Int64) async throws {
    try await database.write("update the queue") {
      try $0.execute(sql: "DELETE FROM action WHERE position = ?", arguments: [position])
    }
  }

  private static func fetch(
    _ database: Database, _ condition: String, _ arguments: StatementArguments, limit: Int = -1
  ) throws -> [QueuedAction] {
    try Row.fetchAll(
      database, sql: "SELECT * FROM action WHERE \(condition) ORDER BY position LIMIT \(limit)", arguments: arguments
    )
    .map { row in
      QueuedAction(
        id: row["position"],
        action: try? JSONDecoder().decode(SocialAction.self, from: Data((row["action"] as String).utf8)),
        addedAt: Date(timeIntervalSince1970: row["added_at"]), attemptCount: row["attempt_count"])
    }
  }
}
