internal import ISOMedia

/// A binary structure with values at fixed offsets. A read outside the structure returns `nil`.
struct RecordFields {
  let bytes: ArraySlice<UInt8>

  init(_ bytes: some Collection<UInt8>) { self.bytes = Array(bytes)[...] }
  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  var count: Int { bytes.count }

  func bytes(at offset: Int, count: Int) -> ArraySlice<UInt8>? {
    guard offset >= 0, count >= 0, count <= self.count, offset <= self.count - count else { return nil }
    return bytes[bytes.startIndex + offset..<bytes.startIndex + offset + count]
  }

  /// Returns a nested structure that starts at the given offset.
  func record(at offset: Int, count: Int) -> RecordFields? { bytes(at: offset, count: count).map { RecordFields($0) } }

  func byte(at offset: Int) -> UInt8? { bytes(at: offset, count: 1)?.first }

  func littleEndian<Value: FixedWidthInteger>(_: Value.Type, at offset: Int) -> Value? {
    bytes(at: offset, count: Value.bitWidth / 8)?.reversed().reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
  }

  func bigEndian<Value: FixedWidthInteger>(_: Value.Type, at offset: Int) -> Value? {
    bytes(at: offset, count: Value.bitWidth / 8)?.reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
  }

  func integer<Value: FixedWidthInteger>(_ type: Value.Type, at offset: Int, isLittle: Bool) -> Value? {
    isLittle ? littleEndian(type, at: offset) : bigEndian(type, at: offset)
  }

  /// Reads a little-endian 32-bit floating-point number (IEEE 754).
  func float(at offset: Int) -> Double? { littleEndian(UInt32.self, at: offset).map { Double(Float(bitPattern: $0)) } }
  /// Reads a little-endian 64-bit floating-point number (IEEE 754).
  func double(at offset: Int) -> Double? { littleEndian(UInt64.self, at: offset).map(Double.init(bitPattern:)) }

  /// Reads a fraction that consists of two integers. Cameras write 0/0 if the seconds are missing, which this reads as
  /// 0.
  func rational<Value: FixedWidthInteger>(
    _ type: Value.Type = UInt32.self, at offset: Int, isLittle: Bool
  ) -> Double? {
    guard let numerator = integer(type, at: offset, isLittle: isLittle),
      let denominator = integer(type, at: offset + Value.bitWidth / 8, isLittle: isLittle)
    else { return nil }
    if denominator == 0 { return numerator == 0 ? 0 : nil }
    return Double(numerator) / Double(denominator)
  }

  /// Reads degrees, minutes and seconds that are stored as consecutive fractions, as in Exif.
  /// - Parameter partCount: the number of fractions that are present, from 1 to 3.
  func readDegreesFromFractions<Value: FixedWidthInteger>(
    _ type: Value.Type = UInt32.self, at offset: Int, isLittle: Bool = false, partCount: Int = 3
  ) -> Double? {
    var degrees = 0.0
    for (index, unit) in [1.0, 60, 3600].prefix(partCount).enumerated() {
      let start = offset + Value.bitWidth / 4 * index
      guard let part = rational(type, at: start, isLittle: isLittle) else { return nil }
      degrees += part / unit
    }
    return degrees
  }

  func text(at offset: Int, count: Int) -> String? {
    bytes(at: offset, count: count).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Reads a number with a fixed number of decimal digits, at most 18.
  func digits(at offset: Int, count: Int) -> Int? {
    guard count <= 18, let text = bytes(at: offset, count: count), text.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return text.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  func matches(_ text: String, at offset: Int) -> Bool { matches(Array(text.utf8), at: offset) }

  func matches(_ pattern: [UInt8], at offset: Int) -> Bool {
    bytes(at: offset, count: pattern.count)?.elementsEqual(pattern) ?? false
  }

  /// Returns the offset of the first occurrence of a string.
  func offset(of text: String) -> Int? {
    let word = Array(text.utf8)
    guard let first = word.first, count >= word.count else { return nil }
    return (0...count - word.count).first { byte(at: $0) == first && matches(word, at: $0) }
  }

  func fourCC(at offset: Int) -> FourCC? { bigEndian(UInt32.self, at: offset).map(FourCC.init) }

  func latitudeHemisphere(at offset: Int) -> Hemisphere? { .latitudeHemisphere(byte(at: offset)) }
  func longitudeHemisphere(at offset: Int) -> Hemisphere? { .longitudeHemisphere(byte(at: offset)) }
}

extension ByteSource {
  /// Returns the first bytes of a range, by default up to 1 MB.
  func fields(in range: Range<Int64>, atMost limit: Int = 1 << 20) throws(ISOMediaError) -> RecordFields {
    RecordFields(try bytes(in: range, atMost: limit))
  }
}

extension [UInt8] {
  /// Creates the bytes of a UUID or a universal label from hexadecimal digits. Hyphens are ignored.
  package init(hexadecimal text: String) {
    let digits = text.compactMap(\.hexDigitValue)
    self = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
