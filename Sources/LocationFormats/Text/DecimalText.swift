/// An unsigned decimal number in text, and its precision.
struct DecimalText: Equatable {
  var value: Double
  var integerDigits: Int
  var fractionDigits: Int
  var end: Int

  /// The maximum number of decimals to read. Nine decimals are a tenth of a millimeter on the ground. Further digits
  /// are skipped.
  private static let countedFractionDigits = 9
  /// The maximum number of digits to read. It bounds the time for a long run of digits that is read from several start
  /// indexes.
  private static let fractionLimit = 40

  /// Reads the number that starts at an index.
  /// - Parameter point: the accepted decimal separators.
  init?(_ text: TextBytes, at start: Int, point: String = ".") {
    var (mantissa, index, scale) = (UInt64(0), start, 1.0)
    // In E7 notation, 180 degrees has ten digits. Longer numbers aren't coordinates.
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

  /// The value of one unit in the last digit.
  var resolution: Double {
    (0..<min(fractionDigits, Self.countedFractionDigits)).reduce(1) { unit, _ in unit / 10 }
  }
}
