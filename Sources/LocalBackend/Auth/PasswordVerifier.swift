import HTTPTypes

/// Limits how many passwords are hashed at the same time. Hashing is intentionally slow and runs on the threads that
/// also read and write files.
actor PasswordVerifier {
  /// The maximum number of passwords that are hashed at a time, which leaves threads for other work.
  private static let concurrencyLimit = 2
  /// About ten seconds of work. A longer queue suggests that a program is guessing passwords.
  private static let waitingLimit = 32

  private var runningCount = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// - Throws: `AuthFailure` (429) if the queue is full, and errors of `work`.
  func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    if runningCount < Self.concurrencyLimit {
      runningCount += 1
    } else {
      guard waiting.count < Self.waitingLimit else {
        throw AuthFailure(.tooManyRequests, "over_request_rate_limit", "Request rate limit reached")
      }
      await withCheckedContinuation { waiting.append($0) }
    }
    defer {
      // Passes the slot to the request that has been waiting the longest.
      if waiting.isEmpty { runningCount -= 1 } else { waiting.removeFirst().resume() }
    }
    return try await blocking(work)
  }
}
