internal import Foundation

/// Parses the `Retry-After` header (RFC 9110, section 10.2.3), which contains either seconds or an HTTP date.
package enum RetryAfter {
  /// Returns the delay that a `Retry-After` header requests.
  /// - Parameters:
  ///   - header: the header's value.
  ///   - serverDate: the response's `Date` header. A date in `header` is compared with it, so the local clock doesn't
  ///     matter.
  ///   - now: the current Unix time in seconds, used if the response has no `Date` header.
  /// - Returns: the delay, never negative, or `nil` if the header is invalid.
  package static func parseDelay(_ header: String, serverDate: String? = nil, now: Int64) -> Duration? {
    let text = header.split(separator: " ").joined(separator: " ")
    if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
      // A number that overflows Int64 still means a long delay.
      return .seconds(Int64(text) ?? Int64(Int32.max))
    }
    return parseUnixSeconds(text).map { .seconds(max(0, $0 - (serverDate.flatMap(parseUnixSeconds) ?? now))) }
  }

  /// Parses the three date formats of RFC 9110, section 5.6.7. The last two are obsolete.
  package static func parseUnixSeconds(_ text: String) -> Int64? {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = .gmt
    // Maps the two-digit year 94 to 1994, and 26 to 2026.
    formatter.twoDigitStartDate = Date(timeIntervalSince1970: 0)
    let formats = ["EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEEE, dd-MMM-yy HH:mm:ss 'GMT'", "EEE MMM d HH:mm:ss yyyy"]
    for format in formats {
      formatter.dateFormat = format
      if let date = formatter.date(from: text) { return Int64(date.timeIntervalSince1970) }
    }
    return nil
  }
}
