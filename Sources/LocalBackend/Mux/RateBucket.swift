import Foundation
import Synchronization

/// A token bucket. Each request takes a token, and the bucket is refilled over time.
final class RateBucket: Sendable {
  struct Result: Equatable {
    /// The number of complete tokens that remain after the request.
    var remaining: Int
    /// The number of seconds until the bucket contains enough tokens; `nil` if the request is allowed.
    var waitSeconds: Double?
  }

  let limit: LocalServerConfiguration.RateLimit
  private let state: Mutex<(tokens: Double, at: Date?)>

  init(_ limit: LocalServerConfiguration.RateLimit) {
    self.limit = limit
    state = Mutex((Double(limit.capacity), nil))
  }

  /// Takes `cost` tokens if the bucket contains enough. A cost of 0 only returns the number of remaining tokens.
  func takeTokens(_ cost: Double = 1, at now: Date) -> Result {
    state.withLock { state in
      // Setting the clock back doesn't add or remove tokens.
      let elapsed = max(state.at.map { now.timeIntervalSince($0) } ?? 0, 0)
      state.tokens = min(state.tokens + elapsed * limit.perSecond, Double(limit.capacity))
      state.at = now
      guard state.tokens >= cost else {
        return Result(remaining: 0, waitSeconds: (cost - state.tokens) / max(limit.perSecond, 0.001))
      }
      state.tokens -= cost
      return Result(remaining: Int(state.tokens))
    }
  }
}
