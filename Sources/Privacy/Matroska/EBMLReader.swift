internal import ISOMedia

/// One element of an EBML document (RFC 8794): where it is, not what is in it.
struct EBMLElement: Equatable {
  /// With its length marker, as the specifications print it: `0x1A45DFA3`.
  var id: UInt32
  /// Which of its kind in its parent, from 1.
  var ordinal: Int
  /// Header and payload, in bytes of the file; never beyond the parent.
  var range: Range<Int64>
  var headerSize: Int
  /// Written before its size was known: it goes on until something that cannot be inside it.
  var hasUnknownSize: Bool
  /// Bytes that the header claims behind the end of the parent: damage, or a truncated file.
  var overrun: Int64

  var payload: Range<Int64> { range.lowerBound + Int64(headerSize)..<range.upperBound }
}

/// Walks the elements of a range, one header at a time. It ends at the first thing that is no element.
struct EBMLReader {
  private let source: any ByteSource
  private let end: Int64
  private var position: Int64
  private var counts: [UInt32: Int] = [:]
  /// More kinds than any format has; a hostile file must not fill the memory.
  private static let countLimit = 512
  /// Why it ended before the end of the range.
  private(set) var problem: String?

  init(source: any ByteSource, range: Range<Int64>) {
    self.source = source
    position = max(0, range.lowerBound)
    end = min(range.upperBound, source.byteCount)
  }

  /// Bytes that no element accounts for; complete once `next` has given `nil`.
  var rest: Range<Int64> { position..<max(position, end) }

  mutating func next() throws(ISOMediaError) -> EBMLElement? {
    guard problem == nil, position < end else { return nil }
    // Four bytes of id and eight of size at most.
    var cursor = ByteCursor(try source.bytes(in: position..<end, atMost: 12))
    guard let id = cursor.elementID(), let size = cursor.elementSize() else {
      problem = "no element at byte \(position)"
      return nil
    }
    let start = position
    let header = cursor.position
    let left = end - start - Int64(header)
    position = start + Int64(header) + min(size.value ?? left, left)
    let count = counts[id, default: 0] + 1
    if counts.count < Self.countLimit { counts[id] = count }
    return EBMLElement(
      id: id, ordinal: count, range: start..<position, headerSize: header, hasUnknownSize: size.value == nil,
      overrun: max(0, (size.value ?? 0) - left))
  }

  /// Goes on with the first child of an element instead of what follows it.
  mutating func enter(_ element: EBMLElement) { position = element.payload.lowerBound }
}

extension EBMLReader {
  /// `matroska` or `webm`; `nil` when it is no EBML document.
  static func docType(of source: any ByteSource) throws(ISOMediaError) -> String? {
    var reader = EBMLReader(source: source, range: 0..<source.byteCount)
    guard let header = try reader.next(), header.id == MatroskaSchema.ebmlHeader else { return nil }
    var fields = EBMLReader(source: source, range: header.payload)
    while let field = try fields.next() {
      guard field.id == MatroskaSchema.docType else { continue }
      return String(decoding: try source.bytes(in: field.payload, atMost: 32).prefix { $0 != 0 }, as: UTF8.self)
    }
    return "matroska"  // the default of the specification
  }
}

extension EBMLReader {
  /// The description of all tracks (`Tracks`); `nil` when it is not in front of an element without a size.
  static func tracks(of source: any ByteSource) throws(ISOMediaError) -> EBMLElement? {
    var reader = EBMLReader(source: source, range: 0..<source.byteCount)
    while let element = try reader.next() {
      switch element.id {
      case MatroskaSchema.segment: reader.enter(element)
      case MatroskaSchema.tracks: return element
      default: if element.hasUnknownSize { return nil }
      }
    }
    return nil
  }
}

extension ByteCursor {
  /// One to four bytes; the number of leading zero bits of the first is how many follow.
  mutating func elementID() -> UInt32? {
    guard let first = u8(), first.leadingZeroBitCount < 4 else { return nil }
    var id = UInt32(first)
    for _ in 0..<first.leadingZeroBitCount {
      guard let byte = u8() else { return nil }
      id = id << 8 | UInt32(byte)
    }
    return id
  }

  /// One to eight bytes, without the length marker; all ones mean "unknown", which is `value == nil`.
  mutating func elementSize() -> (value: Int64?, length: Int)? {
    guard let first = u8(), first != 0 else { return nil }
    let length = first.leadingZeroBitCount + 1
    var value = UInt64(first) & (0xFF >> UInt64(length))
    for _ in 1..<length {
      guard let byte = u8() else { return nil }
      value = value << 8 | UInt64(byte)
    }
    return (value == (1 << UInt64(7 * length)) - 1 ? nil : Int64(value), length)
  }
}
