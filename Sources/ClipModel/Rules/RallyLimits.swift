/// The allowed duration of a shared rally.
public enum RallyLimits {
  /// The product's rule for highlights (social features spec, section 8), in seconds. Both limits are inclusive.
  public static let seconds: ClosedRange<Double> = 3...60

  /// The tolerance for rounding errors in decimal times (`10.1 - 7.1 < 3`): one microsecond, far less than the duration
  /// of a frame.
  public static let slack = 1e-6

  /// Returns whether a rally may have this duration.
  /// - Parameters:
  ///   - length: the rally duration in seconds.
  ///   - limits: the allowed durations in seconds. The user's settings may differ from the product's rule.
  public static func allows(seconds length: Double, in limits: ClosedRange<Double> = seconds) -> Bool {
    length >= limits.lowerBound - slack && length <= limits.upperBound + slack
  }
}
