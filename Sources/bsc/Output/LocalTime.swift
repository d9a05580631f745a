import Foundation

/// Formats human-readable dates and times in the local time zone. JSON keeps the backend's format.
enum LocalTime {
  /// Formats a date and time, for example `2026-02-20 18:43`.
  static func format(_ date: Date, in zone: TimeZone = .current) -> String {
    date.formatted(
      Date.VerbatimFormatStyle(
        format: """
          \(year: .padded(4))-\(month: .twoDigits)-\(day: .twoDigits) \
          \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)
          """, timeZone: zone, calendar: Calendar(identifier: .gregorian)))
  }

  /// - Parameter text: a date in ISO 8601 format with a time zone; any other text is returned unchanged.
  static func format(_ text: String) -> String {
    let whole = text.replacing(/\.[0-9]+/, with: "", maxReplacements: 1)
    return (try? Date(whole, strategy: .iso8601)).map { self.format($0) } ?? text
  }
}
