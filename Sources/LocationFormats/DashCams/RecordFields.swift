internal import ISOMedia

/// A camera's structure with its values at fixed offsets, most of them little-endian; `nil` outside.
struct RecordFields {
  let bytes: ArraySlice<UInt8>

  init(_ bytes: some Collection<UInt8>) { self.bytes = Array(bytes)[...] }
  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  var count: Int { bytes.count }

  func bytes(at offset: Int, count: Int) -> ArraySlice<UInt8>? {
    guard offset >= 0, count >= 0, count <= self.count, offset <= self.count - count else { return nil }
    return bytes[bytes.startIndex + offset..<bytes.startIndex + offset + count]
  }

  /// The structure from an offset on, for records inside a block.
  func record(at offset: Int, count: Int) -> RecordFields? { bytes(at: offset, count: count).map { RecordFields($0) } }

  func byte(at offset: Int) -> UInt8? { bytes(at: offset, count: 1)?.first }

  func little<Value: FixedWidthInteger>(_: Value.Type, at offset: Int) -> Value? {
    bytes(at: offset, count: Value.bitWidth / 8)?.reversed().reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
  }

  func big<Value: FixedWidthInteger>(_: Value.Type, at offset: Int) -> Value? {
    bytes(at: offset, count: Value.bitWidth / 8)?.reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
  }

  /// IEEE 754 numbers, little-endian.
  func integer<Value: FixedWidthInteger>(_ type: Value.Type, at offset: Int, isLittle: Bool) -> Value? {
    isLittle ? little(type, at: offset) : big(type, at: offset)
  }

  func float(at offset: Int) -> Double? { little(UInt32.self, at: offset).map { Double(Float(bitPattern: $0)) } }
  func double(at offset: Int) -> Double? { little(UInt64.self, at: offset).map(Double.init(bitPattern:)) }

  func text(at offset: Int, count: Int) -> String? {
    bytes(at: offset, count: count).map { String(decoding: $0, as: UTF8.self) }
  }

  func has(_ text: String, at offset: Int) -> Bool { has(Array(text.utf8), at: offset) }

  func has(_ pattern: [UInt8], at offset: Int) -> Bool {
    bytes(at: offset, count: pattern.count)?.elementsEqual(pattern) ?? false
  }

  /// Where a text stands first.
  func offset(of text: String) -> Int? {
    let word = Array(text.utf8)
    guard let first = word.first, count >= word.count else { return nil }
    return (0...count - word.count).first { byte(at: $0) == first && has(word, at: $0) }
  }

  func fourCC(at offset: Int) -> FourCC? { big(UInt32.self, at: offset).map(FourCC.init) }
}
