package import Foundation

/// At most two decimals, without trailing zeros: `29.97`, `1.1`, `8`. The same in every locale.
package func decimal(_ value: Double) -> String {
  var text = String(format: "%.2f", value)
  while text.hasSuffix("0") { text.removeLast() }
  if text.hasSuffix(".") { text.removeLast() }
  return text == "-0" ? "0" : text
}

/// A place in a clip: `1:02.3`, hours only when there are some; tenths, rounded.
package func clock(_ seconds: Double) -> String {
  // Metadata is not trusted: times beyond any video are shown as they are.
  guard seconds >= 0, seconds < 1e9 else { return "\(seconds) s" }
  let tenths = Int((seconds * 10).rounded())
  let (hours, minutes, rest) = (tenths / 36_000, tenths / 600 % 60, tenths % 600)
  let tail = String(format: "%02d.%d", rest / 10, rest % 10)
  return hours > 0 ? String(format: "%d:%02d:", hours, minutes) + tail : "\(minutes):" + tail
}

/// A moment on the clock of the wall: `18:03`, from 00:00 to 23:59. The same in every locale.
package func timeOfDay(_ moment: Date, in zone: TimeZone = .current) -> String {
  var calendar = Calendar(identifier: .gregorian)
  calendar.timeZone = zone
  let parts = calendar.dateComponents([.hour, .minute], from: moment)
  return String(format: "%02d:%02d", parts.hour ?? 0, parts.minute ?? 0)
}

extension String {
  /// With percent signs for everything but what URLs take anywhere (RFC 3986's unreserved characters).
  package var percentEncoded: String {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    let plain = CharacterSet(charactersIn: letters + "0123456789-._~")
    return addingPercentEncoding(withAllowedCharacters: plain) ?? self
  }
}

extension FixedWidthInteger {
  /// The nearest value that there is: numbers of strangers' files must not trap. Not a number becomes 0.
  package init(saturating value: Double) {
    if value.isNaN {
      self = 0
    } else {
      self = Self(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : .max)
    }
  }
}

/// 2 to the power of `exponent`.
func pow2(_ exponent: Double) -> Double { pow(2, exponent) }

extension Int {
  /// `1 point`, `2 points`.
  package func counting(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}

extension Duration {
  package var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
