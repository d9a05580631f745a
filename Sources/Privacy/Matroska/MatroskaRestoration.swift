internal import ISOMedia
internal import LocationFormats

/// Restores the parts of a track's description that libav doesn't write, such as rotation, cropping and flags.
///
/// The copy is written with a long track name that reserves space in each `TrackEntry`. Then each entry is rewritten in
/// place, with a `Void` element in the remaining space, so that no other bytes in the file move.
struct MatroskaRestoration {
  /// The bytes to write at an offset in the copy.
  struct FilePatch: Equatable {
    var offset: Int64
    var bytes: [UInt8]
  }

  private static let containers: Set = ["Video", "Audio", "Colour", "MasteringMetadata", "Projection"]
  /// The maximum size of a track entry. Except for the decoder configuration, real entries have a few hundred bytes.
  private static let entryLimit: Int64 = 1 << 20
  private static let depthLimit = 4
  private static let name: UInt32 = 0x536E
  private static let checksum: UInt32 = 0xBF

  /// The track entries of the source, in track order.
  private let entries: [Element]
  let search: PositionSearch

  init(_ source: any ByteSource, search: PositionSearch) throws(ISOMediaError) {
    self.search = search
    entries = try Self.readTracks(of: source)?.children.filter { $0.id == MatroskaSchema.trackEntry } ?? []
  }

  var trackCount: Int { entries.count }

  /// Returns a track name that reserves space for the elements to restore; `nil` if there are none.
  func placeholderName(forTrack index: Int, named name: String?) -> String? {
    guard entries.indices.contains(index) else { return nil }
    let missing = missingElements(
      to: Element(id: MatroskaSchema.trackEntry, children: []), from: entries[index], depth: 0)
    guard !missing.isEmpty else { return nil }
    // The size fields of parent elements may become longer.
    let room = missing.reduce(0) { $0 + $1.bytes.count } + 64
    return (name ?? "") + String(repeating: ".", count: room)
  }

  /// Returns the patch that restores the track entries of a copy.
  /// - Parameter tracks: for each track of the copy, the track index in the source, and the track name.
  func makePatch(
    for copy: any ByteSource, tracks: [(source: Int, name: String?)]
  ) throws(ISOMediaError) -> FilePatch? {
    guard let written = try Self.readTracks(of: copy) else { return nil }
    var children: [Element] = []
    var index = 0
    for child in written.children {
      guard child.id == MatroskaSchema.trackEntry, tracks.indices.contains(index) else {
        children.append(child)
        continue
      }
      let (source, name) = tracks[index]
      index += 1
      children.append(entries.indices.contains(source) ? restoreEntry(child, from: entries[source], name: name) : child)
    }
    var content = children.flatMap(\.bytes)
    guard content.count == written.byteCount else { return nil }
    // The checksum of `Tracks` covers everything after it.
    if children.first?.id == Self.checksum, content.count > 6 {
      let sum = Self.crc32(content.dropFirst(6))
      for index in 0..<4 { content[2 + index] = UInt8(truncatingIfNeeded: sum >> (8 * UInt32(index))) }
    }
    return FilePatch(offset: written.payloadOffset, bytes: content)
  }

  /// Returns the restored track entry of the copy. Its size doesn't change.
  private func restoreEntry(_ entry: Element, from source: Element, name: String?) -> Element {
    var result = mergeElements(entry, with: source, depth: 0)
    result.children.removeAll { $0.id == Self.name }
    if let name { result.children.append(Element(id: Self.name, payload: Array(name.utf8))) }
    let room = entry.contentCount - result.contentCount
    // A `Void` element has at least two bytes.
    guard room == 0 || room >= 2 else { return entry }
    if room > 0 { result.children.append(.makeVoidElement(byteCount: room)) }
    return result
  }

  private func mergeElements(_ copy: Element, with source: Element, depth: Int) -> Element {
    var result = copy
    for (index, child) in copy.children.enumerated() where depth < Self.depthLimit {
      guard Self.containers.contains(MatroskaSchema.name(of: child.id)),
        let original = source.children.first(where: { $0.id == child.id })
      else { continue }
      result.children[index] = mergeElements(child, with: original, depth: depth + 1)
    }
    result.children += missingElements(to: copy, from: source, depth: depth)
    return result
  }

  /// Returns the elements of the source that are missing in the copy.
  private func missingElements(to copy: Element, from source: Element, depth: Int) -> [Element] {
    source.children.compactMap { child in
      let name = MatroskaSchema.name(of: child.id)
      guard !copy.children.contains(where: { $0.id == child.id }) else { return nil }
      if Self.containers.contains(name), depth < Self.depthLimit {
        let empty = Element(id: child.id, children: [])
        let inner = Element(id: child.id, children: missingElements(to: empty, from: child, depth: depth + 1))
        return inner.children.isEmpty ? nil : inner
      }
      return MatroskaSchema.describesPresentation(child.id) && search.examine(child.payload) == nil ? child : nil
    }
  }

  // MARK: Reading

  private static func readTracks(of source: any ByteSource) throws(ISOMediaError) -> Element? {
    guard let element = try EBMLReader.tracks(of: source) else { return nil }
    return try Element(element, in: source, depth: 0)
  }

  /// An element whose content is in memory.
  struct Element: Equatable {
    var id: UInt32
    /// The offset of the element's payload in its file.
    var payloadOffset: Int64 = 0
    /// The size of the element's payload in its file.
    private(set) var byteCount = 0
    /// The child elements, if the element is a container.
    var children: [Element] = []
    /// The payload, if the element isn't a container.
    private var content: [UInt8] = []
    /// The length of the size field in bytes.
    private var sizeLength = 0

    init(id: UInt32, children: [Element]) { (self.id, self.children) = (id, children) }
    init(id: UInt32, payload: [UInt8]) { (self.id, content) = (id, payload) }

    init(_ element: EBMLElement, in source: any ByteSource, depth: Int) throws(ISOMediaError) {
      id = element.id
      payloadOffset = element.payload.lowerBound
      byteCount = element.payload.count
      let isContainer =
        id == MatroskaSchema.tracks || id == MatroskaSchema.trackEntry
        || MatroskaRestoration.containers.contains(element.name)
      sizeLength = element.headerSize - Self.idLength(id)
      guard isContainer, depth <= MatroskaRestoration.depthLimit + 2, element.payload.count <= entryLimit else {
        content = try source.bytes(in: element.payload, atMost: Int(entryLimit))
        return
      }
      var reader = EBMLReader(source: source, range: element.payload)
      while let child = try reader.next() { children.append(try Element(child, in: source, depth: depth + 1)) }
    }

    static func makeVoidElement(byteCount: Int) -> Element {
      var element = Element(id: MatroskaSchema.void, payload: [])
      element.sizeLength = byteCount < 10 ? 1 : 8
      element.content = [UInt8](repeating: 0, count: byteCount - 1 - element.sizeLength)
      return element
    }

    var payload: [UInt8] { children.isEmpty ? content : children.flatMap(\.bytes) }
    var contentCount: Int { payload.count }

    /// The encoded element. The size field keeps its length if possible.
    var bytes: [UInt8] {
      let payload = payload
      var length = max(1, sizeLength)
      while length < 8, payload.count >= 1 << (7 * length) - 1 { length += 1 }
      let size = UInt64(payload.count) | 1 << UInt64(7 * length)
      let marker = (0..<length).map { UInt8(truncatingIfNeeded: size >> UInt64(8 * (length - 1 - $0))) }
      let start = 4 - Self.idLength(id)
      return (start..<4).map { UInt8(truncatingIfNeeded: id >> UInt32(24 - 8 * $0)) } + marker + payload
    }

    private static func idLength(_ id: UInt32) -> Int { 4 - id.leadingZeroBitCount / 8 }
  }

  /// Returns the CRC-32 that RFC 9559 requires, which is also used in Ethernet and ZIP.
  private static func crc32(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
  }
}
