/// Walks the boxes of a range, one header at a time (ISO/IEC 14496-12, section 4.2).
///
/// Every box it gives lies inside the range. It ends at the first thing that is no box and says so in `problem`.
public struct BoxReader {
  private let source: any ByteSource
  private let path: String
  private let end: Int64
  private var counts: [FourCC: Int] = [:]
  private var position: Int64
  /// Why it ended before the end of the range; `nil` for a clean end and for padding with zeros.
  public private(set) var problem: String?

  /// The boxes at the top of a file.
  public init(source: any ByteSource) {
    self.init(source: source, range: 0..<source.byteCount, path: "")
  }

  /// The boxes inside a box, behind the first bytes of its payload.
  public init(source: any ByteSource, childrenOf box: Box, skipping count: Int64 = 0) {
    self.init(source: source, range: box.payload(skipping: count), path: box.path)
  }

  /// The boxes of any range.
  /// - Parameters:
  ///   - source: the file's bytes.
  ///   - range: bytes of the file; cut to what there is.
  ///   - path: what the boxes' paths begin with; empty at the top, where unknown types are not believed.
  public init(source: any ByteSource, range: Range<Int64>, path: String) {
    self.source = source
    self.path = path
    position = max(0, range.lowerBound)
    end = min(range.upperBound, source.byteCount)
  }

  /// Bytes that no box accounts for; complete once `next` has given `nil`.
  public var rest: Range<Int64> { position..<max(position, end) }

  private var isTopLevel: Bool { path.isEmpty }

  /// Boxes at the top that are believed even when they claim more than there is: then the file is cut off.
  private static let topLevelTypes: Set<FourCC> = [
    "ftyp", "styp", "moov", "mdat", "moof", "mfra", "sidx", "ssix", "emsg", "prft", "free", "skip", "wide", "pnot",
    "uuid",
    "meta", "udta",
  ]

  /// The next box; `nil` at the end, or at something that is none.
  public mutating func next() throws(ISOMediaError) -> Box? {
    guard problem == nil, end - position >= 8 else { return nil }
    var cursor = ByteCursor(try source.bytes(at: position, count: Int(min(32, end - position))))
    guard let size32 = cursor.u32(), let type = cursor.fourCC() else { return nil }
    if size32 == 0, type.rawValue == 0 { return nil }  // padding; user data also ends with a zero
    // What follows the last box at the top is somebody's trailer more often than a box of an unknown type.
    if isTopLevel, !type.isPrintable { return stop("no box at byte \(position)") }

    let left = UInt64(end - position)
    var size = UInt64(size32)
    if size32 == 1 {
      guard let size64 = cursor.u64() else { return stop("\(type) at byte \(position) has no room for its size") }
      size = size64
    } else if size32 == 0 {
      size = left  // up to the end
    }
    // Text or a table behind the last box can look like the header of one that is far too large.
    if isTopLevel, size > left, !Self.topLevelTypes.contains(type) { return stop("no box at byte \(position)") }
    var headerSize = cursor.position
    guard size >= UInt64(headerSize) else {
      return stop("\(type) at byte \(position) has a size of \(size), less than its header")
    }
    var userType: [UInt8]?
    if type == "uuid", min(size, left) >= UInt64(headerSize + 16) {
      userType = cursor.take(16).map(Array.init)
      headerSize = cursor.position
    }
    let start = position
    position += Int64(min(size, left))
    return Box(
      type: type, userType: userType, path: childPath(type), range: start..<position, headerSize: headerSize,
      overrun: size > left ? Int64(clamping: size - left) : 0)
  }

  /// All boxes that are left.
  public mutating func all() throws(ISOMediaError) -> [Box] {
    var boxes: [Box] = []
    while let box = try next() { boxes.append(box) }
    return boxes
  }

  private mutating func stop(_ problem: String) -> Box? {
    self.problem = isTopLevel ? problem : "\(path): \(problem)"
    return nil
  }

  private mutating func childPath(_ type: FourCC) -> String {
    let count = counts[type, default: 0] + 1
    counts[type] = count
    return (isTopLevel ? "" : path + "/") + type.description + (count > 1 ? "[\(count)]" : "")
  }
}
