import Foundation
import Synchronization

/// A bucket of requests: each takes one out, and it fills up again with time.
final class RateBucket: Sendable {
  struct Answer: Equatable {
    /// Whole requests that are left, after this one.
    var remaining: Int
    /// Seconds until the next one may come; `nil` when this one may.
    var waitSeconds: Double?
  }

  let limit: LocalServerConfiguration.RateLimit
  private let state: Mutex<(tokens: Double, at: Date?)>

  init(_ limit: LocalServerConfiguration.RateLimit) {
    self.limit = limit
    state = Mutex((Double(limit.capacity), nil))
  }

  /// Takes one request out, if there is one.
  func take(at now: Date) -> Answer { answer(at: now, cost: 1) }

  /// What is left, for answers that cost nothing.
  func look(at now: Date) -> Answer { answer(at: now, cost: 0) }

  private func answer(at now: Date, cost: Double) -> Answer {
    state.withLock { state in
      // A clock that was set back fills nothing.
      let passed = max(state.at.map { now.timeIntervalSince($0) } ?? 0, 0)
      state.tokens = min(state.tokens + passed * limit.perSecond, Double(limit.capacity))
      state.at = now
      guard state.tokens >= cost else {
        return Answer(remaining: 0, waitSeconds: (cost - state.tokens) / max(limit.perSecond, 0.001))
      }
      state.tokens -= cost
      return Answer(remaining: Int(state.tokens))
    }
  }
}
