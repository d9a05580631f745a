import Synchronization

/// A clock whose sleeps return immediately. It records their durations.
public final class FaultClock: Clock {
  public struct Instant: InstantProtocol {
    var offset: Swift.Duration

    public func advanced(by duration: Swift.Duration) -> Instant { Instant(offset: offset + duration) }
    public func duration(to other: Instant) -> Swift.Duration { other.offset - offset }
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let state = Mutex((now: Swift.Duration.zero, sleeps: [Swift.Duration]()))

  public init() {}

  public var now: Instant { Instant(offset: state.withLock { $0.now }) }
  public var minimumResolution: Swift.Duration { .zero }

  /// The durations of all sleeps, in order.
  public var sleeps: [Swift.Duration] { state.withLock { $0.sleeps } }

  public func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
    try Task.checkCancellation()
    state.withLock { state in
      state.sleeps.append(deadline.offset - state.now)
      state.now = max(state.now, deadline.offset)
    }
  }
}
