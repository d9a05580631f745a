import ClipModel

/// Decides when a log gets another line about long-running work: every half minute, and less often after several hours.
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
