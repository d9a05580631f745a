import Foundation
import Synchronization

/// A token bucket: each request takes a token, and tokens are added over time.
final class RateBucket: Sendable {
  struct Result: Equatable {
    /// The number of whole tokens that remain after this request.
    var remaining: Int
    /// The seconds until there are enough tokens; `nil` if the request is allowed.
    var waitSeconds: Double?
  }

  let limit: LocalServerConfiguration.RateLimit
  private let state: Mutex<(tokens: Double, at: Date?)>

  init(_ limit: LocalServerConfiguration.RateLimit) {
    self.limit = limit
    state = Mutex((Double(limit.capacity), nil))
  }

  /// Takes `cost` tokens if there are enough. A cost of 0 only reads the remaining number.
  func take(_ cost: Double = 1, at now: Date) -> Result {
    state.withLock { state in
      // A clock that is set back doesn't add tokens.
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
