import ClipModel
import DurableFiles
package import Foundation
import Highlights
import LibCurl
package import Social
import Synchronization

/// The backend connection, the queue of waiting actions and the cache of the social layer for one run.
package struct SocialSession: Sendable {
  /// What happened to an action.
  package enum ActionOutcome: Equatable, Sendable {
    /// The backend has performed it.
    case performed
    /// It waits in the queue, because the backend can't be reached.
    case queued(reason: String)
  }

  package let connection: BackendConnection
  package let client: any SocialClient
  private let places: ApplicationFolders
  private let configuration: Configuration
  private let report: @Sendable (QueuedAction, SocialError) -> Void

  /// Likes and comments can wait in the queue, so a person doesn't have to wait for the network.
  private static let policy = RetryPolicy(firstDelay: .milliseconds(250), jitter: .zero, budget: .seconds(2))
  /// Longer than any request, because another process may be sending the queue.
  private static let lockTimeout = Duration.seconds(60)

  /// - Parameters:
  ///   - environment: the folders and settings to use.
  ///   - signIn: signs the user in when an operation needs an account. If it is `nil` and there is no session, these
  ///     operations fail.
  ///   - report: receives actions of earlier runs that the backend refused, on any thread.
  package init(
    _ environment: EngineEnvironment, signIn: LazySignIn? = nil,
    report: @escaping @Sendable (QueuedAction, SocialError) -> Void
  ) throws {
    places = environment.places
    configuration = environment.configuration
    self.report = report
    let transport = try environment.transport()
    let connection = try BackendConnection(
      environment, transport: transport, signIn: signIn, notice: environment.notice)
    self.connection = connection
    let rows = BackendRowTransport(connection, transport, policy: Self.policy, returnsRateLimit: false)
    client = SocialAPI(transport: rows) { try await connection.accountID() }
  }

  /// Runs `body`, then stops the backend server if this process started it.
  package func runAndClose<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await connection.runAndClose(body)
  }

  /// The ID of the signed-in account.
  package var account: UUID {
    get async throws { try await connection.accountID() }
  }

  /// A text that identifies the account in the queue and the cache.
  private func accountKey() async throws -> String { try await connection.accountKey(configuration) }

  // MARK: Queue

  /// Whether actions of earlier runs may wait for the configured backend. Mux has no social layer.
  package static func hasQueue(_ environment: EngineEnvironment) -> Bool {
    environment.configuration.backend.value != .mux
      && FileManager.default.fileExists(atPath: environment.places.socialQueueFile)
  }

  private func openQueue() async throws -> OfflineQueue {
    try places.createStateFolders()
    return try await OfflineQueue.open(path: places.socialQueueFile, account: accountKey())
  }

  /// Stores an action, then sends it and all actions that wait.
  /// - Throws: the error with which the backend refused this action, or an error about the account. In the latter case,
  ///   the action waits until the account is signed in.
  package func perform(_ action: SocialAction) async throws -> ActionOutcome {
    let queue = try await openQueue()
    // A cancelled comment was never sent, so the backend has nothing to delete.
    if try await queue.add(action) == .cancelled { return .performed }
    let result = try await send(queue, own: action)
    guard let failure = result.failure else { return .performed }
    guard let failure = failure as? any ExplainedError, failure.explanation.category == .remote else { throw failure }
    return .queued(reason: failure.explanation.why)
  }

  /// Sends the actions of earlier runs.
  /// - Returns: the result and the number of actions that still wait, or `nil` if no action waited.
  package func sendWaitingActions() async throws -> (result: OfflineQueue.SendResult, waitingCount: Int)? {
    let queue = try await openQueue()
    guard try await !queue.waitingActions().isEmpty else { return nil }
    let result = try await send(queue, own: nil)
    return (result, try await queue.waitingActions().count)
  }

  private func send(_ queue: OfflineQueue, own: SocialAction?) async throws -> OfflineQueue.SendResult {
    // Only one process sends at a time, so that actions arrive in order.
    let path = places.locksFolder + "/social-queue.lock"
    guard let lock = try await FileLock.wait(path: path, timeout: Self.lockTimeout) else {
      throw ShareEngineError(.socialQueueLocked)
    }
    defer { withExtendedLifetime(lock) {} }
    let refusal = Mutex<SocialError?>(nil)
    let result = try await queue.send(
      { try await client.perform($0) },
      refused: { action, error in
        if let own, action.action == own { refusal.withLock { $0 = error } } else { report(action, error) }
      })
    if let error = refusal.withLock({ $0 }) { throw error }
    return result
  }

  // MARK: Cache

  /// Returns the value from the backend and stores it. If the backend can't be reached, returns the stored value.
  /// - Returns: the value; `cachedAt` is the time when a value from the cache was stored, otherwise `nil`.
  package func load<Value>(
    _ key: CacheKey<Value>, _ fetch: @Sendable () async throws -> Value
  ) async throws -> (value: Value, cachedAt: Date?) {
    do {
      let value = try await fetch()
      // The cache is optional: a full disk doesn't prevent reading.
      try? await openCache().store(value, for: key)
      return (value, nil)
    } catch let error as SocialError {
      guard case .unreachable = error, let stored = try? await openCache().value(key) else { throw error }
      return (stored.value, stored.storedAt)
    }
  }

  private func openCache() async throws -> SocialCache {
    try Folder.create(places.cacheFolder)
    return try await SocialCache.open(path: places.socialCacheFile, account: accountKey())
  }

  // MARK: Pictures

  /// Stores the picture in a file as the account's picture, without its metadata.
  /// - Returns: the URL for the profile.
  /// - Throws: `DurableFileError`, `ShareEngineError` if the file is not a picture, or the error of the request.
  package func storeAvatar(path: String) async throws -> String {
    let stored = try await client.storeAvatar(try await PictureReader.read(path))
    // The changed address makes apps load the new picture.
    let version = UUID().uuidString.prefix(8).lowercased()
    return "\(try await connection.endpoint().baseURL)/\(stored)?v=\(version)"
  }

  // MARK: Names

  /// Returns the ID of a person, given as a handle with or without `@`, or as an ID.
  package func personID(_ text: String) async throws -> UUID {
    if let id = UUID(uuidString: text) { return id }
    guard let person = try await client.profile(named: text) else {
      throw ShareEngineError(.personNotFound, ["person": text])
    }
    return person.id
  }

  /// Returns the ID of a highlight, given as an ID or a unique prefix. Complete IDs need no connection.
  package func highlightID(_ text: String) async throws -> UUID {
    if let id = UUID(uuidString: text) { return id }
    return try await connection.backend.findHighlight(text).id
  }
}
