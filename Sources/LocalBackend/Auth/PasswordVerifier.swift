import HTTPTypes

/// Limits the number of passwords that are hashed concurrently. Hashing is intentionally slow and runs on the threads
/// that also read and write files.
actor PasswordVerifier {
  /// The maximum number of passwords that are hashed concurrently. The limit leaves threads for other work.
  private static let concurrencyLimit = 2
  /// The maximum number of waiting passwords, which take about ten seconds to hash. A longer queue suggests that a
  /// program is guessing passwords.
  private static let waitingLimit = 32

  private var runningCount = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Runs `work` when a slot is free.
  /// - Throws: a 429 `AuthFailure` if the queue is full, and any error that `work` throws.
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
      // Pass the slot to the request that has waited longest.
      if waiting.isEmpty { runningCount -= 1 } else { waiting.removeFirst().resume() }
    }
    return try await runBlocking(work)
  }
}
