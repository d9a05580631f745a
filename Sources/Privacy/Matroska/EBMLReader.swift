internal import ISOMedia

/// The ID and location of an element in an EBML document (RFC 8794).
struct EBMLElement: Equatable, ContainerElement {
  static let term = "element"
  static let smallestHeader: Int64 = 1

  /// The element ID including its length marker, as in the specifications, such as `0x1A45DFA3`.
  var id: UInt32
  var ordinal = 1
  var range: Range<Int64>
  var headerSize: Int
  /// Whether the size was unknown when the element was written. The element then ends before the next element that
  /// can't be its child.
  var hasUnknownSize: Bool
  /// The number of bytes by which the declared size exceeds the parent. If this isn't 0, the file is damaged or
  /// truncated.
  var overrun: Int64

  var kind: UInt32 { id }
  var payload: Range<Int64> { range.lowerBound + Int64(headerSize)..<range.upperBound }
  /// The element name in the specification.
  var name: String { MatroskaSchema.name(of: id) }

  static func read(_ header: inout ByteCursor, at start: Int64, end: Int64) -> (element: EBMLElement, next: Int64)? {
    guard let id = header.readElementID(), let size = header.readElementSize() else { return nil }
    let left = end - start - Int64(header.position)
    let next = start + Int64(header.position) + min(size.value ?? left, left)
    let element = EBMLElement(
      id: id, range: start..<next, headerSize: header.position, hasUnknownSize: size.value == nil,
      overrun: max(0, (size.value ?? 0) - left))
    return (element, next)
  }
}

typealias EBMLReader = ElementReader<EBMLElement>

extension EBMLReader {
  /// Continues with the first child of an element instead of the next sibling.
  mutating func enter(_ element: EBMLElement) { position = element.payload.lowerBound }

  /// Returns the document type, `matroska` or `webm`; `nil` if the source is not an EBML document.
  static func docType(of source: any ByteSource) throws(ISOMediaError) -> String? {
    var reader = EBMLReader(source: source, range: 0..<source.byteCount)
    guard let header = try reader.next(), header.name == "EBML" else { return nil }
    var fields = EBMLReader(source: source, range: header.payload)
    while let field = try fields.next() {
      guard field.name == "DocType" else { continue }
      return String(decoding: try source.bytes(in: field.payload, atMost: 32).prefix { $0 != 0 }, as: UTF8.self)
    }
    return "matroska"  // the default in the specification
  }

  /// Returns the `Tracks` element; `nil` if an element with an unknown size precedes it.
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
  /// Reads an element ID of one to four bytes. The number of leading zero bits in the first byte is the number of bytes
  /// that follow.
  mutating func readElementID() -> UInt32? {
    guard let first = u8(), first.leadingZeroBitCount < 4, let rest = take(first.leadingZeroBitCount) else {
      return nil
    }
    return rest.reduce(UInt32(first)) { $0 << 8 | UInt32($1) }
  }

  /// Reads a size of one to eight bytes, without the length marker. If all bits are ones, the size is unknown, and
  /// `value` is `nil`.
  mutating func readElementSize() -> (value: Int64?, length: Int)? {
    guard let first = u8(), first != 0, let rest = take(first.leadingZeroBitCount) else { return nil }
    let length = first.leadingZeroBitCount + 1
    let value = rest.reduce(UInt64(first) & (0xFF >> UInt64(length))) { $0 << 8 | UInt64($1) }
    return (value == (1 << UInt64(7 * length)) - 1 ? nil : Int64(value), length)
  }
}
