/// The retry schedule for webhook events. Each retry waits longer than the one before, and retries end after one day.
struct WebhookSchedule: Sendable {
  /// The delay in seconds before the second attempt. The delay doubles for each later attempt.
  var firstPause = 2.0

  static let longestPause = 3600.0
  static let lifetime = 86_400.0

  /// Returns the time of the next attempt.
  /// - Parameters:
  ///   - count: the number of failed attempts.
  ///   - created: the event's creation time in Unix seconds.
  ///   - now: the current time in Unix seconds.
  /// - Returns: the time in Unix seconds, or `nil` if there are no more attempts.
  func nextAttempt(afterAttempts count: Int, created: Double, now: Double) -> Double? {
    let pause = count > 30 ? Self.longestPause : min(firstPause * Double(1 << max(count - 1, 0)), Self.longestPause)
    let due = now + pause
    return due <= created + Self.lifetime ? due : nil
  }

  /// The maximum number of delivery attempts within one day.
  var maximumAttempts: Int {
    var count = 1
    var now = 0.0
    while count < 1000, let due = nextAttempt(afterAttempts: count, created: 0, now: now) {
      now = due
      count += 1
    }
    return count
  }
}
