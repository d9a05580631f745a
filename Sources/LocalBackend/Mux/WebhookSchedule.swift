/// When an event that did not arrive is sent again: with growing pauses, for a day.
struct WebhookSchedule: Sendable {
  /// Seconds before the second try; each pause is twice the one before.
  var firstPause = 2.0

  static let longestPause = 3600.0
  static let lifetime = 86_400.0

  /// - Parameters:
  ///   - count: tries so far, all of them failed.
  ///   - created: when it happened, Unix seconds.
  /// - Returns: `nil` when it is given up.
  func due(afterTries count: Int, created: Double, now: Double) -> Double? {
    let pause = count > 30 ? Self.longestPause : min(firstPause * Double(1 << max(count - 1, 0)), Self.longestPause)
    let due = now + pause
    return due <= created + Self.lifetime ? due : nil
  }

  /// Tries that fit into a day.
  var maximumTries: Int {
    var count = 1
    var now = 0.0
    while count < 1000, let due = due(afterTries: count, created: 0, now: now) {
      now = due
      count += 1
    }
    return count
  }
}
