/// One box (QuickTime: atom) of a file: where it is, not what is in it.
public struct Box: Equatable, Sendable {
  /// Four characters: `moov`, `mdat`.
  public var type: FourCC
  /// The 16 bytes behind the header of a `uuid` box.
  public var userType: [UInt8]?
  /// The types from the top, the second of its kind numbered: `moov/trak[2]/udta/©xyz`.
  public var path: String
  /// Header and payload, in bytes of the file; never beyond the parent.
  public var range: Range<Int64>
  /// 8, 16 with a 64-bit size, 16 more with a user type.
  public var headerSize: Int
  /// Bytes that the header claims behind the end of the parent (of the file at the top): damage, or a truncated file.
  public var overrun: Int64

  public init(
    type: FourCC, userType: [UInt8]? = nil, path: String, range: Range<Int64>, headerSize: Int = 8, overrun: Int64 = 0
  ) {
    self.type = type
    self.userType = userType
    self.path = path
    self.range = range
    self.headerSize = headerSize
    self.overrun = overrun
  }

  /// What is behind the header, in bytes of the file.
  public var payload: Range<Int64> { range.lowerBound + Int64(headerSize)..<range.upperBound }

  /// What follows the first bytes of the payload, as the fields of a full box or a sample entry.
  public func payload(skipping count: Int64) -> Range<Int64> {
    min(payload.lowerBound + count, range.upperBound)..<range.upperBound
  }
}
