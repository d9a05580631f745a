/// The type and location of a box (called an atom in QuickTime) in a file. The struct doesn't store the box's content.
public struct Box: Equatable, Sendable {
  /// The four-character code, such as `moov` or `mdat`.
  public var type: FourCC
  /// The 16-byte extended type in the header of a `uuid` box; `nil` for other boxes.
  public var userType: [UInt8]?
  /// The path of box types from the top level. Repeated types are numbered, as in `moov/trak[2]/udta/©xyz`.
  public var path: String
  /// The byte range of the header and payload in the file. It never exceeds the parent's range.
  public var range: Range<Int64>
  /// The header size in bytes: 8, or 16 with a 64-bit size, plus 16 if the box has a user type.
  public var headerSize: Int
  /// The number of bytes by which the declared size exceeds the parent or the file. If this isn't 0, the file is
  /// damaged or truncated.
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

  /// The payload's byte range in the file.
  public var payload: Range<Int64> { range.lowerBound + Int64(headerSize)..<range.upperBound }

  /// The byte range of the payload after the given number of bytes, which contain the fields of a full box or a sample
  /// entry.
  public func payload(skipping count: Int64) -> Range<Int64> {
    min(payload.lowerBound + count, range.upperBound)..<range.upperBound
  }
}
