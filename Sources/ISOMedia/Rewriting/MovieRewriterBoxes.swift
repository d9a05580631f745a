/// Inside `moov`: tracks go, tables follow their samples.
extension MovieRewriter {
  /// Boxes that hold boxes, behind so many bytes of their own. `meta` is looked at by itself.
  /// Fragments belong at the top: anywhere else they are damage, and boxes like others.
  private static let containers: Set<FourCC> = [
    "moov", "trak", "mdia", "minf", "stbl", "mvex", "udta", "edts", "dinf", "meco", "moof", "traf", "mfra",
  ]

  func rewrittenBoxes(of box: Box) throws -> [FilePiece] { try rewritten(box, track: nil) }

  /// - Parameter track: the track that the box belongs to.
  func rewritten(_ box: Box, track: ISOTrack?) throws -> [FilePiece] {
    if edits.removedBoxes.contains(box.range.lowerBound) { return [] }
    if let bytes = edits.replacedBoxes[box.range.lowerBound] { return [.bytes(bytes)] }
    switch box.type {
    // Editors leave old boxes in the space that they free.
    case "free", "skip", "wide": return []
    case "trak":
      let track = file.tracks.first { $0.box.range == box.range }
      if let track, edits.removedTracks.contains(track.trackID) { return [] }
      return try rewrittenChildren(of: box, track: track)
    case "mvhd", "tkhd", "mdhd": return try rewrittenHeader(box)
    case "trex": return try refersToRemoved(box) ? [] : [.copy(box.range)]
    case "tref": return try rewrittenReferences(box)
    case "stco", "co64": return try rewrittenOffsets(box, track: track)
    case "stsz", "stz2": return try rewrittenSizes(box, track: track)
    case "stsd": return try rewrittenDescriptions(box, track: track)
    case "saio", "senc":
      throw unsupported("\(box.path): encrypted films are not rewritten")
    case "ilst" where edits.touches(box.range): return try rewrittenChildren(of: box, track: track)
    case "meta":
      // Taken apart always: taggers leave old items behind the last box.
      // ISO has version and flags in front of the boxes, QuickTime has not.
      return try rewrittenChildren(of: box, skipping: try isQuickTimeMeta(box) ? 0 : 4, track: track)
    case let type where Self.containers.contains(type): return try rewrittenChildren(of: box, track: track)
    default:
      guard !edits.touches(box.range) else {
        throw unsupported("\(box.path) holds something that goes, in a form that is not known")
      }
      return [.copy(box.range)]
    }
  }

  func rewrittenChildren(
    of box: Box, skipping count: Int64 = 0, track: ISOTrack?
  ) throws -> [FilePiece] {
    var content: [FilePiece] =
      count > 0 ? [.copy(box.payload.lowerBound..<box.payload(skipping: count).lowerBound)] : []
    for child in try children(of: box, skipping: count) { content += try rewritten(child, track: track) }
    return .box(box.type, content)
  }

  func children(of box: Box, skipping count: Int64 = 0) throws -> [Box] {
    var reader = BoxReader(source: source, childrenOf: box, skipping: count)
    let children = try reader.all()
    if let child = children.first(where: { $0.overrun > 0 }) {
      throw damaged("\(child.path) reaches beyond its parent")
    }
    return children
  }

  func isQuickTimeMeta(_ box: Box) throws -> Bool {
    var cursor = try source.cursor(in: box.payload, atMost: 8)
    return cursor.skip(4) && cursor.fourCC() == "hdlr"
  }

  /// Whether a box that begins with a track's number behind version and flags is about one that goes.
  private func refersToRemoved(_ box: Box) throws -> Bool {
    var cursor = try source.cursor(in: box.payload, atMost: 8)
    guard cursor.skip(4), let id = cursor.u32() else { return false }
    return edits.removedTracks.contains(id)
  }

  /// Headers with dates; the movie's also has the duration of its longest track.
  private func rewrittenHeader(_ box: Box) throws -> [FilePiece] {
    guard edits.clearsDates || !edits.removedTracks.isEmpty else { return [.copy(box.range)] }
    var bytes = try source.bytes(in: box.payload, atMost: 4096)
    let width = bytes.first == 1 ? 8 : 4
    // Version and flags, two dates, the time scale, the duration.
    let place = 4 + 2 * width + 4
    guard bytes.count >= place + width else { throw damaged("\(box.path) is cut off") }
    if edits.clearsDates {
      for index in 4..<4 + 2 * width { bytes[index] = 0 }
    }
    if box.type == "mvhd", let duration = shorterDuration(than: bytes[place..<place + width]) {
      for index in 0..<width {
        bytes[place + index] = UInt8(truncatingIfNeeded: duration >> UInt64(8 * (width - 1 - index)))
      }
    }
    return .box(box.type, [.bytes(bytes)])
  }

  /// The movie's duration without the tracks that go, when one of them was the longest.
  private func shorterDuration(than field: ArraySlice<UInt8>) -> UInt64? {
    let old = field.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let removed = file.tracks.filter { edits.removedTracks.contains($0.trackID) }.compactMap(\.headerDuration).max()
    let kept = file.tracks.filter { !edits.removedTracks.contains($0.trackID) }.compactMap(\.headerDuration).max()
    guard let removed, let kept, removed >= old, kept < old else { return nil }
    return kept
  }

  private func rewrittenReferences(_ box: Box) throws -> [FilePiece] {
    var content: [FilePiece] = []
    for reference in try children(of: box) {
      var table = TableReader(source: source, range: reference.payload)
      var writer = BoxWriter()
      while let id = try table.u32() {
        if !edits.removedTracks.contains(id) { writer.u32(id) }
      }
      if !writer.bytes.isEmpty { content += .box(reference.type, [.bytes(writer.bytes)]) }
    }
    return content.isEmpty ? [] : .box("tref", content)
  }

  /// Sample entries in which a box is another one now.
  private func rewrittenDescriptions(_ box: Box, track: ISOTrack?) throws -> [FilePiece] {
    guard let track, edits.touches(box.range) else { return [.copy(box.range)] }
    var content: [FilePiece] = [.copy(box.payload.lowerBound..<box.payload(skipping: 8).lowerBound)]
    for child in try children(of: box, skipping: 8) {
      guard let entry = track.sampleEntries.first(where: { $0.box.range == child.range }),
        let first = entry.extensions.first, let last = entry.extensions.last, edits.touches(child.range)
      else {
        content.append(.copy(child.range))
        continue
      }
      var fields: [FilePiece] = [.copy(child.payload.lowerBound..<first.range.lowerBound)]
      for part in entry.extensions { fields += try rewritten(part, track: track) }
      // QuickTime ends the list with a zero.
      fields.append(.copy(last.range.upperBound..<child.range.upperBound))
      content += .box(child.type, fields)
    }
    return .box("stsd", content)
  }

  // MARK: Tables

  private func rewrittenOffsets(_ box: Box, track: ISOTrack?) throws -> [FilePiece] {
    guard let table = track?.table else { return [.copy(box.range)] }
    // Files grow by a few bytes at most.
    let isWide = box.type == "co64" || source.byteCount > Int64(UInt32.max) - (1 << 20)
    var writer = BoxWriter()
    var lost = false
    writer.u32(0)
    writer.u32(UInt32(truncatingIfNeeded: table.chunkOffsets.count))
    var count = 0
    func write(_ offset: Int64) {
      if isWide { writer.u64(UInt64(offset)) } else { writer.u32(UInt32(truncatingIfNeeded: offset)) }
      count += 1
    }
    try table.forEachChunk(in: source) { chunk in
      let new = media.newStart(of: chunk.offset)
      lost = lost || (new == nil && chunk.byteCount > 0)
      write(new ?? 0)
      return true
    }
    // Chunks without samples.
    while count < table.chunkOffsets.count { write(0) }
    guard !lost else { throw damaged("\(box.path) names a chunk outside of mdat") }
    return .box(isWide ? "co64" : "stco", [.bytes(writer.bytes)])
  }

  private func rewrittenSizes(_ box: Box, track: ISOTrack?) throws -> [FilePiece] {
    guard let table = track?.table, table.hasSampleSizes, !edits.cuts.isEmpty else { return [.copy(box.range)] }
    var writer = BoxWriter()
    writer.u32(0)
    writer.u32(0)
    writer.u32(UInt32(truncatingIfNeeded: table.sampleCount))
    var count = 0
    try table.forEachSample(in: source) { _, range in
      writer.u32(UInt32(truncatingIfNeeded: media.newCount(of: range)))
      count += 1
      return true
    }
    // Samples in no chunk.
    while count < table.sampleCount {
      writer.u32(0)
      count += 1
    }
    return .box("stsz", [.bytes(writer.bytes)])
  }
}
