import GRDB
import Synchronization

/// Reports changes of the tables that open pages show.
final class LiveChanges: TransactionObserver, Sendable {
  /// The content of a highlight's page, and what decides whether a visitor sees it.
  private static let tables: Set<String> = [
    "account_deletions", "auth_sessions", "comment_reactions", "comments", "follows", "highlights", "likes", "mentions",
    "profiles", "user_blocks", "user_mutes",
  ]

  private struct State {
    /// Whether the current transaction has changed one of the tables.
    var isChanged = false
    var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
    var count = 0
  }

  private let state = Mutex(State())

  /// Observes a database as long as the database exists.
  init(in database: any DatabaseWriter) { database.add(transactionObserver: self, extent: .databaseLifetime) }

  /// Yields a value after each transaction that changes one of the tables, until the returned number is passed to
  /// `remove`.
  func add(_ listener: AsyncStream<Void>.Continuation) -> Int {
    state.withLock { state in
      state.count += 1
      state.listeners[state.count] = listener
      return state.count
    }
  }

  func remove(_ number: Int) { state.withLock { _ = $0.listeners.removeValue(forKey: number) } }

  // MARK: TransactionObserver

  func observes(eventsOfKind kind: DatabaseEventKind) -> Bool { Self.tables.contains(kind.tableName) }

  func databaseDidChange(with event: DatabaseEvent) { state.withLock { $0.isChanged = true } }

  func databaseDidCommit(_ db: Database) {
    let listeners = state.withLock { state in
      defer { state.isChanged = false }
      return state.isChanged ? Array(state.listeners.values) : []
    }
    for listener in listeners { listener.yield() }
  }

  func databaseDidRollback(_ db: Database) { state.withLock { $0.isChanged = false } }
}
