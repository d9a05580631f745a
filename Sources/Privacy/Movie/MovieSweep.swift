import ClipModel
import ISOMedia
import LocationFormats

/// Searches every byte of a movie that stays in a copy and is neither video nor audio: boxes of any kind, samples of
/// data tracks, bytes that no sample refers to, and what follows the last box. Whatever it finds has a remedy.
struct MovieSweep {
  private static let depthLimit = 16
  /// Boxes that `MovieRewriter` takes apart.
  private static let containers: Set<FourCC> = [
    "moov", "trak", "mdia", "minf", "stbl", "mvex", "udta", "edts", "dinf", "moof", "traf",
  ]

  /// Tables of numbers.
  private static let tables: Set<FourCC> = [
    "stts", "ctts", "cslg", "stss", "stps", "stsc", "stsz", "stz2", "stco", "co64", "sdtp", "sbgp", "saiz", "saio",
    "elst", "tfhd", "tfdt", "trun", "tfra", "mfro", "sidx", "ssix", "subs", "padb", "stdp", "stsh", "mfhd", "trex",
  ]

  private let source: any ByteSource
  private let file: ISOFile
  private let search: PositionSearch
  /// What goes for another reason; sorted.
  private let covered: [Range<Int64>]
  private let removedTracks: Set<UInt32>
  private(set) var findings: [MovieFinding] = []

  /// - Parameter known: what was found before; what is removed with it is not searched.
  init(_ file: ISOFile, of source: any ByteSource, search: PositionSearch, known: [MovieFinding]) {
    self.source = source
    self.file = file
    self.search = search
    var tracks: Set<UInt32> = []
    var ranges: [Range<Int64>] = []
    for finding in known where finding.found.carrier.mustGo {
      switch finding.remedy {
      case .removeTrack(let id, _): tracks.insert(id)
      case .removeBox, .removeItem, .removeTrailer, .rewrite:
        if let range = finding.found.carrier.byteRange { ranges.append(range) }
      case .blank, .cleanConfiguration, .cut, .none: break
      }
    }
    removedTracks = tracks
    covered = .union(ranges + file.tracks.filter { tracks.contains($0.trackID) }.map(\.box.range))
  }

  mutating func run() throws(ISOMediaError) {
    for box in file.topLevelBoxes where box.type != "mdat" { try search(box, depth: 0) }
    for (index, track) in file.tracks.enumerated() { try searchSamples(of: track, index: index) }
    if let trailer = file.trailer {
      try look(in: trailer.range, place: "behind the last box (\(trailer.kind.rawValue))", remedy: .removeTrailer)
    }
  }

  mutating func run(_ gaps: [Range<Int64>]) throws(ISOMediaError) {
    for gap in gaps { try look(in: gap, place: MovieAudit.unreferencedPlace, remedy: .rewrite) }
  }

  // MARK: Boxes

  private mutating func search(_ box: Box, depth: Int) throws(ISOMediaError) {
    if box.range.subtracting(covered).isEmpty { return }
    if box.type == "meta", depth < Self.depthLimit {
      try searchItems(of: box, depth: depth)
    } else if Self.containers.contains(box.type), depth < Self.depthLimit {
      var reader = BoxReader(source: source, childrenOf: box)
      while let child = try reader.next() { try search(child, depth: depth + 1) }
      try look(in: reader.rest, place: box.path + ", behind its last box", remedy: .rewrite)
    } else if box.type == "stsd" {
      try searchDescriptions(box)
    } else if MovieAudit.isPlain(box.type) {
      // Numbers in tables are times, sizes and places of samples.
      let search = Self.tables.contains(box.type) ? .blind : search
      try look(in: box.payload, place: box.path, remedy: nil, search: search)
    } else {
      // A user type is a part of the header.
      let start = box.payload.lowerBound - (box.userType == nil ? 0 : 16)
      try look(in: start..<box.payload.upperBound, place: box.path, remedy: .removeBox(box.range.lowerBound))
    }
  }

  /// A track that is neither video nor audio goes with its description.
  private mutating func searchDescriptions(_ box: Box) throws(ISOMediaError) {
    let track = file.tracks.first { $0.box.range.contains(box.range.lowerBound) }
    let remedy: MovieFinding.Remedy? = track.flatMap {
      MovieAudit.isMedia($0) ? nil : .removeTrack($0.trackID, hasMotion: false)
    }
    var position = box.payload.lowerBound
    for part in track?.sampleEntries.flatMap(\.extensions) ?? [] where part.range.lowerBound >= position {
      try look(in: position..<part.range.lowerBound, place: box.path, remedy: remedy)
      try look(in: part.payload, place: part.path, remedy: remedy)
      position = part.range.upperBound
    }
    try look(in: position..<max(position, box.range.upperBound), place: box.path, remedy: remedy)
  }

  private mutating func searchItems(of meta: Box, depth: Int) throws(ISOMediaError) {
    let metadata = try MetadataItems(meta: meta, in: source)
    for item in metadata.items {
      try look(
        in: item.box.payload, place: meta.path + "/ilst/" + item.name,
        remedy: .removeItem(meta: meta, item: item.box.range.lowerBound))
    }
    for item in metadata.unnamed {
      try look(in: item.payload, place: item.path, remedy: .removeBox(item.range.lowerBound))
    }
    for child in metadata.boxes where child.type != "ilst" { try search(child, depth: depth + 1) }
    try look(in: metadata.rest, place: meta.path + ", behind its last box", remedy: .rewrite)
  }

  // MARK: Samples

  private mutating func searchSamples(of track: ISOTrack, index: Int) throws(ISOMediaError) {
    if MovieAudit.isMedia(track) || removedTracks.contains(track.trackID) { return }
    var found: PayloadFinding?
    try file.forEachSample(of: track, in: source) { range throws(ISOMediaError) in
      // Larger ones were found to be unreadable.
      let bytes = try source.bytes(in: range, atMost: Int(MovieAudit.sampleLimit))
      guard let finding = search.examine(bytes) else { return true }
      if found == nil { found = finding } else { found?.trace.add(finding.trace) }
      return true
    }
    guard let found else { return }
    add(
      found, place: MovieAudit.place(track), range: nil, trackIndex: index,
      remedy: .removeTrack(track.trackID, hasMotion: track.sampleEntries.first?.format == "gpmd"))
  }

  // MARK: Bytes

  /// - Parameter remedy: `nil` when what holds the bytes has to stay: then the positions in it are blanked.
  private mutating func look(
    in range: Range<Int64>, place: String, remedy: MovieFinding.Remedy?, search: PositionSearch? = nil
  ) throws(ISOMediaError) {
    let search = search ?? self.search
    guard !range.isEmpty, !range.subtracting(covered).isEmpty else { return }
    guard let finding = try UnreferencedBytes(range, of: source, search: search).finding else { return }
    if let remedy { return add(finding, place: place, range: range, remedy: remedy) }
    var blanked: [Range<Int64>] = []
    try UnreferencedBytes.forEachWindow(of: range, in: source) { bytes, start in
      for hit in search.ranges(in: bytes) ?? [] {
        blanked.append(start + Int64(hit.lowerBound)..<start + Int64(hit.upperBound))
      }
    }
    add(finding, place: place, range: range, remedy: .blank(blanked))
  }

  private mutating func add(
    _ finding: PayloadFinding, place: String, range: Range<Int64>?, trackIndex: Int? = nil,
    remedy: MovieFinding.Remedy
  ) {
    let found = FoundCarrier(finding, place: place, byteRange: range, trackIndex: trackIndex)
    if let found { findings.append(MovieFinding(found: found, remedy: remedy)) }
  }
}
