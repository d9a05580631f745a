import Foundation

/// At most two decimals, without trailing zeros: `29.97`, `1.1`, `8`. The same in every locale.
func decimal(_ value: Double) -> String {
  var text = String(format: "%.2f", value)
  while text.hasSuffix("0") { text.removeLast() }
  if text.hasSuffix(".") { text.removeLast() }
  return text
}

extension FixedWidthInteger {
  /// The nearest value that there is: numbers of strangers' files must not trap. Not a number becomes 0.
  public init(saturating value: Double) {
    if value.isNaN {
      self = 0
    } else {
      self = Self(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : .max)
    }
  }
}

/// 2 to the power of `exponent`.
func pow2(_ exponent: Double) -> Double { pow(2, exponent) }
