package import Foundation

/// The part of each day during which work may start: `22:00-07:00`.
package struct DailyWindow: Equatable, Sendable, CustomStringConvertible {
  /// The start of the window in minutes of the day, 0 to 1439.
  private let start: Int
  private let end: Int

  /// - Returns: `nil` unless the text contains two different times.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(Self.minutes)
    guard parts.count == 2, let start = parts[0], let end = parts[1], start != end else { return nil }
    self.start = start
    self.end = end
  }

  package var description: String {
    [start, end].map { String(format: "%02d:%02d", $0 / 60, $0 % 60) }.joined(separator: "-")
  }

  /// The time in seconds until work may start; 0 within the window.
  package func secondsUntilOpen(at date: Date, calendar: Calendar = .current) -> Double {
    let now = calendar.dateComponents([.hour, .minute], from: date)
    let minute = (now.hour ?? 0) * 60 + (now.minute ?? 0)
    let isOpen = start < end ? (start..<end).contains(minute) : minute >= start || minute < end
    guard !isOpen else { return 0 }
    // Uses local time, even on the day when daylight saving time begins.
    let parts = DateComponents(hour: start / 60, minute: start % 60)
    let opening = calendar.nextDate(after: date, matching: parts, matchingPolicy: .nextTime)
    return opening.map { $0.timeIntervalSince(date) } ?? 60
  }

  private static func minutes(_ text: Substring) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let hour = parts[0], let minute = parts[1], (0..<24).contains(hour),
      (0..<60).contains(minute)
    else { return nil }
    return hour * 60 + minute
  }
}
