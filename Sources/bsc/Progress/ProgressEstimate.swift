import ClipModel
import Foundation

/// Estimates the speed of a task and its remaining time, from the completed fraction over time. The estimate changes
/// smoothly. The caller provides the current time.
struct ProgressEstimate: Sendable {
  typealias Instant = ContinuousClock.Instant

  /// The interval in seconds over which the displayed speed is averaged.
  private static let speedWindow = 4.0
  /// The minimum interval in seconds over which the remaining time is averaged; the interval grows with the elapsed
  /// time.
  private static let minimumTrendWindow = 12.0
  /// The maximum interval without an update, in seconds, that doesn't count as a stall. Many sources report in bursts.
  private static let stallTolerance = 2.0

  /// The first update of this run: a resumed upload doesn't start at zero.
  private var first: (at: Instant, done: Double)?
  private var last: (at: Instant, done: Double)?
  private var speed = MovingAverage()
  private var trend = MovingAverage()
  /// The last displayed remaining time, and when it was displayed. `shownSince` is when the first one was displayed.
  private var shown: (at: Instant, seconds: Double)?
  private var shownSince: Instant?

  /// Adds an update.
  /// - Parameter done: the completed fraction, 0 to 1. A small decrease is ignored; a large one restarts the estimate.
  mutating func add(_ done: Double, at now: Instant) {
    guard let first, let last, done > last.done - 0.1 else {
      self = ProgressEstimate()
      (self.first, self.last) = ((now, done), (now, done))
      return
    }
    let seconds = (now - last.at).seconds
    // Only the first of several simultaneous updates counts.
    guard seconds > 0 else { return }
    let moved = max(done - last.done, 0)
    speed.add(moved, seconds: seconds, window: Self.speedWindow)
    trend.add(moved, seconds: seconds, window: max(Self.minimumTrendWindow, (now - first.at).seconds / 3))
    self.last = (now, done)
  }

  /// Excludes the time since the last update from the estimate.
  mutating func pause(at now: Instant) {
    guard let last else { return }
    self.last = (now, last.done)
    shown = nil
  }

  /// Returns the completed fraction per second; `nil` while it is unknown.
  func speed(at now: Instant) -> Double? {
    guard let rate = calculateRate(speed, at: now), rate > 1e-9 else { return nil }
    return rate
  }

  /// Returns the remaining time in seconds; `nil` while it is unknown.
  ///
  /// The result counts down as time passes. If a new estimate is close to the result, it is ignored; otherwise, the
  /// result approaches the new estimate.
  mutating func secondsLeft(at now: Instant) -> Double? {
    // Estimates of more than 100 hours are meaningless.
    guard let last, last.done < 1, let rate = calculateTrendRate(at: now), rate > 0, (1 - last.done) / rate < 100 * 3600
    else {
      shown = nil
      return nil
    }
    let estimate = (1 - last.done) / rate
    guard let shown, let shownSince else {
      (self.shown, shownSince) = ((now, estimate), now)
      return max(estimate, 1)
    }
    let passed = (now - shown.at).seconds
    let expected = max(shown.seconds - passed, 0)
    let error = estimate - expected
    let isNear = abs(error) <= max(1.5, expected * 0.1)
    // The first estimates are inaccurate, so they are corrected quickly.
    let window = min(max((now - shownSince).seconds / 3, 0.2), 3)
    let seconds = isNear ? expected : expected + error * (1 - exp(-passed / window))
    self.shown = (now, seconds)
    return max(seconds, 1)
  }

  /// Returns the current rate; `nil` at the beginning, when work is slower than later.
  private func calculateTrendRate(at now: Instant) -> Double? {
    guard let first, let last else { return nil }
    let moved = last.done - first.done
    return moved > 0.03 || (moved > 0.002 && (now - first.at).seconds > 5) ? calculateRate(trend, at: now) : nil
  }

  private func calculateRate(_ average: MovingAverage, at now: Instant) -> Double? {
    guard let first, let last, (now - first.at).seconds >= 1 else { return nil }
    return average.rate(stalled: max((now - last.at).seconds - Self.stallTolerance, 0))
  }

  /// An exponential moving average that is accurate from the first second.
  private struct MovingAverage: Sendable {
    private var (done, seconds) = (0.0, 0.0)

    mutating func add(_ moved: Double, seconds passed: Double, window: Double) {
      let kept = exp(-passed / window)
      let weight = window * (1 - kept)
      done = done * kept + moved / passed * weight
      seconds = seconds * kept + weight
    }

    /// - Parameter stalled: the duration of the current stall in seconds.
    func rate(stalled: Double) -> Double? { seconds > 0 ? done / (seconds + stalled) : nil }
  }
}
