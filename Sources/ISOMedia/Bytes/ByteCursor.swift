/// Reads big-endian values in sequence. Past the end, every read returns `nil`.
public struct ByteCursor {
  /// All bytes, including those that have already been read.
  public let bytes: [UInt8]
  /// The index of the next byte.
  public private(set) var position = 0

  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The number of remaining bytes.
  public var remaining: Int { bytes.count - position }

  /// Reads one byte; `nil` at the end.
  public mutating func u8() -> UInt8? { unsigned(byteCount: 1).map { UInt8(truncatingIfNeeded: $0) } }
  /// Reads two bytes; `nil` if fewer remain.
  public mutating func u16() -> UInt16? { unsigned(byteCount: 2).map { UInt16(truncatingIfNeeded: $0) } }
  /// Reads four bytes; `nil` if fewer remain.
  public mutating func u32() -> UInt32? { unsigned(byteCount: 4).map { UInt32(truncatingIfNeeded: $0) } }
  /// Reads eight bytes; `nil` if fewer remain.
  public mutating func u64() -> UInt64? { unsigned(byteCount: 8) }
  /// Reads four characters; `nil` if fewer bytes remain.
  public mutating func fourCC() -> FourCC? { u32().map(FourCC.init) }
  /// Reads eight or four bytes; `nil` if fewer remain.
  mutating func unsigned(is64Bit: Bool) -> UInt64? { unsigned(byteCount: is64Bit ? 8 : 4) }
  /// Reads the version and flags of a full box. In version 1, times and durations have 64 bits.
  mutating func header() -> (is64Bit: Bool, flags: UInt32)? { u32().map { ($0 >> 24 == 1, $0 & 0xFF_FFFF) } }

  /// Skips bytes. If fewer remain, it moves to the end and returns `false`.
  public mutating func skip(_ count: Int) -> Bool {
    let isAvailable = count >= 0 && count <= remaining
    position = isAvailable ? position + count : bytes.count
    return isAvailable
  }

  /// Reads bytes. If fewer remain, it moves to the end and returns `nil`.
  public mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    let start = position
    return skip(count) ? bytes[start..<position] : nil
  }

  /// Reads up to eight bytes; `nil` if fewer remain. Avoids creating a slice, because tables contain a value for every
  /// sample.
  mutating func unsigned(byteCount count: Int) -> UInt64? {
    let start = position
    guard skip(count) else { return nil }
    var value: UInt64 = 0
    for index in start..<position { value = value << 8 | UInt64(bytes[index]) }
    return value
  }
}
