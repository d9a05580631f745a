import ClipModel
import Foundation

/// How fast work goes, and how long the rest of it takes: told what is done and when, it settles, and it does not jump
/// from one look to the next. A value; whoever asks brings the time.
struct Estimate: Sendable {
  typealias Instant = ContinuousClock.Instant

  /// What moves the number that people see as the present speed.
  private static let speedWindow = 4.0
  /// What moves the time left, at least; it grows with the work, so that hours do not depend on the last minute.
  private static let shortestTrendWindow = 12.0
  /// Silence that says nothing yet: many things are told in lumps.
  private static let patience = 2.0

  /// Of this run: an upload that goes on has most of it behind it.
  private var first: (at: Instant, done: Double)?
  private var last: (at: Instant, done: Double)?
  private var speed = Average()
  private var trend = Average()
  /// What people were told last, and since when they are told something.
  private var shown: (at: Instant, seconds: Double)?
  private var shownSince: Instant?

  /// - Parameter done: 0 to 1. What goes back a little is told once more; what goes back far begins anew.
  mutating func add(_ done: Double, at now: Instant) {
    guard let first, let last, done > last.done - 0.1 else {
      self = Estimate()
      (self.first, self.last) = ((now, done), (now, done))
      return
    }
    let seconds = (now - last.at).seconds
    // Several at one moment count with the next.
    guard seconds > 0 else { return }
    let moved = max(done - last.done, 0)
    speed.add(moved, seconds: seconds, window: Self.speedWindow)
    trend.add(moved, seconds: seconds, window: max(Self.shortestTrendWindow, (now - first.at).seconds / 3))
    self.last = (now, done)
  }

  /// Time in which nothing could be done counts for nothing.
  mutating func pause(at now: Instant) {
    guard let last else { return }
    self.last = (now, last.done)
    shown = nil
  }

  /// Of the whole in a second, now; `nil` while nobody can tell.
  func speed(at now: Instant) -> Double? {
    guard let rate = rate(speed, at: now), rate > 1e-9 else { return nil }
    return rate
  }

  /// Seconds until all is done; `nil` while nobody can tell.
  ///
  /// It counts down by itself. A new reckoning that is not far from it is left to time, another one is approached.
  mutating func secondsLeft(at now: Instant) -> Double? {
    guard let last, last.done < 1, let rate = trendRate(at: now), rate > 0 else {
      shown = nil
      return nil
    }
    let reckoned = (1 - last.done) / rate
    // Nobody plans by days, and what stands still has no end.
    guard reckoned < 100 * 3600 else {
      shown = nil
      return nil
    }
    guard let shown, let shownSince else {
      (self.shown, shownSince) = ((now, reckoned), now)
      return max(reckoned, 1)
    }
    let passed = (now - shown.at).seconds
    let expected = max(shown.seconds - passed, 0)
    let error = reckoned - expected
    let isNear = abs(error) <= max(1.5, expected * 0.1)
    // The first words are said of little, and taken back quickly.
    let window = min(max((now - shownSince).seconds / 3, 0.2), 3)
    self.shown = (now, isNear ? expected : expected + error * (1 - exp(-passed / window)))
    return max(self.shown?.seconds ?? reckoned, 1)
  }

  /// The beginning is slower than the rest, and says little.
  private func trendRate(at now: Instant) -> Double? {
    guard let first, let last else { return nil }
    let moved = last.done - first.done
    return moved > 0.03 || (moved > 0.002 && (now - first.at).seconds > 5) ? rate(trend, at: now) : nil
  }

  private func rate(_ average: Average, at now: Instant) -> Double? {
    guard let first, let last, (now - first.at).seconds >= 1 else { return nil }
    return average.rate(silent: max((now - last.at).seconds - Self.patience, 0))
  }

  /// An average in which what is older than the window hardly counts, and which is right from its first second on.
  private struct Average: Sendable {
    private var (done, seconds) = (0.0, 0.0)

    mutating func add(_ moved: Double, seconds passed: Double, window: Double) {
      let kept = exp(-passed / window)
      let weight = window * (1 - kept)
      done = done * kept + moved / passed * weight
      seconds = seconds * kept + weight
    }

    /// - Parameter silent: seconds in which nothing was heard that should have been.
    func rate(silent: Double) -> Double? { seconds > 0 ? done / (seconds + silent) : nil }
  }
}
