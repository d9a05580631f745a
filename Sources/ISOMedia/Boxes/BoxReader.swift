/// Iterates over the boxes in a byte range, reading one header at a time (ISO/IEC 14496-12, section 4.2).
///
/// Every returned box is inside the range. Iteration stops at the first bytes that aren't a valid box; see `problem`.
public struct BoxReader {
  private let source: any ByteSource
  private let path: String
  private let end: Int64
  private var counts: [FourCC: Int] = [:]
  private var position: Int64
  /// The reason why iteration stopped before the end of the range; `nil` if it reached the end or zero padding.
  public private(set) var problem: String?

  /// Creates a reader for a file's top-level boxes.
  public init(source: any ByteSource) {
    self.init(source: source, range: 0..<source.byteCount, path: "")
  }

  /// Creates a reader for a box's child boxes, skipping the first `count` bytes of the payload.
  public init(source: any ByteSource, childrenOf box: Box, skipping count: Int64 = 0) {
    self.init(source: source, range: box.payload(skipping: count), path: box.path)
  }

  /// Creates a reader for the boxes in a byte range.
  /// - Parameters:
  ///   - source: the bytes of the file.
  ///   - range: a byte range in the file, clamped to the file's size.
  ///   - path: the path prefix of the boxes. At the top level, the path is empty, and unknown box types are not
  ///     trusted.
  public init(source: any ByteSource, range: Range<Int64>, path: String) {
    self.source = source
    self.path = path
    position = max(0, range.lowerBound)
    end = min(range.upperBound, source.byteCount)
  }

  /// The range of bytes that don't belong to any box. It's only complete after `next` has returned `nil`.
  public var rest: Range<Int64> { position..<max(position, end) }

  private var isTopLevel: Bool { path.isEmpty }

  /// Top-level box types that are accepted even if they extend past the end of the file, because the file may be
  /// truncated.
  private static let topLevelTypes: Set<FourCC> = [
    "ftyp", "styp", "moov", "mdat", "moof", "mfra", "sidx", "ssix", "emsg", "prft", "free", "skip", "wide", "pnot",
    "uuid", "meta", "udta",
  ]

  /// Returns the next box; `nil` at the end, or if the next bytes aren't a box.
  public mutating func next() throws(ISOMediaError) -> Box? {
    guard problem == nil, end - position >= 8 else { return nil }
    var cursor = ByteCursor(try source.bytes(at: position, count: Int(min(32, end - position))))
    guard let size32 = cursor.u32(), let type = cursor.fourCC() else { return nil }
    if size32 == 0, type.rawValue == 0 { return nil }  // Padding. User data may also end with a zero.
    // Data after the last top-level box is usually a trailer, not a box of an unknown type.
    if isTopLevel, !type.isPrintable { return endIteration("no valid box at byte \(position)") }

    let left = UInt64(end - position)
    var size = UInt64(size32)
    if size32 == 1 {
      guard let size64 = cursor.u64() else { return endIteration("\(type) at byte \(position) has an incomplete size") }
      size = size64
    } else if size32 == 0 {
      size = left  // The box extends to the end.
    }
    // Trailing data that isn't a box may look like the header of a huge box.
    if isTopLevel, size > left, !Self.topLevelTypes.contains(type) {
      return endIteration("no valid box at byte \(position)")
    }
    var headerSize = cursor.position
    guard size >= UInt64(headerSize) else {
      return endIteration("\(type) at byte \(position) has a size of \(size) bytes, less than its header")
    }
    var userType: [UInt8]?
    if type == "uuid", min(size, left) >= UInt64(headerSize + 16) {
      userType = cursor.take(16).map(Array.init)
      headerSize = cursor.position
    }
    let start = position
    position += Int64(min(size, left))
    return Box(
      type: type, userType: userType, path: makeChildPath(type), range: start..<position, headerSize: headerSize,
      overrun: size > left ? Int64(clamping: size - left) : 0)
  }

  /// Returns all remaining boxes in the range.
  public mutating func remainingBoxes() throws(ISOMediaError) -> [Box] {
    var boxes: [Box] = []
    while let box = try next() { boxes.append(box) }
    return boxes
  }

  private mutating func endIteration(_ problem: String) -> Box? {
    self.problem = isTopLevel ? problem : "\(path): \(problem)"
    return nil
  }

  private mutating func makeChildPath(_ type: FourCC) -> String {
    let count = counts[type, default: 0] + 1
    counts[type] = count
    return (isTopLevel ? "" : path + "/") + type.description + (count > 1 ? "[\(count)]" : "")
  }
}
