package import Foundation

/// A part of each day in which work may begin: `22:00-07:00`.
package struct DailyWindow: Equatable, Sendable, CustomStringConvertible {
  /// Minutes of the day, 0 to 1439.
  package let start: Int
  package let end: Int

  /// - Returns: `nil` unless the text is two different times of the day.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(Self.minutes)
    guard parts.count == 2, let start = parts[0], let end = parts[1], start != end else { return nil }
    self.start = start
    self.end = end
  }

  package var description: String { "\(Self.text(start))-\(Self.text(end))" }

  /// Seconds until work may begin; 0 inside of the window.
  package func secondsUntilOpen(at date: Date, calendar: Calendar = .current) -> Double {
    let now = calendar.dateComponents([.hour, .minute, .second], from: date)
    let minute = (now.hour ?? 0) * 60 + (now.minute ?? 0)
    let isOpen = start < end ? (start..<end).contains(minute) : minute >= start || minute < end
    guard !isOpen else { return 0 }
    // The clock on the wall counts, also on the day when it is set forward.
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

  private static func text(_ minutes: Int) -> String {
    let (hour, minute) = (minutes / 60, minutes % 60)
    return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
  }
}
