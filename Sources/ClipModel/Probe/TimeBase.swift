/// An exact fraction, like libav's `AVRational`: a frame rate, time base or aspect ratio.
public struct Rational: Codable, Hashable, Sendable, CustomStringConvertible {
  /// The numerator, which may be negative or 0.
  public var numerator: Int32
  /// The denominator, which is 0 if the value is undefined.
  public var denominator: Int32

  /// Creates the fraction without reducing it.
  public init(_ numerator: Int32, _ denominator: Int32) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// Creates a fraction in lowest terms, or the nearest fraction if the numerator or denominator exceeds 31 bits.
  /// Returns `nil` unless both values are positive.
  public init?(reducing numerator: Int64, _ denominator: Int64) {
    guard numerator > 0, denominator > 0 else { return nil }
    var (left, right) = (numerator, denominator)
    while right != 0 { (left, right) = (right, left % right) }
    var (above, below) = (numerator / left, denominator / left)
    while max(above, below) > Int64(Int32.max) { (above, below) = (above / 2, below / 2) }
    guard above > 0, below > 0 else { return nil }
    self.init(Int32(above), Int32(below))
  }

  /// Whether the value is defined. False for `0/0` and `x/0`, which libav uses for unknown values.
  public var isDefined: Bool { denominator != 0 }

  /// The value as a floating-point number for display and for comparison with limits. Don't use it for time arithmetic.
  public var value: Double { isDefined ? Double(numerator) / Double(denominator) : .nan }

  public var description: String { "\(numerator)/\(denominator)" }

  /// Decodes a fraction such as `30000/1001`. JSON stores fractions as strings, which are exact and readable.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    let parts = text.split(separator: "/", maxSplits: 1).compactMap { Int32($0) }
    guard parts.count == 2 else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(text)\" is not a fraction")
    }
    self.init(parts[0], parts[1])
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// A point in time or a duration, in ticks of a time base. Missing timestamps are `nil`, never a sentinel value.
public struct Timestamp: Hashable, Sendable {
  /// The number of ticks, which is negative before the start.
  public var ticks: Int64
  /// The duration of one tick in seconds.
  public var timeBase: Rational

  public init(ticks: Int64, timeBase: Rational) {
    self.ticks = ticks
    self.timeBase = timeBase
  }

  /// The time in seconds, for display and for rules with limits in seconds. Don't use it for time arithmetic.
  public var seconds: Double { Double(ticks) * timeBase.value }

  /// Converts the timestamp to a different time base. Rounds to the nearest tick, and halves away from zero.
  ///
  /// The result is exact for every 64-bit tick count because the product is computed in 128 bits. Results that exceed
  /// 64 bits are clamped.
  public func rescaled(to target: Rational) -> Timestamp {
    let numerator = Int128(ticks) * Int128(timeBase.numerator) * Int128(target.denominator)
    let denominator = Int128(timeBase.denominator) * Int128(target.numerator)
    guard denominator != 0 else { return Timestamp(ticks: 0, timeBase: target) }
    let magnitude = (numerator.magnitude + denominator.magnitude / 2) / denominator.magnitude
    let isNegative = (numerator < 0) != (denominator < 0)
    let rounded = isNegative ? -Int128(magnitude) : Int128(magnitude)
    return Timestamp(ticks: Int64(clamping: rounded), timeBase: target)
  }
}
