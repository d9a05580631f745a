import ClipModel
import ISOMedia
import LocationFormats

/// Searches every byte of a movie that a copy would keep and that is neither video nor audio: boxes, samples of data
/// tracks, bytes outside all samples, and bytes after the last box. Each finding can be removed.
struct MoviePositionSearch {
  private static let depthLimit = 16
  private let source: any ByteSource
  private let file: ISOFile
  private let search: PositionSearch
  /// The sorted ranges that will be removed because of earlier findings.
  private let covered: [Range<Int64>]
  private let removedTracks: Set<UInt32>
  private(set) var findings: [MovieFinding] = []

  /// Creates a search.
  /// - Parameter known: the earlier findings. The bytes that will be removed because of them are not searched.
  init(_ file: ISOFile, of source: any ByteSource, search: PositionSearch, known: [MovieFinding]) {
    self.source = source
    self.file = file
    self.search = search
    var tracks: Set<UInt32> = []
    var ranges: [Range<Int64>] = []
    for finding in known where finding.found.carrier.mustBeRemoved {
      switch finding.removal {
      case .removeTrack(let id, _): tracks.insert(id)
      case .removeBox, .removeItem, .removeTrailer, .rewrite:
        if let range = finding.found.carrier.byteRange { ranges.append(range) }
      case .blank, .cleanConfiguration, .cut, .none: break
      }
    }
    removedTracks = tracks
    covered = .union(ranges + file.tracks.filter { tracks.contains($0.trackID) }.map(\.box.range))
  }

  /// Runs the search.
  /// - Parameter gaps: the bytes outside all samples.
  mutating func run(_ gaps: [Range<Int64>]) throws(ISOMediaError) {
    for box in file.topLevelBoxes where box.type != "mdat" { try search(box, depth: 0) }
    for (index, track) in file.tracks.enumerated() { try searchSamples(of: track, index: index) }
    if let trailer = file.trailer {
      try search(
        trailer.range, place: MovieAudit.describeTrailerPlace(trailer.kind.rawValue), removal: .removeTrailer)
    }
    for gap in gaps { try search(gap, place: MovieAudit.unreferencedPlace, removal: .rewrite) }
  }

  // MARK: Boxes

  private mutating func search(_ box: Box, depth: Int) throws(ISOMediaError) {
    if box.range.subtracting(covered).isEmpty { return }
    if box.type == "meta", depth < Self.depthLimit {
      try searchItems(of: box, depth: depth)
    } else if MovieAudit.editedContainers.contains(box.type), depth < Self.depthLimit {
      var reader = BoxReader(source: source, childrenOf: box)
      while let child = try reader.next() { try search(child, depth: depth + 1) }
      try search(reader.rest, place: box.path + ", after its last box", removal: .rewrite)
    } else if box.type == "stsd" {
      try searchDescriptions(box)
    } else if MovieAudit.plain.contains(box.type) {
      // The numbers in tables are the times, sizes and offsets of samples.
      let search = MovieAudit.tables.contains(box.type) ? .generic : search
      try self.search(box.payload, place: box.path, removal: nil, using: search)
    } else {
      // The user type is part of the header.
      let start = box.payload.lowerBound - (box.userType == nil ? 0 : 16)
      try search(start..<box.payload.upperBound, place: box.path, removal: .removeBox(box.range.lowerBound))
    }
  }

  /// Searches sample descriptions. A finding in a track that is neither video nor audio removes the track.
  private mutating func searchDescriptions(_ box: Box) throws(ISOMediaError) {
    let track = file.tracks.first { $0.box.range.contains(box.range.lowerBound) }
    let removal: MovieFinding.Removal? = track.flatMap {
      MovieAudit.isMedia($0) ? nil : .removeTrack($0.trackID, hasMotion: false)
    }
    var position = box.payload.lowerBound
    for part in track?.sampleEntries.flatMap(\.extensions) ?? [] where part.range.lowerBound >= position {
      try search(position..<part.range.lowerBound, place: box.path, removal: removal)
      try search(part.payload, place: part.path, removal: removal)
      position = part.range.upperBound
    }
    try search(position..<max(position, box.range.upperBound), place: box.path, removal: removal)
  }

  private mutating func searchItems(of meta: Box, depth: Int) throws(ISOMediaError) {
    let metadata = try MetadataItems(meta: meta, in: source)
    for item in metadata.items {
      try search(
        item.box.payload, place: meta.path + "/ilst/" + item.name,
        removal: .removeItem(meta: meta, item: item.box.range.lowerBound))
    }
    for item in metadata.unnamed {
      try search(item.payload, place: item.path, removal: .removeBox(item.range.lowerBound))
    }
    for child in metadata.boxes where child.type != "ilst" { try search(child, depth: depth + 1) }
    try search(metadata.rest, place: meta.path + ", after its last box", removal: .rewrite)
  }

  // MARK: Samples

  private mutating func searchSamples(of track: ISOTrack, index: Int) throws(ISOMediaError) {
    if MovieAudit.isMedia(track) || removedTracks.contains(track.trackID) { return }
    var found: PayloadFinding?
    try file.forEachSample(of: track, in: source) { range throws(ISOMediaError) in
      // The audit reports larger samples as unreadable.
      let bytes = try source.bytes(in: range, atMost: Int(MovieAudit.sampleLimit))
      if let finding = search.examine(bytes) { found.merge(finding) }
      return true
    }
    let hasMotion = track.sampleEntries.first?.format == "gpmd"
    add(
      found.flatMap { FoundCarrier($0, place: MovieAudit.trackLabel(track), trackIndex: index) },
      removal: .removeTrack(track.trackID, hasMotion: hasMotion))
  }

  // MARK: Bytes

  /// Searches a range and adds the finding.
  /// - Parameter removal: the way to remove the finding; `nil` for bytes in a box that must be kept, where positions
  ///   are blanked.
  private mutating func search(
    _ range: Range<Int64>, place: String, removal: MovieFinding.Removal?, using search: PositionSearch? = nil
  ) throws(ISOMediaError) {
    let search = search ?? self.search
    guard !range.isEmpty, !range.subtracting(covered).isEmpty,
      let finding = try ExaminedBytes(range, of: source, search: search).finding
    else { return }
    var blanked: [Range<Int64>] = []
    if removal == nil {
      try ExaminedBytes.forEachWindow(of: range, in: source) { bytes, start in
        for hit in search.ranges(in: bytes) ?? [] {
          blanked.append(start + Int64(hit.lowerBound)..<start + Int64(hit.upperBound))
        }
      }
    }
    add(FoundCarrier(finding, place: place, byteRange: range), removal: removal ?? .blank(blanked))
  }

  private mutating func add(_ found: FoundCarrier?, removal: MovieFinding.Removal) {
    if let found { findings.append(MovieFinding(found: found, removal: removal)) }
  }
}
