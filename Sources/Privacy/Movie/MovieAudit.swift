import ClipModel
import ISOMedia
import LocationFormats

/// Finds the private metadata in an MP4, MOV or M4V file: in boxes, in the samples of tracks, and in unreferenced
/// bytes.
///
/// The audit reports metadata of known kinds by kind. It treats unknown data that isn't text as opaque, because such
/// data may contain a position. Then it searches for positions in all other bytes that a copy would keep, except media
/// data.
struct MovieAudit {
  /// The maximum nesting depth of boxes. Real files need less than half of it.
  private static let depthLimit = 16
  /// The maximum number of boxes to check.
  private static let boxLimit = 1 << 20

  let source: any ByteSource
  let file: ISOFile
  /// Positions to search for in addition to those in the file.
  let known: [GeoPosition]
  private(set) var findings: [MovieFinding] = []
  /// Descriptions of the parts that couldn't be checked.
  private(set) var unread: [String] = []
  /// Descriptions of bytes that the file declares but doesn't contain.
  private(set) var damage: [String] = []
  private static let damageLimit = 16
  private(set) var boxCount = 0
  private(set) var hasDate = false

  mutating func run(_ depth: Auditor.Depth) throws(ISOMediaError) {
    for box in file.topLevelBoxes { try examine(box, depth: 0) }
    for (index, track) in file.tracks.enumerated() {
      try examineDescriptions(of: track)
      try examine(track, index: index)
    }
    try examineTrailer()
    var gaps: [Range<Int64>] = []
    let hasIndex = file.topLevelBoxes.contains { $0.type == "moov" }
    if !hasIndex { addUnreadPart("the index (moov) is missing: the recording is unfinished, or the file is truncated") }
    if hasIndex, depth == .everything { gaps = try examineUnreferencedBytes() }
    var rest = try searchForPositions(gaps)
    if hasIndex, depth == .everything {
      let before = Set(rest.positions)
      let search = PositionSearch(known: rest.positions)
      for (index, track) in file.tracks.enumerated() { try examineVideo(of: track, index: index, search: search) }
      if !before.isSuperset(of: findings.flatMap(\.found.trace.kept)) { rest = try searchForPositions(gaps) }
    }
    findings += rest.findings
    if damage.isEmpty, file.missingByteCount > 0 {
      damage.append("the file is truncated: \(ByteCount.text(file.missingByteCount)) of data is missing")
    }
  }

  /// The maximum number of search rounds. A position that a search finds may be repeated in a different encoding.
  private static let searchLimit = 4

  /// Searches the bytes that a copy would keep for all known positions, until there are no new ones.
  /// - Parameter gaps: the bytes outside all samples.
  /// - Returns: the findings, and all known positions, including the new ones.
  private func searchForPositions(
    _ gaps: [Range<Int64>]
  ) throws(ISOMediaError) -> (findings: [MovieFinding], positions: [GeoPosition]) {
    var positions = known + findings.flatMap(\.found.trace.kept)
    var round = 0
    while true {
      round += 1
      var search = MoviePositionSearch(file, of: source, search: PositionSearch(known: positions), known: findings)
      try search.run(gaps)
      let found = search.findings.flatMap(\.found.trace.kept)
      if round == Self.searchLimit || Set(positions).isSuperset(of: found) { return (search.findings, positions) }
      positions += found
    }
  }

  // MARK: Results

  mutating func add(
    _ finding: PayloadFinding, at box: Box, place: String? = nil, removal: MovieFinding.Removal, isModel: Bool = false
  ) {
    add(FoundCarrier(finding, place: place ?? box.path, byteRange: box.range), removal: removal, isModel: isModel)
  }

  /// Adds the meaning of a name or type, and the positions in the value.
  mutating func add(
    _ meaning: MetadataVocabulary.MetadataMeaning, _ trace: PositionTrace, at box: Box, place: String? = nil,
    removal: MovieFinding.Removal
  ) {
    let finding = PayloadFinding(kind: meaning.kind, disclosure: meaning.disclosure, trace: trace)
    add(finding, at: box, place: place, removal: removal, isModel: meaning.isModel)
  }

  mutating func add(_ found: FoundCarrier?, removal: MovieFinding.Removal, isModel: Bool = false) {
    if let found { findings.append(MovieFinding(found: found, removal: removal, isModel: isModel)) }
  }

  mutating func addUnreadPart(_ description: String) { unread.append(description) }

  // MARK: Boxes

  /// The boxes whose children `MovieRewriter` can edit.
  static let editedContainers: Set<FourCC> = [
    "moov", "trak", "mdia", "minf", "stbl", "mvex", "udta", "edts", "dinf", "moof", "traf",
  ]
  private static let containers = editedContainers.union(["mfra", "meco"])

  /// Tables of numbers.
  static let tables: Set<FourCC> = [
    "stts", "ctts", "cslg", "stss", "stps", "stsc", "stsz", "stz2", "stco", "co64", "sdtp", "sbgp", "saiz", "saio",
    "elst", "tfhd", "tfdt", "trun", "tfra", "mfro", "sidx", "ssix", "subs", "padb", "stdp", "stsh", "mfhd", "trex",
  ]

  /// Standard boxes: tables, headers and descriptions, which normally contain no text.
  static let plain = tables.union([
    "ftyp", "mvhd", "tkhd", "mdhd", "hdlr", "stsd", "styp", "vmhd", "smhd", "nmhd", "hmhd", "sthd", "gmhd", "dref",
    "sgpd", "mehd", "iods", "tref", "tapt", "load", "keys", "pdin", "pnot", "ctab", "clip", "matt", "crgn", "kmat",
    "imap", "txas", "pitm", "iinf", "iref", "iprp", "leva", "trep", "emeb", "strk",
  ])

  mutating func examine(_ box: Box, depth: Int) throws(ISOMediaError) {
    boxCount += 1
    if boxCount == Self.boxLimit { addUnreadPart("more than \(Self.boxLimit) boxes; further boxes were not checked") }
    guard boxCount < Self.boxLimit else { return }
    if box.overrun > 0, damage.count < Self.damageLimit {
      damage.append(
        "\(box.path) extends \(ByteCount.text(box.overrun)) past the end of the file, so the file is truncated")
    }
    let type = box.type
    if type == "meta" {
      try examineMeta(box, depth: depth)
    } else if Self.containers.contains(type), depth < Self.depthLimit {
      try examineChildren(of: box, depth: depth)
    } else if ["mvhd", "tkhd", "mdhd"].contains(type) {
      try examineDates(box)
    } else if !Self.plain.contains(type), type != "mdat" || depth > 0 {
      // `MoviePositionSearch` searches other boxes. Samples and the bytes between them are checked separately.
      try examineContent(box)
    }
    if type == "cmov" { addUnreadPart("\(box.path): the movie header is compressed") }
  }

  private mutating func examineChildren(of box: Box, depth: Int) throws(ISOMediaError) {
    var reader = BoxReader(source: source, childrenOf: box)
    while boxCount < Self.boxLimit, let child = try reader.next() {
      try examine(child, depth: depth + 1)
    }
    guard box.type == "udta" else { return }
    // Some cameras write user data, such as text, without boxes.
    if let finding = try CameraBlocks.examine(box, in: source) {
      add(finding, at: box, removal: .removeBox(box.range.lowerBound))
    } else if reader.problem != nil {
      try examineContent(box)
    }
  }

  /// Checks user data, camera boxes, free space, and unknown boxes.
  mutating func examineContent(_ box: Box) throws(ISOMediaError) {
    let removal = MovieFinding.Removal.removeBox(box.range.lowerBound)
    if var meaning = MetadataVocabulary.meaning(ofType: box.type) {
      if box.type == "©xyz", box.path.contains("/ilst/") { meaning.kind = "itunes-xyz" }
      return add(meaning, try findPositions(in: box), at: box, removal: removal)
    }
    if let finding = try CameraBlocks.examine(box, in: source) { return add(finding, at: box, removal: removal) }
    let content = try ExaminedBytes(box.payload, of: source)
    if let finding = content.finding {
      add(finding, at: box, removal: removal)
    } else if !content.isBlank, !content.isText {
      try examineBinary(box, removal: removal)
    }
  }

  /// Reports a binary box unless its type is known or the box is too small for a position.
  private mutating func examineBinary(_ box: Box, removal: MovieFinding.Removal) throws(ISOMediaError) {
    let isSpace = ["free", "skip", "wide"].contains(box.type)
    if !isSpace {
      if box.payload.count <= 4 || MetadataVocabulary.knownUserData.contains(box.type) { return }
      if box.type == "uuid", let type = box.userType {
        if MetadataVocabulary.encryptionUserTypes.contains(type) {
          return addUnreadPart("\(box.path): the video is encrypted")
        }
        if MetadataVocabulary.knownUserTypes.contains(type) { return }
      }
      // International text starts with lengths and language codes.
      if box.type.rawValue >> 24 == 0xA9, try ExaminedBytes(box.payload(skipping: 4), of: source).isText { return }
      if box.path.contains("/ilst/"), try readValue(of: box).isReadable { return }
    }
    let kind = isSpace ? "free-space" : box.type == "uuid" ? "unknown-uuid" : "unknown-box"
    add(PayloadFinding(kind: kind, disclosure: .opaque), at: box, removal: removal)
  }

  private func findPositions(in box: Box) throws(ISOMediaError) -> PositionTrace {
    let bytes = try source.bytes(in: box.payload, atMost: 1 << 20)
    return box.type == "loci" ? Loci.trace(bytes) : TextPositions.examine(bytes)?.trace ?? []
  }

  /// Checks creation and modification dates. Only the first header that has a date is reported, because all dates are
  /// removed together.
  private mutating func examineDates(_ box: Box) throws(ISOMediaError) {
    let bytes = try source.bytes(in: box.payload, atMost: 20)
    // The header starts with a version, flags, and two 32-bit dates (64-bit in version 1).
    let dates = bytes.dropFirst(4).prefix(bytes.first == 1 ? 16 : 8)
    guard !hasDate, dates.contains(where: { $0 != 0 }) else { return }
    hasDate = true
    add(PayloadFinding(kind: "creation-date", disclosure: .date), at: box, removal: .rewrite)
  }
}
