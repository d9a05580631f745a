import ClipModel
import ISOMedia
import LocationFormats

/// Finds everything private in an MP4, MOV or M4V, in three parts: boxes, tracks with what is inside their samples,
/// and bytes that nothing accounts for.
///
/// Known carriers are named by what they are. What is not known is looked through; what is neither known nor text
/// counts as opaque, because nobody can say that there is no position in it.
struct MovieAudit {
  /// Boxes nest less than half as deep in real files.
  private static let depthLimit = 16
  /// Boxes looked at in all.
  private static let boxLimit = 1 << 20

  let source: any ByteSource
  let file: ISOFile
  /// Positions that a first audit read: text that holds one of them in any form is a carrier too.
  var known: CoordinateSearch?
  private(set) var findings: [MovieFinding] = []
  /// What could not be judged, in words.
  private(set) var unread: [String] = []
  private var boxCount = 0
  private var hasDate = false

  init(source: any ByteSource, file: ISOFile) {
    self.source = source
    self.file = file
  }

  mutating func run(_ depth: Auditor.Depth) throws(ISOMediaError) {
    for box in file.topLevelBoxes { try examine(box, depth: 0) }
    for (index, track) in file.tracks.enumerated() {
      // What is known is looked for in texts: telemetry has been read.
      if known != nil, !Self.textHandlers.contains(track.handlerType ?? "") { continue }
      try examineDescriptions(of: track, index: index)
      try examine(track, index: index)
    }
    try examineTrailer()
    guard file.topLevelBoxes.contains(where: { $0.type == "moov" }) else {
      return cannotJudge("its index (moov) is missing: the file was not finished, or cut off")
    }
    guard depth == .everything else { return }
    for (index, track) in file.tracks.enumerated() { try examinePictures(of: track, index: index) }
    try examineUnreferenced()
  }

  // MARK: Notes

  mutating func add(
    _ finding: PayloadFinding, at box: Box, place: String? = nil, remedy: MovieFinding.Remedy, isModel: Bool = false
  ) {
    guard let disclosure = PrivacyCarrier.Disclosure(finding) else { return }
    let count = finding.disclosure == .location && !finding.trace.isEmpty ? finding.trace.count : nil
    add(
      PrivacyCarrier(
        disclosure: disclosure, kind: finding.kind, place: place ?? box.path, byteRange: box.range, pointCount: count),
      trace: finding.trace, remedy: remedy, isModel: isModel)
  }

  mutating func add(
    _ carrier: PrivacyCarrier, trace: PositionTrace = PositionTrace(), remedy: MovieFinding.Remedy,
    isModel: Bool = false
  ) {
    findings.append(MovieFinding(found: FoundCarrier(carrier, trace: trace), remedy: remedy, isModel: isModel))
  }

  mutating func cannotJudge(_ what: String) { unread.append(what) }

  // MARK: Boxes

  /// Boxes that hold boxes. `meta` is looked at by itself.
  private static let containers: Set<FourCC> = [
    "moov", "trak", "mdia", "minf", "stbl", "edts", "dinf", "udta", "mvex", "moof", "traf", "mfra", "meco",
  ]

  /// Boxes of the format itself: tables and headers. Text in them is none of theirs.
  private static let plain: Set<FourCC> = [
    "ftyp", "styp", "vmhd", "smhd", "nmhd", "hmhd", "sthd", "gmhd", "elst", "dref",
    "stts", "ctts", "cslg", "stss", "stsc", "stsz", "stz2", "stco", "co64", "sdtp", "sbgp", "sgpd", "saiz", "saio",
    "trex", "mehd", "mfhd", "tfhd", "tfdt", "trun", "tfra", "mfro", "sidx", "ssix", "iods", "tref", "tapt", "load",
    "keys", "pdin", "subs", "padb", "stdp", "stps", "pnot", "ctab", "clip", "matt", "crgn", "kmat", "imap",
    "txas", "pitm", "iinf", "iref", "iprp", "stsh", "leva", "trep", "emeb", "strk",
  ]

  mutating func examine(_ box: Box, depth: Int) throws(ISOMediaError) {
    boxCount += 1
    if boxCount == Self.boxLimit { cannotJudge("there are too many boxes: not all were looked at") }
    guard boxCount < Self.boxLimit else { return }
    let type = box.type
    if type == "meta" {
      try examineMeta(box, depth: depth)
    } else if Self.containers.contains(type), depth < Self.depthLimit {
      try examineChildren(of: box, depth: depth)
    } else if ["mvhd", "tkhd", "mdhd"].contains(type) {
      try examineDates(box)
      try examinePlain(box)
    } else if type == "hdlr" {
      try examineHandler(box)
    } else if type == "stsd" || (type == "mdat" && depth == 0) {
      // Descriptions and samples are looked at with their tracks, and what is between samples by itself.
    } else if Self.plain.contains(type) {
      try examinePlain(box)
    } else {
      try examineContent(box)
    }
    if type == "cmov" { cannotJudge("\(box.path): the movie header is compressed") }
  }

  /// What stands behind the last box inside another one: the copy does not have it.
  mutating func examineRest(_ range: Range<Int64>, of box: Box) throws(ISOMediaError) {
    guard !range.isEmpty, let finding = try LooseBytes(range, of: source).finding else { return }
    add(finding, at: box, place: box.path + ", behind its last box", remedy: .rewrite)
  }

  /// The name of a handler is text that a program may have taken from anywhere.
  private mutating func examineHandler(_ box: Box) throws(ISOMediaError) {
    var finding = try LooseBytes(box.payload, of: source).finding
    if finding == nil { finding = try knownPosition(in: box.payload) }
    guard let finding else { return }
    // Version and flags, types and reserved fields; then the name, which becomes empty.
    var writer = BoxWriter()
    let fields = try source.bytes(in: box.payload, atMost: 24)
    writer.box("hdlr") { handler in
      handler.append(fields)
      handler.zeros(25 - fields.count)
    }
    add(finding, at: box, remedy: .replaceBox(box.range.lowerBound, writer.bytes))
  }

  private mutating func examinePlain(_ box: Box) throws(ISOMediaError) {
    if known != nil { return }
    guard let finding = try LooseBytes(box.payload, of: source).finding else { return }
    add(finding, at: box, remedy: .none("it stands in a table of the format itself"))
  }

  private mutating func examineChildren(of box: Box, depth: Int) throws(ISOMediaError) {
    var reader = BoxReader(source: source, childrenOf: box)
    while boxCount < Self.boxLimit, let child = try reader.next() {
      try examine(child, depth: depth + 1)
    }
    try examineRest(reader.rest, of: box)
    guard box.type == "udta" else { return }
    // Somebody's own form of user data: no boxes, perhaps text.
    if let finding = try CameraBlocks.examine(box, in: source) {
      add(finding, at: box, remedy: .removeBox(box.range.lowerBound))
    } else if reader.problem != nil {
      try examineContent(box)
    }
  }

  /// User data, boxes of cameras, free space, and boxes that nobody knows.
  mutating func examineContent(_ box: Box) throws(ISOMediaError) {
    let remedy = MovieFinding.Remedy.removeBox(box.range.lowerBound)
    if let meaning = MetadataVocabulary.meaning(ofType: box.type) {
      let kind = box.type == "©xyz" && box.path.contains("/ilst/") ? "itunes-xyz" : meaning.kind
      let trace = try positions(in: box)
      return add(
        PrivacyCarrier(
          disclosure: meaning.disclosure, kind: kind, place: box.path, byteRange: box.range,
          pointCount: trace.isEmpty ? nil : trace.count),
        trace: trace, remedy: remedy, isModel: meaning.isModel)
    }
    if let finding = try CameraBlocks.examine(box, in: source) { return add(finding, at: box, remedy: remedy) }
    let content = try LooseBytes(box.payload, of: source)
    var finding = content.finding
    if finding == nil { finding = try knownPosition(in: box.payload) }
    if let finding {
      add(finding, at: box, remedy: remedy)
    } else if !content.isBlank, !content.isText {
      try examineBinary(box, remedy: remedy)
    }
  }

  /// A position that is known from elsewhere in the file, in a form that is none of a camera's: a place in a title.
  func knownPosition(in range: Range<Int64>) throws(ISOMediaError) -> PayloadFinding? {
    guard let known, known.firstMatch(in: try source.bytes(in: range, atMost: 1 << 20)) != nil else { return nil }
    return PayloadFinding(kind: "known-position", disclosure: .location)
  }

  /// A position needs more than four bytes, and formats' own boxes are known.
  private mutating func examineBinary(_ box: Box, remedy: MovieFinding.Remedy) throws(ISOMediaError) {
    let isSpace = ["free", "skip", "wide"].contains(box.type)
    if !isSpace {
      if box.payload.count <= 4 || MetadataVocabulary.isKnownUserData(box.type) { return }
      if box.type == "uuid", let type = box.userType {
        if MetadataVocabulary.isEncryption(type) { return cannotJudge("\(box.path): the film is encrypted") }
        if MetadataVocabulary.isKnownUserType(type) { return }
      }
      // International text: lengths and languages in front.
      if box.type.rawValue >> 24 == 0xA9, try LooseBytes(box.payload(skipping: 4), of: source).isText { return }
      if box.path.contains("/ilst/"), try value(of: box).isReadable { return }
    }
    let kind = isSpace ? "free-space" : box.type == "uuid" ? "unknown-uuid" : "unknown-box"
    add(
      PrivacyCarrier(disclosure: .opaque, kind: kind, place: box.path, byteRange: box.range),
      remedy: remedy)
  }

  private func positions(in box: Box) throws(ISOMediaError) -> PositionTrace {
    let bytes = try source.bytes(in: box.payload, atMost: 1 << 20)
    return box.type == "loci" ? Loci.trace(bytes) : TextPositions.examine(bytes)?.trace ?? PositionTrace()
  }

  /// Dates of creation and change. The first header that has one stands for all: they are cleared together.
  private mutating func examineDates(_ box: Box) throws(ISOMediaError) {
    let bytes = try source.bytes(in: box.payload, atMost: 20)
    // Version and flags, then two dates of 32 bits, or of 64 in version 1.
    let dates = bytes.dropFirst(4).prefix(bytes.first == 1 ? 16 : 8)
    guard !hasDate, dates.contains(where: { $0 != 0 }) else { return }
    hasDate = true
    add(
      PrivacyCarrier(disclosure: .date, kind: "creation-date", place: box.path, byteRange: box.range), remedy: .rewrite)
  }
}
