/// How long to wait between attempts, and when to stop. It is pure: it neither sleeps nor reads a clock.
///
/// The defaults are those of Google's resumable media client: 1 s, doubled for each attempt up to 64 s, plus up to 1 s
/// of jitter, and at most 600 s in total.
public struct RetryPolicy: Equatable, Sendable {
  /// The delay before the second attempt. It doubles for each later one.
  public var firstDelay: Duration
  /// The maximum delay, without jitter.
  public var longestDelay: Duration
  /// The maximum random addition, which spreads the retries of clients that failed at the same time.
  public var jitter: Duration
  /// The maximum sum of all delays since the last progress.
  public var budget: Duration

  public init(
    firstDelay: Duration = .seconds(1), longestDelay: Duration = .seconds(64), jitter: Duration = .seconds(1),
    budget: Duration = .seconds(600)
  ) {
    self.firstDelay = firstDelay
    self.longestDelay = longestDelay
    self.jitter = jitter
    self.budget = budget
  }

  /// For short API requests: about half a minute.
  public static let brief = RetryPolicy(longestDelay: .seconds(8), budget: .seconds(30))
}

/// The state of a series of retries: their number, and the sum of the delays since the last progress.
package struct RetryState: Equatable, Sendable {
  package private(set) var attemptCount = 0
  package private(set) var waited = Duration.zero

  package init() {}

  /// Returns the next delay, or `nil` if it exceeds the budget.
  ///
  /// - Parameter retryAfter: the delay that the server requested. It is used if it is longer.
  package mutating func nextDelay(
    _ policy: RetryPolicy, retryAfter: Duration? = nil, using generator: inout some RandomNumberGenerator
  ) -> Duration? {
    var delay = policy.firstDelay
    for _ in 0..<attemptCount where delay < policy.longestDelay { delay *= 2 }
    delay = min(delay, policy.longestDelay) + policy.jitter * Double.random(in: 0..<1, using: &generator)
    if let retryAfter { delay = max(delay, retryAfter) }
    guard waited + delay <= policy.budget else { return nil }
    attemptCount += 1
    waited += delay
    return delay
  }

  /// Call this only after progress. Otherwise, the retries never end.
  package mutating func reset() { self = RetryState() }
}
