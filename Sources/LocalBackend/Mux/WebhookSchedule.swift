/// The retry schedule of an event: the pauses increase, and retries end after a day.
struct WebhookSchedule: Sendable {
  /// The seconds before the second attempt. Each later pause is twice as long.
  var firstPause = 2.0

  static let longestPause = 3600.0
  static let lifetime = 86_400.0

  /// - Parameters:
  ///   - count: the number of failed attempts.
  ///   - created: the time of the event in Unix seconds.
  /// - Returns: the time of the next attempt in Unix seconds; `nil` if there is none.
  func due(afterAttempts count: Int, created: Double, now: Double) -> Double? {
    let pause = count > 30 ? Self.longestPause : min(firstPause * Double(1 << max(count - 1, 0)), Self.longestPause)
    let due = now + pause
    return due <= created + Self.lifetime ? due : nil
  }

  /// The maximum number of attempts in a day.
  var maximumAttempts: Int {
    var count = 1
    var now = 0.0
    while count < 1000, let due = due(afterAttempts: count, created: 0, now: now) {
      now = due
      count += 1
    }
    return count
  }
}
