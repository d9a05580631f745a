internal import ClipModel
internal import ISOMedia
internal import LocationFormats

/// Finds private metadata in a Matroska or WebM file: tags, attachments, subtitle and data tracks, embedded messages in
/// video, leftover data in free space, and unreferenced bytes.
struct MatroskaAudit: ContainerAudit {
  private(set) var list: CarrierList
  private var tracks: [MatroskaTrack] = []
  private var trackIndexes: [UInt64: Int] = [:]
  private var samples: [FindingList] = []

  /// The maximum nesting depth. Tags and chapters in real files need less than half of it.
  private static let depthLimit = 24
  /// The maximum size of text to search, in bytes.
  private static let textLimit = 1 << 20
  /// The maximum number of tracks. Real files have fewer.
  private static let trackLimit = 256

  init(list: CarrierList) { self.list = list }

  mutating func run() throws(ISOMediaError) {
    try examineElements(0..<list.source.byteCount, path: "", depth: 0)
    for (index, track) in tracks.enumerated() {
      let label = "track \(index + 1) (\(track.codec.printable))"
      list.add(samples[index], of: track.inspection, place: label, trackIndex: index)
    }
  }

  // MARK: Elements

  private mutating func examineElements(_ range: Range<Int64>, path: String, depth: Int) throws(ISOMediaError) {
    var reader = EBMLReader(source: list.source, range: range)
    while let element = try reader.next() {
      if element.overrun > 0 { list.addUnreadPart("\(element.name) is truncated at the end of the file") }
      if element.id == MatroskaSchema.cluster, element.hasUnknownSize {
        // Blocks are checked at any depth, so the end of the cluster doesn't matter.
        reader.enter(element)
      } else {
        try examine(element, path: path, depth: depth)
      }
    }
    try list.addTrailingBytes(reader.rest, after: reader.problem, path: path, term: EBMLElement.term)
  }

  private mutating func examine(_ element: EBMLElement, path parent: String, depth: Int) throws(ISOMediaError) {
    // Most elements in a file are blocks in clusters, which don't need a path.
    switch element.id {
    case MatroskaSchema.simpleBlock, MatroskaSchema.block: return try examineBlock(element)
    case MatroskaSchema.blockAdditional: return try examineText(element, path: "a BlockAdditional")
    default: break
    }
    let name = element.name
    let path = (parent.isEmpty ? "" : parent + "/") + name + (element.ordinal > 1 ? "[\(element.ordinal)]" : "")
    if depth >= Self.depthLimit { return try examineText(element, path: path) }
    switch name {
    case "Void":
      try list.addUnreferencedBytes(element.payload, kind: "void-leftovers", place: path, whole: element.range)
    case "DateUTC":
      list.add(PayloadFinding(kind: "matroska-date", disclosure: .date), place: path, range: element.range)
    case "TrackEntry":
      try addTrack(element)
      try examineElements(element.payload, path: path, depth: depth + 1)
    case "SimpleTag": try examineTag(element, path: parent, depth: depth)
    case "AttachedFile": try examineAttachment(element, path: path)
    case "EncryptedBlock": list.addUnreadPart("encrypted blocks")
    default:
      switch MatroskaSchema.definitions[element.id]?.content {
      case .elements: try examineElements(element.payload, path: path, depth: depth + 1)
      case .value: break
      case .text: try examineText(element, path: path)
      case nil:
        // Values of up to eight bytes are numbers, which can't contain a position.
        guard element.payload.count > 8 else { return }
        try list.addUnreferencedBytes(element.payload, kind: "unknown-element", place: path, whole: element.range)
      }
    }
  }

  private mutating func examineText(_ element: EBMLElement, path: String) throws(ISOMediaError) {
    let bytes = try ExaminedBytes(element.payload, of: list.source, search: list.search)
    if let finding = bytes.finding { list.add(finding, place: path, range: element.range) }
  }

  // MARK: Tags and attachments

  /// Checks a tag. A tag's path ends with its name, as in `Segment/Tags/Tag[2]/SimpleTag/LOCATION`.
  private mutating func examineTag(_ element: EBMLElement, path parent: String, depth: Int) throws(ISOMediaError) {
    var reader = EBMLReader(source: list.source, range: element.payload)
    var name = ""
    var value: [UInt8] = []
    var inner: [EBMLElement] = []
    while let field = try reader.next() {
      switch field.name {
      case "TagName": name = String(decoding: try list.source.bytes(in: field.payload, atMost: 256), as: UTF8.self)
      case "TagString", "TagBinary":
        value += try list.source.bytes(in: field.payload, atMost: max(0, Self.textLimit - value.count))
      default: inner.append(field)
      }
    }
    let path = "\(parent)/SimpleTag/\(name.printable)"
    if let finding = KeyValueMetadata.examine(name: name, value: value, search: list.search) {
      list.add(finding, place: path, range: element.range)
    }
    for field in inner { try examine(field, path: path, depth: depth + 1) }
    if !reader.rest.isEmpty {
      list.addUnreadPart("\(path): \(reader.problem ?? "truncated")")
      try list.addUnreferencedBytes(reader.rest, place: path)
    }
  }

  private mutating func examineAttachment(_ element: EBMLElement, path: String) throws(ISOMediaError) {
    var reader = EBMLReader(source: list.source, range: element.payload)
    var mediaType = ""
    var content: Range<Int64>?
    while let field = try reader.next() {
      switch field.name {
      case "FileMediaType":
        mediaType = String(decoding: try list.source.bytes(in: field.payload, atMost: 128), as: UTF8.self)
      case "FileData": content = field.payload
      default: try examine(field, path: path, depth: Self.depthLimit)
      }
    }
    guard let content else { return }
    if let finding = try AttachedFile.examine(content, of: list.source, mediaType: mediaType, search: list.search) {
      list.add(finding, place: "\(path)/FileData", range: content)
    }
  }

  // MARK: Tracks

  private mutating func addTrack(_ entry: EBMLElement) throws(ISOMediaError) {
    guard tracks.count < Self.trackLimit else {
      return list.addUnreadPart("the file has more than \(Self.trackLimit) tracks")
    }
    let track = try MatroskaTrack(entry, in: list.source)
    trackIndexes[track.number] = tracks.count
    tracks.append(track)
    samples.append(FindingList(track.setupFindings))
  }

  /// Checks a block, which consists of a track number, a 2-byte timestamp, flags, and the frame.
  private mutating func examineBlock(_ element: EBMLElement) throws(ISOMediaError) {
    var cursor = ByteCursor(try list.source.bytes(in: element.payload, atMost: 12))
    guard let number = cursor.readElementSize()?.value, cursor.skip(2), let flags = cursor.u8() else {
      return list.addUnreadPart("the block at byte \(element.range.lowerBound) has no header")
    }
    guard let index = trackIndexes[UInt64(number)], index < tracks.count else {
      return try list.addUnreferencedBytes(
        element.payload, kind: "unreferenced-block", place: "a block that belongs to no track", whole: element.range)
    }
    let track = tracks[index]
    var frame = element.payload.lowerBound + Int64(cursor.position)..<element.payload.upperBound
    var bytes = list.source
    if track.inspection != .none, !track.strippedHeader.isEmpty {
      bytes = MemoryBytes(track.strippedHeader + (try list.source.bytes(in: frame, atMost: 16 << 20)))
      frame = 0..<bytes.byteCount
    }
    // Lacing stores several frames in a block. It is meant only for audio.
    if case .video = track.inspection, flags & 0x06 != 0 {
      list.addUnreadPart("track \(index + 1): laced blocks of video frames are not supported")
    }
    let findings = try track.inspection.findings(in: frame, of: bytes, search: list.search)
    for finding in findings { samples[index].add(finding) }
  }
}
