import ClipModel

/// When a log is told again how far something is: after half a minute, and rarer in a long night.
struct Reminder: Sendable {
  private let began: ContinuousClock.Instant
  private var last: ContinuousClock.Instant

  init(since began: ContinuousClock.Instant) { (self.began, last) = (began, began) }

  mutating func isDue(at now: ContinuousClock.Instant) -> Bool {
    let pause = min(max((last - began).seconds / 10, 30), 600)
    guard (now - last).seconds >= pause else { return false }
    last = now
    return true
  }
}
