/// How long a shared rally may be: the one place for these numbers.
public enum RallyLimits {
  /// Seconds, both ends included: the product's rule for a highlight (social features spec, section 8).
  public static let seconds: ClosedRange<Double> = 3...60

  /// Differences of decimal times are inexact (`10.1 - 7.1 < 3`); a microsecond is far below any frame.
  public static let slack = 1e-6

  /// Whether a rally may be so long.
  /// - Parameters:
  ///   - length: of the rally, seconds.
  ///   - limits: seconds; settings may say other ones than the product does.
  public static func allows(seconds length: Double, in limits: ClosedRange<Double> = seconds) -> Bool {
    length >= limits.lowerBound - slack && length <= limits.upperBound + slack
  }
}
