/// Defines the delays between attempts and when to give up. This type is pure: it neither sleeps nor reads the clock.
///
/// The defaults match Google's resumable media client: a delay of 1 s that doubles with each attempt up to 64 s, plus
/// up to 1 s of jitter, and at most 600 s in total.
public struct RetryPolicy: Equatable, Sendable {
  /// The delay before the second attempt. The delay doubles for each subsequent attempt.
  public var firstDelay: Duration
  /// The maximum delay, without jitter.
  public var longestDelay: Duration
  /// The maximum random delay added to spread out the retries of clients that failed at the same time.
  public var jitter: Duration
  /// The maximum total delay since the last progress.
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

  /// The policy for short API requests, which gives up after about 30 seconds.
  public static let brief = RetryPolicy(longestDelay: .seconds(8), budget: .seconds(30))
}

/// The retry count and the total delay since the last progress.
package struct RetryState: Equatable, Sendable {
  package private(set) var attemptCount = 0
  package private(set) var waited = Duration.zero

  package init() {}

  /// Returns the next delay, or `nil` if that delay would exceed the retry budget.
  ///
  /// - Parameter retryAfter: the delay that the server requested. It takes precedence if it's longer.
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

  /// Resets the retry count and the total delay. Call this method only after progress; otherwise, the retries never
  /// end.
  package mutating func reset() { self = RetryState() }
}
