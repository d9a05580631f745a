import ClipModel
import ISOMedia
import LocationFormats

/// The edits that remove the findings of an audit.
struct MovieEditPlan {
  /// The source. After `apply`, its blanked ranges read as zeros.
  private(set) var source: any ByteSource
  let file: ISOFile
  let options: StripOptions
  private(set) var edits = MovieEdits()
  private(set) var removed: [FoundCarrier] = []
  /// The findings whose removal the caller didn't request.
  private(set) var kept: [FoundCarrier] = []
  /// The number of access units from which a message is removed, keyed by track.
  private(set) var cutPictures: [String: Int] = [:]
  private(set) var notes: [String] = []
  private(set) var removedItems: [Int64: (meta: Box, items: Set<Int64>)] = [:]
  private(set) var hasCleanedConfiguration = false
  private(set) var removesTrailer = false
  private(set) var scrubbedTracks: Set<UInt32> = []

  mutating func apply(_ findings: [MovieFinding], name: String) throws {
    for case .blank(let ranges) in findings.map(\.removal) { edits.blankedRanges += ranges }
    source = BlankedBytes(source, blanking: edits.blankedRanges)
    for finding in findings {
      guard options.removes(finding.found.carrier, isModel: finding.isModel) else {
        kept.append(finding.found)
        continue
      }
      removed.append(finding.found)
      try apply(finding, name: name)
    }
    edits.clearsDates = options.removesDates
    edits.keepsTrailer = file.trailer != nil && !removesTrailer
    if edits.keepsTrailer { notes.append("the data after the last box is kept because it contains no location data") }
    for (_, entry) in removedItems {
      let metadata = try MetadataItems(meta: entry.meta, in: source)
      let removed = entry.items.union(edits.removedBoxes)
      let replaced = try metadata.replacementBoxes(removing: { removed.contains($0.range.lowerBound) }, in: source)
      edits.replacedBoxes.merge(replaced) { $1 }
    }
    edits.cuts.sort { $0.range.lowerBound < $1.range.lowerBound }
  }

  mutating func addNote(_ note: String) { notes.append(note) }

  /// Whether the edits change bytes that determine how other bytes are interpreted.
  var changesStructure: Bool { !edits.blankedRanges.isEmpty || hasCleanedConfiguration }

  /// Adds the edits of a later pass.
  mutating func add(_ more: MovieEditPlan) {
    removed += more.removed
    edits.removedTracks.formUnion(more.edits.removedTracks)
  }

  private mutating func apply(_ finding: MovieFinding, name: String) throws {
    let carrier = finding.found.carrier
    switch finding.removal {
    case .removeBox(let start): edits.removedBoxes.insert(start)
    case .removeItem(let meta, let item): removedItems[meta.range.lowerBound, default: (meta, [])].items.insert(item)
    case .removeTrack(let id, let hasMotion):
      if hasMotion, options.keepsMotion {
        // A track that has several findings is rewritten only once.
        if scrubbedTracks.insert(id).inserted { try keepMotionData(of: id) }
      } else {
        edits.removedTracks.insert(id)
      }
    case .cleanConfiguration(let box, let configuration): try cleanRecord(configuration, in: box)
    case .cut(let cuts):
      edits.cuts += cuts
      cutPictures[carrier.place, default: 0] += cuts.count
    case .rewrite, .blank: break
    case .removeTrailer: removesTrailer = true
    case .none(let reason): throw StripError.cannotRemove(name: name, place: carrier.place, why: reason)
    }
  }

  private mutating func cleanRecord(_ configuration: DecoderConfiguration, in box: Box) throws {
    let record = try source.bytes(in: box.payload, atMost: MovieAudit.configurationLimit)
    var writer = BoxWriter()
    writer.box(box.type) { $0.append(configuration.removeMessages(options.removes, from: record)) }
    edits.replacedBoxes[box.range.lowerBound] = writer.bytes
    hasCleanedConfiguration = true
  }

  /// Rewrites every sample of a GoPro track without its positions.
  private mutating func keepMotionData(of trackID: UInt32) throws {
    guard let track = file.tracks.first(where: { $0.trackID == trackID }) else { return }
    var cuts: [MovieEdits.Cut] = []
    try file.forEachSample(of: track, in: source) { range throws(ISOMediaError) in
      let sample = try source.bytes(in: range, atMost: 16 << 20)
      var scrubbed = GPMF.removingLocation(from: sample)
      if options.removesIdentifiers { scrubbed = GPMF.removingIdentity(from: scrubbed) }
      if scrubbed != sample { cuts.append(MovieEdits.Cut(range, replacement: scrubbed)) }
      return true
    }
    edits.cuts += cuts
    notes.append("track \(trackID): kept the motion data, but removed positions from \(cuts.count) samples")
  }
}
