import Foundation

/// Times for people: by the clock on their wall. JSON has them as backends write them.
enum LocalTime {
  /// `2026-02-20 18:43`.
  static func text(_ date: Date, in zone: TimeZone = .current) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
    return String(
      format: "%04d-%02d-%02d %02d:%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0, parts.hour ?? 0,
      parts.minute ?? 0)
  }

  /// Of a backend's ISO 8601 with zone; what is none stays as it is.
  static func text(_ text: String) -> String {
    let whole = text.replacing(/\.[0-9]+/, with: "", maxReplacements: 1)
    return (try? Date(whole, strategy: .iso8601)).map { self.text($0) } ?? text
  }
}
