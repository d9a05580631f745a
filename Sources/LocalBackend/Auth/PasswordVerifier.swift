import HTTPTypes

/// Works on a few passwords at a time: each takes a core for a moment on purpose, and the threads that do it read and
/// write the files, too.
actor PasswordVerifier {
  /// As many as leave threads for everything else.
  private static let atOnce = 2
  /// About ten seconds of work. More requests than that come from a program that guesses.
  private static let waitingLimit = 32

  private var runningCount = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// - Throws: `AuthFailure` (429) when too many wait already; what `work` throws.
  func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    if runningCount < Self.atOnce {
      runningCount += 1
    } else {
      guard waiting.count < Self.waitingLimit else {
        throw AuthFailure(.tooManyRequests, "over_request_rate_limit", "Request rate limit reached")
      }
      await withCheckedContinuation { waiting.append($0) }
    }
    defer {
      // The request that has waited longest takes the place.
      if waiting.isEmpty { runningCount -= 1 } else { waiting.removeFirst().resume() }
    }
    return try await blocking(work)
  }
}
