internal import ISOMedia

/// An element of a container format that nests elements.
protocol ContainerElement {
  associatedtype Kind: Hashable
  /// The word for an element of this format in messages, such as `chunk`.
  static var term: String { get }
  static var smallestHeader: Int64 { get }
  var kind: Kind { get }
  /// The one-based number of this element among the elements of the same kind in its parent.
  var ordinal: Int { get set }
  /// The byte range of the header and payload in the file, which never exceeds the parent.
  var range: Range<Int64> { get }

  /// Reads the element header at an offset.
  /// - Parameter end: the end of the parent.
  /// - Returns: the element and the offset of the next one; `nil` if there is no element at the offset.
  static func read(_ header: inout ByteCursor, at start: Int64, end: Int64) -> (element: Self, next: Int64)?
}

/// Reads the elements in a range, one header at a time. Reading stops at the first bytes that aren't a valid element.
struct ElementReader<Element: ContainerElement> {
  private let source: any ByteSource
  private let end: Int64
  var position: Int64
  private var counts: [Element.Kind: Int] = [:]
  /// The maximum number of element kinds, which bounds memory use for malicious files. No format has this many.
  private static var countLimit: Int { 512 }
  /// The reason why reading stopped before the end of the range; `nil` if it didn't.
  private(set) var problem: String?

  init(source: any ByteSource, range: Range<Int64>) {
    self.source = source
    position = max(0, range.lowerBound)
    end = min(range.upperBound, source.byteCount)
  }

  /// The range of bytes after the last element. Only valid after `next` has returned `nil`.
  var rest: Range<Int64> { position..<max(position, end) }

  mutating func next() throws(ISOMediaError) -> Element? {
    guard problem == nil, end - position >= Element.smallestHeader else { return nil }
    var header = ByteCursor(try source.bytes(in: position..<end, atMost: 12))
    guard let (read, next) = Element.read(&header, at: position, end: end) else {
      problem = "no valid \(Element.term) at byte \(position)"
      return nil
    }
    var element = read
    position = next
    element.ordinal = counts[element.kind, default: 0] + 1
    if counts.count < Self.countLimit { counts[element.kind] = element.ordinal }
    return element
  }
}
