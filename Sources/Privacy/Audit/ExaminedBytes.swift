internal import ISOMedia
internal import LocationFormats

/// The result of searching bytes without a known structure, such as padding, leftover data, attachments and unknown
/// elements.
struct ExaminedBytes {
  /// The positions in the bytes; `nil` if no position format is recognized.
  private(set) var finding: PayloadFinding?
  /// Whether the bytes are unused padding: only zeros, only `0xFF`, or only spaces.
  private(set) var isBlank = true
  /// Whether the bytes are UTF-8 text: only printable characters, line breaks and zeros.
  private(set) var isText = true

  /// The window size in bytes. It is larger than the metadata blocks in real files.
  private static let windowSize = 1 << 20
  /// The overlap of two windows in bytes, which is the maximum size of an Exif block. Positions in an overlap are
  /// counted twice.
  private static let overlap = 64 << 10

  private let search: PositionSearch

  init(_ bytes: [UInt8], search: PositionSearch = .generic) {
    self.search = search
    examine(bytes)
  }

  /// Searches a range, one window at a time.
  init(
    _ range: Range<Int64>, of source: any ByteSource, search: PositionSearch = .generic
  ) throws(ISOMediaError) {
    self.search = search
    try Self.forEachWindow(of: range, in: source) { bytes, _ in examine(bytes) }
  }

  /// Reads a range in overlapping windows, and calls `body` with the offset and bytes of each window.
  static func forEachWindow(
    of range: Range<Int64>, in source: any ByteSource, _ body: ([UInt8], Int64) -> Void
  ) throws(ISOMediaError) {
    var position = range.lowerBound
    while position < range.upperBound {
      let bytes = try source.bytes(in: position..<range.upperBound, atMost: windowSize)
      body(bytes, position)
      // A shorter window is the last one, even if the file has been truncated in the meantime.
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

  private mutating func examine(_ bytes: [UInt8]) {
    isBlank = isBlank && Self.isBlank(bytes)
    isText = isText && Self.isText(bytes)
    if !isBlank, let found = search.examine(bytes) { finding.merge(found) }
  }
}
