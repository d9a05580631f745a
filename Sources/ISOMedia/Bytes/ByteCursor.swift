/// Reads big-endian values one after the other; `nil` behind the end, and from then on.
public struct ByteCursor {
  /// All of them, read or not.
  public let bytes: [UInt8]
  /// Index of the byte that is read next.
  public private(set) var position = 0

  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// How many bytes are left.
  public var remaining: Int { bytes.count - position }

  /// One byte; `nil` when none is left.
  public mutating func u8() -> UInt8? { integer(bytes: 1).map { UInt8(truncatingIfNeeded: $0) } }
  /// Two bytes; `nil` when fewer are left.
  public mutating func u16() -> UInt16? { integer(bytes: 2).map { UInt16(truncatingIfNeeded: $0) } }
  /// Four bytes; `nil` when fewer are left.
  public mutating func u32() -> UInt32? { integer(bytes: 4).map { UInt32(truncatingIfNeeded: $0) } }
  /// Eight bytes; `nil` when fewer are left.
  public mutating func u64() -> UInt64? { integer(bytes: 8) }
  /// Four characters; `nil` when fewer bytes are left.
  public mutating func fourCC() -> FourCC? { u32().map(FourCC.init) }

  /// `false`, and at the end, when fewer bytes are left.
  public mutating func skip(_ count: Int) -> Bool {
    let isThere = count >= 0 && count <= remaining
    position = isThere ? position + count : bytes.count
    return isThere
  }

  /// The next bytes; `nil`, and at the end, when fewer are left.
  public mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    let start = position
    return skip(count) ? bytes[start..<position] : nil
  }

  /// Without a slice: tables have one of these for every sample.
  private mutating func integer(bytes count: Int) -> UInt64? {
    let start = position
    guard skip(count) else { return nil }
    var value: UInt64 = 0
    for index in start..<position { value = value << 8 | UInt64(bytes[index]) }
    return value
  }
}
