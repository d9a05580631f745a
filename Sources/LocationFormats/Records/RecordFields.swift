internal import ISOMedia

/// A binary structure with values at fixed offsets. Reads outside the structure return `nil`.
struct RecordFields {
  let bytes: ArraySlice<UInt8>

  init(_ bytes: some Collection<UInt8>) { self.bytes = Array(bytes)[...] }
  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  var count: Int { bytes.count }

  func bytes(at offset: Int, count: Int) -> ArraySlice<UInt8>? {
    guard offset >= 0, count >= 0, count <= self.count, offset <= self.count - count else { return nil }
    return bytes[bytes.startIndex + offset..<bytes.startIndex + offset + count]
  }

  /// A nested structure that starts at an offset.
  func record(at offset: Int, count: Int) -> RecordFields? { bytes(at: offset, count: count).map { RecordFields($0) } }

  func byte(at offset: Int) -> UInt8? { bytes(at: offset, count: 1)?.first }

  func little<Value: FixedWidthInteger>(_: Value.Type, at offset: Int) -> Value? {
    bytes(at: offset, count: Value.bitWidth / 8)?.reversed().reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
  }

  func big<Value: FixedWidthInteger>(_: Value.Type, at offset: Int) -> Value? {
    bytes(at: offset, count: Value.bitWidth / 8)?.reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
  }

  func integer<Value: FixedWidthInteger>(_ type: Value.Type, at offset: Int, isLittle: Bool) -> Value? {
    isLittle ? little(type, at: offset) : big(type, at: offset)
  }

  /// Reads a little-endian 32-bit IEEE 754 number.
  func float(at offset: Int) -> Double? { little(UInt32.self, at: offset).map { Double(Float(bitPattern: $0)) } }
  /// Reads a little-endian 64-bit IEEE 754 number.
  func double(at offset: Int) -> Double? { little(UInt64.self, at: offset).map(Double.init(bitPattern:)) }

  /// Reads a fraction of two integers. Cameras write 0/0 for missing seconds, which is read as 0.
  func rational<Value: FixedWidthInteger>(
    _ type: Value.Type = UInt32.self, at offset: Int, isLittle: Bool
  ) -> Double? {
    guard let numerator = integer(type, at: offset, isLittle: isLittle),
      let denominator = integer(type, at: offset + Value.bitWidth / 8, isLittle: isLittle)
    else { return nil }
    if denominator == 0 { return numerator == 0 ? 0 : nil }
    return Double(numerator) / Double(denominator)
  }

  /// Reads degrees, minutes and seconds as consecutive fractions, as in Exif.
  /// - Parameter partCount: the number of parts that are present, 1 to 3.
  func degreesOfRationals<Value: FixedWidthInteger>(
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

  func has(_ text: String, at offset: Int) -> Bool { has(Array(text.utf8), at: offset) }

  func has(_ pattern: [UInt8], at offset: Int) -> Bool {
    bytes(at: offset, count: pattern.count)?.elementsEqual(pattern) ?? false
  }

  /// The offset of the first occurrence of a text.
  func offset(of text: String) -> Int? {
    let word = Array(text.utf8)
    guard let first = word.first, count >= word.count else { return nil }
    return (0...count - word.count).first { byte(at: $0) == first && has(word, at: $0) }
  }

  func fourCC(at offset: Int) -> FourCC? { big(UInt32.self, at: offset).map(FourCC.init) }

  func northSouth(at offset: Int) -> Hemisphere? { .northSouth(byte(at: offset)) }
  func eastWest(at offset: Int) -> Hemisphere? { .eastWest(byte(at: offset)) }
}

extension ByteSource {
  /// The first bytes of a range, 1 MB by default.
  func fields(in range: Range<Int64>, atMost limit: Int = 1 << 20) throws(ISOMediaError) -> RecordFields {
    RecordFields(try bytes(in: range, atMost: limit))
  }
}

extension [UInt8] {
  /// Creates the bytes of a UUID or a universal label. Hyphens are ignored.
  package init(hexadecimal text: String) {
    let digits = text.compactMap(\.hexDigitValue)
    self = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
