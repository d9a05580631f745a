#if Recruiting
import HTTPTypes

/// Parses the forms of PostgreSQL's intervals that clients send: `7 days`, `1 day 12 hours`, `02:30:00`.
enum IntervalText {
  private static let units: [Substring: Double] = [
    "second": 1, "sec": 1, "s": 1, "minute": 60, "min": 60, "m": 60, "hour": 3600, "h": 3600, "day": 86_400,
    "d": 86_400,
    "week": 7 * 86_400, "w": 7 * 86_400,
  ]

  /// Returns the interval in seconds.
  /// - Throws: 22007 for other text.
  static func seconds(_ text: String) throws(PostgRESTFailure) -> Double {
    var total = 0.0
    var number: Double?
    for word in text.lowercased().split(whereSeparator: \.isWhitespace) {
      if number == nil, let match = word.wholeMatch(of: /(\d{1,4}):(\d\d)(?::(\d\d))?/) {
        let parts = [match.output.1, match.output.2, match.output.3 ?? "0"].compactMap { Double($0) }
        total += parts[0] * 3600 + parts[1] * 60 + parts[2]
      } else if number == nil, let value = Double(word), value.isFinite {
        number = value
      } else if let value = number, let unit = units[word] ?? units[word.hasSuffix("s") ? word.dropLast() : word] {
        total += value * unit
        number = nil
      } else {
        throw PostgRESTFailure(
          .badRequest, "22007", "invalid input syntax for type interval: \"\(text.prefix(80))\"")
      }
    }
    // A number without a unit is in seconds.
    return total + (number ?? 0)
  }
}
#endif
