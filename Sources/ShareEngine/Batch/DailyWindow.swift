package import Foundation

/// A daily time window during which processing may start, for example `22:00-07:00`.
package struct DailyWindow: Equatable, Sendable, CustomStringConvertible {
  /// The start of the window in minutes after midnight, from 0 to 1439.
  private let start: Int
  private let end: Int

  /// - Returns: the window, or `nil` if the text doesn't contain two different times.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(Self.parseMinutes)
    guard parts.count == 2, let start = parts[0], let end = parts[1], start != end else { return nil }
    self.start = start
    self.end = end
  }

  package var description: String {
    [start, end].map { String(format: "%02d:%02d", $0 / 60, $0 % 60) }.joined(separator: "-")
  }

  /// Returns the number of seconds until processing may start. Inside the window, returns 0.
  package func secondsUntilOpen(at date: Date, calendar: Calendar = .current) -> Double {
    let now = calendar.dateComponents([.hour, .minute], from: date)
    let minute = (now.hour ?? 0) * 60 + (now.minute ?? 0)
    let isOpen = start < end ? (start..<end).contains(minute) : minute >= start || minute < end
    guard !isOpen else { return 0 }
    // Use local time, even on days when daylight saving time begins or ends.
    let parts = DateComponents(hour: start / 60, minute: start % 60)
    let opening = calendar.nextDate(after: date, matching: parts, matchingPolicy: .nextTime)
    return opening.map { $0.timeIntervalSince(date) } ?? 60
  }

  private static func parseMinutes(_ text: Substring) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let hour = parts[0], let minute = parts[1], (0..<24).contains(hour),
      (0..<60).contains(minute)
    else { return nil }
    return hour * 60 + minute
  }
}
