/// Rewrites the boxes inside `moov`.
extension MovieRewriter {
  /// Boxes that contain boxes, except `meta`, which is handled separately. Fragments are only valid at the top level;
  /// elsewhere they are treated like other boxes.
  private static let containers: Set<FourCC> = [
    "moov", "trak", "mdia", "minf", "stbl", "mvex", "udta", "edts", "dinf", "meco", "moof", "traf", "mfra",
  ]

  /// - Parameter track: the track that the box belongs to.
  func rewritten(_ box: Box, track: ISOTrack? = nil) throws -> [FilePiece] {
    if edits.removedBoxes.contains(box.range.lowerBound) { return [] }
    if let bytes = edits.replacedBoxes[box.range.lowerBound] { return [.bytes(bytes)] }
    switch box.type {
    // Editors keep old boxes in the space that they free.
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
    case "saio", "senc": throw unsupported("\(box.path): encrypted files are not supported")
    case "ilst" where edits.touches(box.range): return try rewrittenChildren(of: box, track: track)
    case "meta":
      // `meta` is always rewritten, because taggers leave old items after the last box. In ISO files, but not in
      // QuickTime files, a version and flags precede the boxes.
      return try rewrittenChildren(of: box, skipping: try isQuickTimeMeta(box) ? 0 : 4, track: track)
    case let type where Self.containers.contains(type): return try rewrittenChildren(of: box, track: track)
    default:
      guard !edits.touches(box.range) else {
        throw unsupported("\(box.path) contains data that must be removed, in an unrecognized format")
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
      throw damaged("\(child.path) exceeds its parent")
    }
    return children
  }

  func isQuickTimeMeta(_ box: Box) throws -> Bool {
    var cursor = try source.cursor(in: box.payload, atMost: 8)
    return cursor.skip(4) && cursor.fourCC() == "hdlr"
  }

  /// Whether a box with a track ID after its version and flags refers to a removed track.
  private func refersToRemoved(_ box: Box) throws -> Bool {
    var cursor = try source.cursor(in: box.payload, atMost: 8)
    guard cursor.skip(4), let id = cursor.u32() else { return false }
    return edits.removedTracks.contains(id)
  }

  /// Rewrites headers with dates. The movie header also has the duration of the longest track.
  private func rewrittenHeader(_ box: Box) throws -> [FilePiece] {
    guard edits.clearsDates || !edits.removedTracks.isEmpty else { return [.copy(box.range)] }
    var bytes = try source.bytes(in: box.payload, atMost: 4096)
    let width = bytes.first == 1 ? 8 : 4
    // Version and flags, two dates, the timescale, the duration.
    let offset = 4 + 2 * width + 4
    guard bytes.count >= offset + width else { throw damaged("\(box.path) is truncated") }
    if edits.clearsDates {
      for index in 4..<4 + 2 * width { bytes[index] = 0 }
    }
    if box.type == "mvhd", let duration = shorterDuration(than: bytes[offset..<offset + width]) {
      for index in 0..<width {
        bytes[offset + index] = UInt8(truncatingIfNeeded: duration >> UInt64(8 * (width - 1 - index)))
      }
    }
    return .box(box.type, [.bytes(bytes)])
  }

  /// The duration of the remaining tracks, if one of the removed tracks was the longest.
  private func shorterDuration(than field: ArraySlice<UInt8>) -> UInt64? {
    let old = field.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    func longest(isRemoved: Bool) -> UInt64? {
      file.tracks.filter { edits.removedTracks.contains($0.trackID) == isRemoved }.compactMap(\.headerDuration).max()
    }
    guard let removed = longest(isRemoved: true), let kept = longest(isRemoved: false) else { return nil }
    return removed >= old && kept < old ? kept : nil
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

  /// Rewrites sample entries that contain changed boxes.
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
      // In QuickTime files, a zero ends the list.
      fields.append(.copy(last.range.upperBound..<child.range.upperBound))
      content += .box(child.type, fields)
    }
    return .box("stsd", content)
  }

  // MARK: Tables

  private func rewrittenOffsets(_ box: Box, track: ISOTrack?) throws -> [FilePiece] {
    guard let table = track?.table else { return [.copy(box.range)] }
    // A rewritten file grows by a few bytes at most.
    let is64Bit = box.type == "co64" || source.byteCount > Int64(UInt32.max) - (1 << 20)
    var offsets: [Int64] = []
    var isLost = false
    try table.forEachChunk(in: source) { chunk in
      let offset = media.newStart(of: chunk.offset)
      isLost = isLost || (offset == nil && chunk.byteCount > 0)
      offsets.append(offset ?? 0)
      return true
    }
    guard !isLost else { throw damaged("\(box.path) refers to a chunk outside mdat") }
    // Chunks without samples are not enumerated.
    offsets += Array(repeating: 0, count: max(0, table.chunkOffsets.count - offsets.count))
    var writer = BoxWriter()
    writer.u32(0)
    writer.u32(UInt32(truncatingIfNeeded: offsets.count))
    for offset in offsets { writer.unsigned(UInt64(offset), is64Bit: is64Bit) }
    return .box(is64Bit ? "co64" : "stco", [.bytes(writer.bytes)])
  }

  private func rewrittenSizes(_ box: Box, track: ISOTrack?) throws -> [FilePiece] {
    guard let table = track?.table, table.hasSampleSizes, !edits.cuts.isEmpty else { return [.copy(box.range)] }
    var sizes: [Int64] = []
    try table.forEachSample(in: source) { _, range in
      sizes.append(media.newCount(of: range))
      return true
    }
    // Samples outside all chunks are not enumerated.
    sizes += Array(repeating: 0, count: max(0, table.sampleCount - sizes.count))
    var writer = BoxWriter()
    writer.zeros(8)
    writer.u32(UInt32(truncatingIfNeeded: sizes.count))
    for size in sizes { writer.u32(UInt32(truncatingIfNeeded: size)) }
    return .box("stsz", [.bytes(writer.bytes)])
  }
}
