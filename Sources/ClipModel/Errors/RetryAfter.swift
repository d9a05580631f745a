internal import Foundation

/// The `Retry-After` header of RFC 9110, section 10.2.3: seconds, or an HTTP date.
package enum RetryAfter {
  /// - Parameters:
  ///   - header: the value as it was sent.
  ///   - serverDate: the answer's `Date` header. A date is measured from it, so our own clock does not matter.
  ///   - now: Unix seconds, used when the server told no date.
  /// - Returns: at least zero; `nil` for anything that is neither form.
  package static func delay(_ header: String, serverDate: String? = nil, now: Int64) -> Duration? {
    let text = header.split(separator: " ").joined(separator: " ")
    if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
      // More digits than Int64 holds still means "much later".
      return .seconds(Int64(text) ?? Int64(Int32.max))
    }
    guard let date = unixSeconds(text) else { return nil }
    return .seconds(max(0, date - (serverDate.flatMap(unixSeconds) ?? now)))
  }

  /// Reads the three forms of date of RFC 9110, 5.6.7: `Sun, 06 Nov 1994 08:49:37 GMT`, and the obsolete ones
  /// `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov 6 08:49:37 1994`.
  static func unixSeconds(_ text: String) -> Int64? {
    let parts = text.split { $0 == " " || $0 == "-" }
    if parts.count == 6, parts[5] == "GMT" {
      // Two digits are of this century or the last, whichever is nearer: those of 1970 and after.
      let year = Int(parts[3]).map { parts[3].count == 2 ? ($0 < 70 ? 2000 : 1900) + $0 : $0 }
      return unixSeconds(day: parts[1], month: parts[2], year: year, clock: parts[4])
    }
    guard parts.count == 5 else { return nil }
    return unixSeconds(day: parts[2], month: parts[1], year: Int(parts[4]), clock: parts[3])
  }

  private static func unixSeconds(day: Substring, month: Substring, year: Int?, clock: Substring) -> Int64? {
    guard let month = months.firstIndex(of: month), let day = Int(day), (1...31).contains(day), let year,
      (1970...9999).contains(year)
    else { return nil }
    let clock = clock.split(separator: ":").compactMap { Int($0) }
    guard clock.count == 3, (0...23).contains(clock[0]), (0...59).contains(clock[1]), (0...60).contains(clock[2])
    else { return nil }
    let parts = DateComponents(
      timeZone: .gmt, year: year, month: month + 1, day: day, hour: clock[0], minute: clock[1], second: clock[2])
    return Calendar(identifier: .gregorian).date(from: parts).map { Int64($0.timeIntervalSince1970) }
  }

  private static let months: [Substring] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
