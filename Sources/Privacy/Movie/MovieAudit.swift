import ClipModel
import ISOMedia
import LocationFormats

/// Finds everything private in an MP4, MOV or M4V: in boxes, in tracks with what is inside their samples, and in bytes
/// that nothing accounts for.
///
/// Known carriers are named by what they are. What is neither known nor text counts as opaque, because it is unknown
/// that there is no position in it. Then every byte that stays and is not media is searched for positions (`sweep`).
struct MovieAudit {
  /// Boxes nest less than half as deep in real files.
  private static let depthLimit = 16
  /// Boxes looked at in all.
  private static let boxLimit = 1 << 20

  let source: any ByteSource
  let file: ISOFile
  /// Positions to search for besides those that the file itself has.
  let known: [GeoPosition]
  private(set) var findings: [MovieFinding] = []
  /// What could not be judged, in words.
  private(set) var unread: [String] = []
  /// What the file claims and does not have, in words.
  private(set) var damage: [String] = []
  private static let damageLimit = 16
  private var boxCount = 0
  private var hasDate = false

  init(source: any ByteSource, file: ISOFile, known: [GeoPosition] = []) {
    self.source = source
    self.file = file
    self.known = known
  }

  mutating func run(_ depth: Auditor.Depth) throws(ISOMediaError) {
    for box in file.topLevelBoxes { try examine(box, depth: 0) }
    for (index, track) in file.tracks.enumerated() {
      try examineDescriptions(of: track)
      try examine(track, index: index)
    }
    try examineTrailer()
    var gaps: [Range<Int64>] = []
    let hasIndex = file.topLevelBoxes.contains { $0.type == "moov" }
    if !hasIndex { cannotJudge("its index (moov) is missing: the file was not finished, or cut off") }
    if hasIndex, depth == .everything { gaps = try examineUnreferenced() }
    var rest = try sweep(gaps)
    if hasIndex, depth == .everything {
      let before = Set(rest.positions)
      let search = PositionSearch(known: rest.positions)
      for (index, track) in file.tracks.enumerated() { try examinePictures(of: track, index: index, search: search) }
      if !before.isSuperset(of: findings.flatMap(\.found.trace.kept)) { rest = try sweep(gaps) }
    }
    findings += rest.findings
    if damage.isEmpty, file.missingByteCount > 0 {
      damage.append("the file is cut off: \(ByteCount.text(file.missingByteCount)) are missing")
    }
  }

  /// Rounds: what one finds may be repeated in another form.
  private static let sweepLimit = 4

  /// Searches what stays for all positions that are known, and again while there are new ones.
  /// - Parameter gaps: bytes that no sample refers to.
  /// - Returns: what was found, and every position that is known now.
  private func sweep(
    _ gaps: [Range<Int64>]
  ) throws(ISOMediaError) -> (findings: [MovieFinding], positions: [GeoPosition]) {
    var positions = known + findings.flatMap(\.found.trace.kept)
    var round = 0
    while true {
      round += 1
      var sweep = MovieSweep(file, of: source, search: PositionSearch(known: positions), known: findings)
      try sweep.run()
      try sweep.run(gaps)
      let found = sweep.findings.flatMap(\.found.trace.kept)
      if round == Self.sweepLimit || Set(positions).isSuperset(of: found) { return (sweep.findings, positions) }
      positions += found
    }
  }

  // MARK: Notes

  mutating func add(
    _ finding: PayloadFinding, at box: Box, place: String? = nil, remedy: MovieFinding.Remedy, isModel: Bool = false
  ) {
    add(FoundCarrier(finding, place: place ?? box.path, byteRange: box.range), remedy: remedy, isModel: isModel)
  }

  /// What the name or type of a value means, with the positions in the value.
  mutating func add(
    _ meaning: MetadataVocabulary.Meaning, _ trace: PositionTrace, at box: Box, place: String? = nil,
    remedy: MovieFinding.Remedy
  ) {
    let carrier = PrivacyCarrier(
      disclosure: meaning.disclosure, kind: meaning.kind, place: place ?? box.path, byteRange: box.range,
      pointCount: trace.isEmpty ? nil : trace.count)
    add(FoundCarrier(carrier, trace: trace), remedy: remedy, isModel: meaning.isModel)
  }

  mutating func add(_ found: FoundCarrier?, remedy: MovieFinding.Remedy, isModel: Bool = false) {
    if let found { findings.append(MovieFinding(found: found, remedy: remedy, isModel: isModel)) }
  }

  mutating func cannotJudge(_ what: String) { unread.append(what) }

  // MARK: Boxes

  /// Boxes that hold boxes. `meta` is looked at by itself.
  static let containers: Set<FourCC> = [
    "moov", "trak", "mdia", "minf", "stbl", "edts", "dinf", "udta", "mvex", "moof", "traf", "mfra", "meco",
  ]

  /// Boxes of the format itself: tables, headers and descriptions. Text in them is none of theirs.
  static func isPlain(_ type: FourCC) -> Bool { plain.contains(type) }

  private static let plain: Set<FourCC> = [
    "ftyp", "mvhd", "tkhd", "mdhd", "hdlr", "stsd", "styp", "vmhd", "smhd", "nmhd", "hmhd", "sthd", "gmhd", "elst",
    "dref",
    "stts", "ctts", "cslg", "stss", "stsc", "stsz", "stz2", "stco", "co64", "sdtp", "sbgp", "sgpd", "saiz", "saio",
    "trex", "mehd", "mfhd", "tfhd", "tfdt", "trun", "tfra", "mfro", "sidx", "ssix", "iods", "tref", "tapt", "load",
    "keys", "pdin", "subs", "padb", "stdp", "stps", "pnot", "ctab", "clip", "matt", "crgn", "kmat", "imap",
    "txas", "pitm", "iinf", "iref", "iprp", "stsh", "leva", "trep", "emeb", "strk",
  ]

  mutating func examine(_ box: Box, depth: Int) throws(ISOMediaError) {
    boxCount += 1
    if boxCount == Self.boxLimit { cannotJudge("there are too many boxes: not all were looked at") }
    guard boxCount < Self.boxLimit else { return }
    if box.overrun > 0, damage.count < Self.damageLimit {
      damage.append("\(box.path) claims \(ByteCount.text(box.overrun)) more than there is: the file is cut off")
    }
    let type = box.type
    if type == "meta" {
      try examineMeta(box, depth: depth)
    } else if Self.containers.contains(type), depth < Self.depthLimit {
      try examineChildren(of: box, depth: depth)
    } else if ["mvhd", "tkhd", "mdhd"].contains(type) {
      try examineDates(box)
    } else if Self.isPlain(type) || (type == "mdat" && depth == 0) {
      // Searched by `sweep`; samples are looked at with their tracks, and what is between samples by itself.
    } else {
      try examineContent(box)
    }
    if type == "cmov" { cannotJudge("\(box.path): the movie header is compressed") }
  }

  private mutating func examineChildren(of box: Box, depth: Int) throws(ISOMediaError) {
    var reader = BoxReader(source: source, childrenOf: box)
    while boxCount < Self.boxLimit, let child = try reader.next() {
      try examine(child, depth: depth + 1)
    }
    guard box.type == "udta" else { return }
    // Another form of user data: no boxes, perhaps text.
    if let finding = try CameraBlocks.examine(box, in: source) {
      add(finding, at: box, remedy: .removeBox(box.range.lowerBound))
    } else if reader.problem != nil {
      try examineContent(box)
    }
  }

  /// User data, boxes of cameras, free space, and unknown boxes.
  mutating func examineContent(_ box: Box) throws(ISOMediaError) {
    let remedy = MovieFinding.Remedy.removeBox(box.range.lowerBound)
    if var meaning = MetadataVocabulary.meaning(ofType: box.type) {
      if box.type == "©xyz", box.path.contains("/ilst/") { meaning.kind = "itunes-xyz" }
      return add(meaning, try positions(in: box), at: box, remedy: remedy)
    }
    if let finding = try CameraBlocks.examine(box, in: source) { return add(finding, at: box, remedy: remedy) }
    let content = try UnreferencedBytes(box.payload, of: source)
    if let finding = content.finding {
      add(finding, at: box, remedy: remedy)
    } else if !content.isBlank, !content.isText {
      try examineBinary(box, remedy: remedy)
    }
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
      if box.type.rawValue >> 24 == 0xA9, try UnreferencedBytes(box.payload(skipping: 4), of: source).isText { return }
      if box.path.contains("/ilst/"), try value(of: box).isReadable { return }
    }
    let kind = isSpace ? "free-space" : box.type == "uuid" ? "unknown-uuid" : "unknown-box"
    add(PayloadFinding(kind: kind, disclosure: .opaque), at: box, remedy: remedy)
  }

  private func positions(in box: Box) throws(ISOMediaError) -> PositionTrace {
    let bytes = try source.bytes(in: box.payload, atMost: 1 << 20)
    return box.type == "loci" ? Loci.trace(bytes) : TextPositions.examine(bytes)?.trace ?? []
  }

  /// Dates of creation and change. The first header that has one stands for all: they are cleared together.
  private mutating func examineDates(_ box: Box) throws(ISOMediaError) {
    let bytes = try source.bytes(in: box.payload, atMost: 20)
    // Version and flags, then two dates of 32 bits, or of 64 in version 1.
    let dates = bytes.dropFirst(4).prefix(bytes.first == 1 ? 16 : 8)
    guard !hasDate, dates.contains(where: { $0 != 0 }) else { return }
    hasDate = true
    add(PayloadFinding(kind: "creation-date", disclosure: .date), at: box, remedy: .rewrite)
  }
}
