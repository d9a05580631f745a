import ClipModel

/// Decides when to log the next line about long-running work: every 30 seconds at first, and less often as the work
/// continues.
struct ReminderTimer: Sendable {
  private let start: ContinuousClock.Instant
  private var last: ContinuousClock.Instant

  init(since start: ContinuousClock.Instant) { (self.start, last) = (start, start) }

  mutating func isDue(at now: ContinuousClock.Instant) -> Bool {
    let pause = min(max((last - start).seconds / 10, 30), 600)
    guard (now - last).seconds >= pause else { return false }
    last = now
    return true
  }
}
