package import Foundation

/// Formats a number with up to two decimal places and no trailing zeros, independent of the locale: `29.97`, `1.1`,
/// `8`.
package func decimal(_ value: Double) -> String {
  var text = String(format: "%.2f", value)
  while text.hasSuffix("0") { text.removeLast() }
  if text.hasSuffix(".") { text.removeLast() }
  return text == "-0" ? "0" : text
}

/// Formats a time within a clip, rounded to tenths of a second: `1:02.3`, `1:00:02.3`.
package func clock(_ seconds: Double) -> String {
  // Metadata may contain times that are out of range.
  guard seconds >= 0, seconds < 1e9 else { return "\(seconds) s" }
  let tenths = Int((seconds * 10).rounded())
  let (hours, minutes, rest) = (tenths / 36_000, tenths / 600 % 60, tenths % 600)
  let tail = String(format: "%02d.%d", rest / 10, rest % 10)
  return hours > 0 ? String(format: "%d:%02d:", hours, minutes) + tail : "\(minutes):" + tail
}

/// Formats a time of day from 00:00 to 23:59, independent of the locale: `18:03`.
package func timeOfDay(_ moment: Date, in zone: TimeZone = .current) -> String {
  var calendar = Calendar(identifier: .gregorian)
  calendar.timeZone = zone
  let parts = calendar.dateComponents([.hour, .minute], from: moment)
  return String(format: "%02d:%02d", parts.hour ?? 0, parts.minute ?? 0)
}

extension String {
  /// The string with all characters percent-encoded except the unreserved characters of RFC 3986.
  package var percentEncoded: String {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    let plain = CharacterSet(charactersIn: letters + "0123456789-._~")
    return addingPercentEncoding(withAllowedCharacters: plain) ?? self
  }
}

extension FixedWidthInteger {
  /// Converts a number to the nearest representable value because numbers from files must not trap. NaN becomes 0.
  package init(saturating value: Double) {
    if value.isNaN {
      self = 0
    } else {
      self = Self(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : .max)
    }
  }
}

extension Int {
  /// Formats a count with a noun: `1 point`, `2 points`.
  package func withNoun(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}

extension Duration {
  package var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
