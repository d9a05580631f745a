/// Reads big-endian values in sequence. At the end of the bytes, every read returns `nil`.
public struct ByteCursor {
  /// All bytes, including those that have already been read.
  public let bytes: [UInt8]
  /// The index of the next byte to read.
  public private(set) var position = 0

  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The number of remaining bytes.
  public var remaining: Int { bytes.count - position }

  /// Reads one byte; returns `nil` at the end.
  public mutating func u8() -> UInt8? { unsigned(byteCount: 1).map { UInt8(truncatingIfNeeded: $0) } }
  /// Reads a 16-bit integer; returns `nil` if fewer than two bytes remain.
  public mutating func u16() -> UInt16? { unsigned(byteCount: 2).map { UInt16(truncatingIfNeeded: $0) } }
  /// Reads a 32-bit integer; returns `nil` if fewer than four bytes remain.
  public mutating func u32() -> UInt32? { unsigned(byteCount: 4).map { UInt32(truncatingIfNeeded: $0) } }
  /// Reads a 64-bit integer; returns `nil` if fewer than eight bytes remain.
  public mutating func u64() -> UInt64? { unsigned(byteCount: 8) }
  /// Reads a four-character code; returns `nil` if fewer than four bytes remain.
  public mutating func fourCC() -> FourCC? { u32().map(FourCC.init) }
  /// Reads a 64-bit or 32-bit integer; returns `nil` if too few bytes remain.
  mutating func unsigned(is64Bit: Bool) -> UInt64? { unsigned(byteCount: is64Bit ? 8 : 4) }
  /// Reads the version and flags of a full box. In version 1, times and durations are 64-bit values.
  mutating func fullBoxHeader() -> (is64Bit: Bool, flags: UInt32)? { u32().map { ($0 >> 24 == 1, $0 & 0xFF_FFFF) } }

  /// Skips bytes. If too few bytes remain, the cursor moves to the end, and the method returns `false`.
  public mutating func skip(_ count: Int) -> Bool {
    let isAvailable = count >= 0 && count <= remaining
    position = isAvailable ? position + count : bytes.count
    return isAvailable
  }

  /// Reads bytes. If too few bytes remain, the cursor moves to the end, and the method returns `nil`.
  public mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    let start = position
    return skip(count) ? bytes[start..<position] : nil
  }

  /// Reads an integer of up to eight bytes; returns `nil` if too few bytes remain. Doesn't create a slice, because
  /// sample tables contain a value for every sample.
  mutating func unsigned(byteCount count: Int) -> UInt64? {
    let start = position
    guard skip(count) else { return nil }
    var value: UInt64 = 0
    for index in start..<position { value = value << 8 | UInt64(bytes[index]) }
    return value
  }
}
