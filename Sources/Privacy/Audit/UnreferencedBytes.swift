internal import ISOMedia
internal import LocationFormats

/// Bytes that no format describes: padding, leftovers, attachments, unknown elements.
struct UnreferencedBytes {
  /// What was recognised in them; `nil` for nothing.
  private(set) var finding: PayloadFinding?
  /// Zeros, `0xFF` or spaces only: padding that was never used.
  private(set) var isBlank = true
  /// Printable characters, line ends and zeros only, in UTF-8: text that can be judged as such.
  private(set) var isText = true

  /// Read at once: more than any metadata block of real files, and little memory.
  private static let windowSize = 1 << 20
  /// Windows overlap by as much as a block of Exif is long; what lies in an overlap is counted twice.
  private static let overlap = 64 << 10

  private let search: PositionSearch

  init(_ bytes: [UInt8], search: PositionSearch = .blind) {
    self.search = search
    take(bytes)
  }

  /// Reads a whole range, a window at a time.
  init(
    _ range: Range<Int64>, of source: any ByteSource, search: PositionSearch = .blind
  ) throws(ISOMediaError) {
    self.search = search
    try Self.forEachWindow(of: range, in: source) { bytes, _ in take(bytes) }
  }

  /// Reads a range in pieces that overlap, each with its first byte's offset.
  static func forEachWindow(
    of range: Range<Int64>, in source: any ByteSource, _ body: ([UInt8], Int64) -> Void
  ) throws(ISOMediaError) {
    var position = range.lowerBound
    while position < range.upperBound {
      let bytes = try source.bytes(in: position..<range.upperBound, atMost: windowSize)
      body(bytes, position)
      // Also the end of a file that has become shorter.
      guard bytes.count == windowSize else { return }
      position += Int64(windowSize - overlap)
    }
  }

  static func isBlank(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.allSatisfy { $0 == 0 || $0 == 0xFF || $0 == 0x20 }
  }

  private static func isText(_ bytes: [UInt8]) -> Bool {
    bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || [0, 9, 10, 13].contains($0) }
      && (bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil)
  }

  private mutating func take(_ bytes: [UInt8]) {
    isBlank = isBlank && Self.isBlank(bytes)
    isText = isText && Self.isText(bytes)
    guard !isBlank, let found = search.examine(bytes) else { return }
    if finding == nil { finding = found } else { finding?.trace.add(found.trace) }
  }
}
