/// The location of one box (an atom in QuickTime) in a file. It doesn't contain the content.
public struct Box: Equatable, Sendable {
  /// The four-character code: `moov`, `mdat`.
  public var type: FourCC
  /// The 16 bytes after the header of a `uuid` box.
  public var userType: [UInt8]?
  /// The path of box types from the top level. The second box of a type is numbered: `moov/trak[2]/udta/©xyz`.
  public var path: String
  /// The range of the header and payload in the file, which never exceeds the parent.
  public var range: Range<Int64>
  /// The size of the header: 8, or 16 with a 64-bit size, plus 16 with a user type.
  public var headerSize: Int
  /// The number of bytes that the header declares beyond the end of the parent or file. The file is damaged or
  /// truncated if this isn't 0.
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

  /// The range of the content after the header, in the file.
  public var payload: Range<Int64> { range.lowerBound + Int64(headerSize)..<range.upperBound }

  /// The payload after its first bytes, which contain the fields of a full box or sample entry.
  public func payload(skipping count: Int64) -> Range<Int64> {
    min(payload.lowerBound + count, range.upperBound)..<range.upperBound
  }
}
