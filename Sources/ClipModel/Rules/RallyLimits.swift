/// The length limits of a shared rally.
public enum RallyLimits {
  /// The product's rule for a highlight (social features spec, section 8), in seconds. Both ends are included.
  public static let seconds: ClosedRange<Double> = 3...60

  /// The tolerance for inexact decimal times (`10.1 - 7.1 < 3`): a microsecond, far below the duration of a frame.
  public static let slack = 1e-6

  /// Whether a rally may have this length.
  /// - Parameters:
  ///   - length: the length of the rally in seconds.
  ///   - limits: the allowed lengths in seconds. The settings may differ from the product's rule.
  public static func allows(seconds length: Double, in limits: ClosedRange<Double> = seconds) -> Bool {
    length >= limits.lowerBound - slack && length <= limits.upperBound + slack
  }
}
