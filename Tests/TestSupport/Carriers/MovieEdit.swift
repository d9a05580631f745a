public import ISOMedia

/// Edits an MP4 or QuickTime file of another program: inserts boxes, adds timed tracks, and updates all sample
/// offsets. It trusts its input, which comes only from tests.
public struct MovieEdit {
  /// A top-level box, or bytes that aren't a box.
  struct Part {
    var bytes: [UInt8]
    /// The position before the change. New parts start after the old end, so that each offset belongs to one part.
    var addresses: Range<Int>
  }

  var parts: [Part] = []
  private var nextAddress: Int

  /// A file without `moov` cannot be edited.
  public init(_ file: [UInt8]) throws {
    var reader = BoxReader(source: MemoryBytes(file))
    for box in try reader.remainingBoxes() {
      let range = Int(box.range.lowerBound)..<Int(box.range.upperBound)
      parts.append(Part(bytes: Array(file[range]), addresses: range))
    }
    nextAddress = file.count
    guard parts.contains(where: { Self.type(of: $0.bytes) == "moov" }) else {
      throw ClipFactory.Failure(description: "no moov in the clip")
    }
  }

  // MARK: Top-level boxes

  /// Adds bytes at the end.
  /// - Returns: the offset for sample tables; `bytes` converts it to the real one.
  @discardableResult
  public mutating func append(_ bytes: [UInt8]) -> Int { insert(bytes, at: parts.count) }

  /// Adds bytes before the first box of a type, or at the end.
  @discardableResult
  public mutating func insert(_ bytes: [UInt8], before type: FourCC) -> Int {
    insert(bytes, at: parts.firstIndex { Self.type(of: $0.bytes) == type } ?? parts.count)
  }

  private mutating func insert(_ bytes: [UInt8], at index: Int) -> Int {
    defer { nextAddress += bytes.count }
    parts.insert(Part(bytes: bytes, addresses: nextAddress..<nextAddress + bytes.count), at: index)
    return nextAddress
  }

  // MARK: Inside boxes

  /// Adds boxes at the end of a container: `["moov", "udta"]`. Missing containers are created. If several have the
  /// same name, the first one is used.
  package mutating func insert(into path: [FourCC], _ content: (inout BoxWriter) -> Void) throws {
    var writer = BoxWriter()
    content(&writer)
    let index = parts.firstIndex { Self.type(of: $0.bytes) == path.first } ?? parts.count
    if index == parts.count { _ = insert(Self.box(path.first ?? "free", []), at: index) }
    parts[index].bytes = try Self.inserting(writer.bytes, into: path.dropFirst(), of: parts[index].bytes)
  }

  /// Removes the metadata of the program that wrote the file.
  public mutating func removeUserData() throws {
    for index in parts.indices where Self.type(of: parts[index].bytes) == "moov" {
      let children = try Self.children(of: Array(parts[index].bytes.dropFirst(8)))
      parts[index].bytes = Self.box("moov", children.filter { Self.type(of: $0) != "udta" }.joined())
    }
  }

  private static func inserting(
    _ content: [UInt8], into path: ArraySlice<FourCC>, of box: [UInt8]
  ) throws -> [UInt8] {
    let payload = Array(box.dropFirst(8))
    guard let name = path.first else { return Self.box(type(of: box), payload + content) }
    var reader = BoxReader(source: MemoryBytes(payload))
    guard let child = try reader.remainingBoxes().first(where: { $0.type == name }) else {
      let child = try inserting(content, into: path.dropFirst(), of: Self.box(name, []))
      return Self.box(type(of: box), payload + child)
    }
    let range = Int(child.range.lowerBound)..<Int(child.range.upperBound)
    let changed = try inserting(content, into: path.dropFirst(), of: Array(payload[range]))
    return Self.box(type(of: box), payload[..<range.lowerBound] + changed + payload[range.upperBound...])
  }

  /// Adds boxes to the first movie fragment, and increases the data offset of each of its runs (`trun`) by their
  /// size.
  public mutating func insertIntoFragment(_ path: [FourCC], _ content: [UInt8]) throws {
    guard let index = parts.firstIndex(where: { Self.type(of: $0.bytes) == "moof" }) else { return }
    let before = parts[index].bytes
    let changed = try Self.inserting(content, into: path[...], of: before)
    parts[index].bytes = try Self.shifted(changed, by: Int32(changed.count - before.count))
  }

  private static func shifted(_ box: [UInt8], by distance: Int32) throws -> [UInt8] {
    let type = type(of: box)
    let payload = Array(box.dropFirst(8))
    switch type {
    case "moof", "traf":
      return Self.box(type, try children(of: payload).flatMap { try shifted($0, by: distance) })
    case "trun" where payload[3] & 1 != 0:
      let offset = payload[8..<12].reduce(0) { $0 << 8 | Int32($1) }
      return Self.box(type, payload[..<8] + (offset + distance).bigEndianBytes + payload[12...])
    default: return box
    }
  }

  static func children(of payload: [UInt8]) throws -> [[UInt8]] {
    var reader = BoxReader(source: MemoryBytes(payload))
    return try reader.remainingBoxes().map { Array(payload[Int($0.range.lowerBound)..<Int($0.range.upperBound)]) }
  }

  // MARK: Tracks

  /// Adds a track with its samples in a separate `mdat` at the end.
  public mutating func add(_ track: TimedTrack) throws {
    let mediaHeaderSize = 8
    let start = append(Self.box("mdat", Array(track.samples.joined()))) + mediaHeaderSize
    let id = try takeTrackID()
    try insert(into: ["moov"]) { track.write(to: &$0, id: id, dataStart: UInt32(start)) }
  }

  /// The last field of `mvhd` is the ID of the next track.
  private mutating func takeTrackID() throws -> UInt32 {
    guard let index = parts.firstIndex(where: { Self.type(of: $0.bytes) == "moov" }) else { return 0 }
    var reader = BoxReader(source: MemoryBytes(Array(parts[index].bytes.dropFirst(8))))
    guard let header = try reader.remainingBoxes().first(where: { $0.type == "mvhd" }) else { return 0 }
    let end = Int(header.range.upperBound) + 8
    let field = end - 4..<end
    let id = parts[index].bytes[field].reduce(0) { $0 << 8 | UInt32($1) }
    parts[index].bytes.replaceSubrange(field, with: (id + 1).bigEndianBytes)
    return id
  }

  static func type(of box: [UInt8]) -> FourCC {
    FourCC(box.dropFirst(4).prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
  }

  static func box(_ type: FourCC, _ payload: some Sequence<UInt8>) -> [UInt8] {
    var writer = BoxWriter()
    writer.box(type) { $0.append(payload) }
    return writer.bytes
  }
}
