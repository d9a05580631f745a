/// An unsigned decimal number as it is written: how it is written tells how exact it is.
struct DecimalText: Equatable {
  var value: Double
  var integerDigits: Int
  var fractionDigits: Int
  var end: Int

  /// Nine digits behind the point are a tenth of a millimetre on earth; what follows them is passed over.
  private static let countedFractionDigits = 9
  /// A run of digits must not be read again and again.
  private static let fractionLimit = 40

  /// - Parameter point: The bytes that may stand in front of the fraction.
  init?(_ text: TextBytes, at start: Int, point: String = ".") {
    var (mantissa, index, scale) = (UInt64(0), start, 1.0)
    // E7 notation of 180 degrees has ten digits; more are no coordinate.
    while text.isDigit(at: index) {
      guard index < start &+ 10 else { return nil }
      mantissa = mantissa &* 10 &+ UInt64(text[index] &- UInt8(ascii: "0"))
      index &+= 1
    }
    integerDigits = index &- start
    fractionDigits = 0
    if point.utf8.contains(text[index]), text.isDigit(at: index &+ 1) {
      let first = index &+ 1
      index = first
      while text.isDigit(at: index), index < first &+ Self.fractionLimit {
        if index < first &+ Self.countedFractionDigits {
          mantissa = mantissa &* 10 &+ UInt64(text[index] &- UInt8(ascii: "0"))
          scale *= 10
        }
        index &+= 1
      }
      fractionDigits = index &- first
    }
    guard integerDigits &+ fractionDigits > 0 else { return nil }
    value = Double(mantissa) / scale
    end = index
  }

  /// What one in the last digit is worth.
  var resolution: Double {
    var worth = 1.0
    for _ in 0..<min(fractionDigits, Self.countedFractionDigits) { worth /= 10 }
    return worth
  }
}
