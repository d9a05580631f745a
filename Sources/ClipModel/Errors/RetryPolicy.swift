/// How long to wait between tries, and when to give up. Pure: it neither sleeps nor reads a clock.
///
/// The defaults are those of Google's resumable-media client: 1 s, doubled each time up to 64 s, plus up to 1 s of
/// jitter, and 600 s of waiting in all.
public struct RetryPolicy: Equatable, Sendable {
  /// Before the second try; doubled for each later one.
  public var firstDelay: Duration
  /// The delay stops growing here; jitter comes on top.
  public var longestDelay: Duration
  /// Upper bound of the random part, so that clients that failed together do not come back together.
  public var jitter: Duration
  /// Sum of all delays since the last progress.
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

  /// For short exchanges with an API: about half a minute.
  public static let brief = RetryPolicy(longestDelay: .seconds(8), budget: .seconds(30))
}

/// Where a run of retries stands: how many delays were given since the last progress, and how long they were together.
package struct RetryState: Equatable, Sendable {
  package private(set) var attemptCount = 0
  package private(set) var waited = Duration.zero

  package init() {}

  /// The next delay, or `nil` when the budget does not allow it.
  ///
  /// - Parameter retryAfter: what the server asked for; it wins when it is longer than our own delay.
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

  /// To be called on progress and on nothing else: a budget that resets without progress never ends.
  package mutating func reset() { self = RetryState() }
}
