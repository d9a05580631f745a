/// Concatenates the fields of a record: bytes, text, lists of bytes. Each line is a field, which also avoids long sums
/// that are slow to compile.
@resultBuilder
enum FieldBuilder {
  static func buildExpression(_ bytes: [UInt8]) -> [UInt8] { bytes }
  static func buildExpression(_ bytes: ArraySlice<UInt8>) -> [UInt8] { Array(bytes) }
  static func buildExpression(_ byte: UInt8) -> [UInt8] { [byte] }
  static func buildExpression(_ text: String) -> [UInt8] { Array(text.utf8) }
  static func buildBlock(_ fields: [UInt8]...) -> [UInt8] { Array(fields.joined()) }
}

/// The bytes of a record.
func record(@FieldBuilder _ fields: () -> [UInt8]) -> [UInt8] { fields() }

/// The concatenated records of several values. `body` gets each value with its index.
func records<Value>(_ values: [Value], @FieldBuilder _ fields: (Int, Value) -> [UInt8]) -> [UInt8] {
  values.enumerated().flatMap { fields($0.offset, $0.element) }
}

// MARK: Numbers

func big<Value: FixedWidthInteger>(_ type: Value.Type, _ values: Value...) -> [UInt8] {
  values.flatMap(\.bigEndianBytes)
}

func little<Value: FixedWidthInteger>(_ type: Value.Type, _ values: Value...) -> [UInt8] {
  values.flatMap(\.littleEndianBytes)
}

func littleFloats(_ values: Double...) -> [UInt8] { values.flatMap { Float($0).bitPattern.littleEndianBytes } }

func littleDoubles(_ values: Double...) -> [UInt8] { values.flatMap { $0.bitPattern.littleEndianBytes } }

/// A number of zeros.
func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

extension FixedWidthInteger {
  var bigEndianBytes: [UInt8] {
    stride(from: bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> $0) }
  }

  var littleEndianBytes: [UInt8] { bigEndianBytes.reversed() }
}

extension Double {
  /// An integer multiple of a fraction.
  func fixed<Value: FixedWidthInteger>(_ parts: Double) -> Value {
    Value((self * parts).rounded())
  }
}

extension [UInt8] {
  /// Padded with zeros to a length.
  func padded(to count: Int) -> [UInt8] { self + zeros(Swift.max(0, count - self.count)) }
}

extension String {
  /// The bytes, padded with zeros to a length.
  func padded(to count: Int) -> [UInt8] { Array(utf8).padded(to: count) }
}
