internal import ClipModel
package import ISOMedia
package import LocationFormats

/// Finds what a Matroska or WebM file discloses beside the film: tags, attachments, subtitle and data tracks, messages
/// inside the pictures, old data in free space, and bytes that no element accounts for.
package struct MatroskaAudit {
  private let source: any ByteSource
  private let search: PositionSearch
  private var list: CarrierList
  private var tracks: [MatroskaTrack] = []
  private var trackIndexes: [UInt64: Int] = [:]
  private var samples: [FindingList] = []

  /// Tags and chapters nest less than half as deep.
  private static let depthLimit = 24
  /// Of one text or one frame of text.
  private static let textLimit = 1 << 20
  /// No film has more tracks.
  private static let trackLimit = 256

  /// - Parameter search: for positions in everything that is neither video nor audio.
  package init(source: any ByteSource, search: PositionSearch = .blind) {
    self.source = source
    self.search = search
    list = CarrierList(source: source, search: search)
  }

  /// What could not be judged, in words; complete once `carriers` has answered.
  package var unread: [String] { list.unread }

  package mutating func carriers() throws(ISOMediaError) -> [FoundCarrier] {
    try walk(0..<source.byteCount, path: "", depth: 0)
    for (index, track) in tracks.enumerated() {
      let place = "track \(index + 1) (\(track.codec.printable))"
      list.add(samples[index], of: track.reading, place: place, trackIndex: index)
    }
    return list.carriers
  }

  // MARK: Elements

  private mutating func walk(_ range: Range<Int64>, path: String, depth: Int) throws(ISOMediaError) {
    var reader = EBMLReader(source: source, range: range)
    while let element = try reader.next() {
      if element.overrun > 0 { list.note("\(MatroskaSchema.name(of: element.id)) is cut off at the end of the file") }
      if element.id == MatroskaSchema.cluster, element.hasUnknownSize {
        // It ends where something begins that is not of a cluster. The walk need not know: blocks are read wherever
        // they are.
        reader.enter(element)
      } else {
        try take(element, path: path, depth: depth)
      }
    }
    if let problem = reader.problem { list.note("\(path.isEmpty ? "" : path + ": ")\(problem)") }
    guard !reader.rest.isEmpty else { return }
    try list.addLeftover(reader.rest, place: path.isEmpty ? "behind the last element" : "\(path), unaccounted bytes")
  }

  private mutating func take(_ element: EBMLElement, path parent: String, depth: Int) throws(ISOMediaError) {
    // Clusters hold most elements of a file: no path is made for their blocks.
    switch element.id {
    case MatroskaSchema.simpleBlock, MatroskaSchema.block: return try readBlock(element)
    case MatroskaSchema.blockAdditional: return try searchText(element, path: "a BlockAdditional")
    default: break
    }
    let name = MatroskaSchema.name(of: element.id)
    let path =
      (parent.isEmpty ? "" : parent + "/") + name + (element.ordinal > 1 ? "[\(element.ordinal)]" : "")
    if depth >= Self.depthLimit { return try searchText(element, path: path) }
    switch element.id {
    case MatroskaSchema.void:
      try list.addLeftover(element.payload, kind: "void-leftovers", place: path, whole: element.range)
    case MatroskaSchema.dateUTC:
      list.add(PayloadFinding(kind: "matroska-date", disclosure: .date), place: path, range: element.range)
    case MatroskaSchema.trackEntry:
      try addTrack(element)
      try walk(element.payload, path: path, depth: depth + 1)
    case MatroskaSchema.simpleTag: try searchTag(element, path: parent, depth: depth)
    case MatroskaSchema.attachedFile: try searchAttachment(element, path: path)
    case MatroskaSchema.encryptedBlock: list.note("encrypted blocks")
    default:
      switch MatroskaSchema.definitions[element.id]?.content {
      case .elements: try walk(element.payload, path: path, depth: depth + 1)
      case .value: break
      case .text: try searchText(element, path: path)
      case nil:
        // Eight bytes are a number, with no room for a position.
        guard element.payload.count > 8 else { return }
        try list.addLeftover(element.payload, kind: "unknown-element", place: path, whole: element.range)
      }
    }
  }

  private mutating func searchText(_ element: EBMLElement, path: String) throws(ISOMediaError) {
    guard let finding = try UnreferencedBytes(element.payload, of: source, search: search).finding else { return }
    list.add(finding, place: path, range: element.range)
  }

  // MARK: Tags and attachments

  /// A tag's place is named after it: `Segment/Tags/Tag[2]/SimpleTag/LOCATION`.
  private mutating func searchTag(_ element: EBMLElement, path parent: String, depth: Int) throws(ISOMediaError) {
    var reader = EBMLReader(source: source, range: element.payload)
    var name = ""
    var value: [UInt8] = []
    var inner: [EBMLElement] = []
    while let field = try reader.next() {
      switch field.id {
      case MatroskaSchema.tagName:
        name = String(decoding: try source.bytes(in: field.payload, atMost: 256), as: UTF8.self)
      case MatroskaSchema.tagString, MatroskaSchema.tagBinary:
        value += try source.bytes(in: field.payload, atMost: max(0, Self.textLimit - value.count))
      default: inner.append(field)
      }
    }
    let path = "\(parent)/SimpleTag/\(name.printable)"
    if let finding = NamedText.examine(name: name, value: value, search: search) {
      list.add(finding, place: path, range: element.range)
    }
    for field in inner { try take(field, path: path, depth: depth + 1) }
    if !reader.rest.isEmpty {
      list.note("\(path): \(reader.problem ?? "cut off")")
      try list.addLeftover(reader.rest, place: path)
    }
  }

  private mutating func searchAttachment(_ element: EBMLElement, path: String) throws(ISOMediaError) {
    var reader = EBMLReader(source: source, range: element.payload)
    var mediaType = ""
    var content: Range<Int64>?
    while let field = try reader.next() {
      switch field.id {
      case MatroskaSchema.fileMediaType:
        mediaType = String(decoding: try source.bytes(in: field.payload, atMost: 128), as: UTF8.self)
      case MatroskaSchema.fileData: content = field.payload
      default: try take(field, path: path, depth: Self.depthLimit)
      }
    }
    guard let content else { return }
    if let finding = try AttachedFile.examine(content, of: source, mediaType: mediaType, search: search) {
      list.add(finding, place: "\(path)/FileData", range: content)
    }
  }

  // MARK: Tracks

  private mutating func addTrack(_ entry: EBMLElement) throws(ISOMediaError) {
    guard tracks.count < Self.trackLimit else { return list.note("more than \(Self.trackLimit) tracks") }
    let track = try MatroskaTrack(entry, in: source)
    trackIndexes[track.number] = tracks.count
    tracks.append(track)
    samples.append(FindingList(try track.setupFindings()))
  }

  /// Track number, time (2 bytes), flags, then the frame.
  private mutating func readBlock(_ element: EBMLElement) throws(ISOMediaError) {
    var cursor = ByteCursor(try source.bytes(in: element.payload, atMost: 12))
    guard let number = cursor.elementSize()?.value, cursor.skip(2), let flags = cursor.u8() else {
      return list.note("a block without a header at byte \(element.range.lowerBound)")
    }
    guard let index = trackIndexes[UInt64(number)], index < tracks.count else {
      return try list.addLeftover(
        element.payload, kind: "unreferenced-block", place: "a block of no track", whole: element.range)
    }
    let track = tracks[index]
    var frame = element.payload.lowerBound + Int64(cursor.position)..<element.payload.upperBound
    var bytes = source
    if track.reading != .none, !track.strippedHeader.isEmpty {
      bytes = MemoryBytes(track.strippedHeader + (try source.bytes(in: frame, atMost: 16 << 20)))
      frame = 0..<bytes.byteCount
    }
    // Several frames behind their sizes; only sound is packed like this.
    if case .pictures = track.reading, flags & 0x06 != 0 { list.note("track \(index + 1): pictures in laced blocks") }
    for finding in try track.reading.findings(in: frame, of: bytes, search: search) { samples[index].add(finding) }
  }
}
