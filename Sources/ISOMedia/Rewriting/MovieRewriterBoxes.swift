/// Rewrites the boxes inside a movie's `moov` box.
extension MovieRewriter {
  /// The box types that contain other boxes, except `meta`, which has its own code. Fragments are valid only at the top
  /// level; elsewhere, they are rewritten like any other container.
  private static let containers: Set<FourCC> = [
    "moov", "trak", "mdia", "minf", "stbl", "mvex", "udta", "edts", "dinf", "meco", "moof", "traf", "mfra",
  ]

  /// Rewrites a box inside `moov`.
  /// - Parameter track: the track that contains the box.
  func rewriteBox(_ box: Box, track: ISOTrack? = nil) throws -> [FilePiece] {
    if edits.removedBoxes.contains(box.range.lowerBound) { return [] }
    if let bytes = edits.replacedBoxes[box.range.lowerBound] { return [.bytes(bytes)] }
    switch box.type {
    // Some editors leave old boxes in the space that they free.
    case "free", "skip", "wide": return []
    case "trak":
      let track = file.tracks.first { $0.box.range == box.range }
      if let track, edits.removedTracks.contains(track.trackID) { return [] }
      return try rewriteChildren(of: box, track: track)
    case "mvhd", "tkhd", "mdhd": return try rewriteHeader(box)
    case "trex": return try refersToRemovedTrack(box) ? [] : [.copy(box.range)]
    case "tref": return try rewriteReferences(box)
    case "stco", "co64": return try rewriteOffsets(box, track: track)
    case "stsz", "stz2": return try rewriteSizes(box, track: track)
    case "stsd": return try rewriteDescriptions(box, track: track)
    case "saio", "senc": throw unsupportedError("\(box.path): encrypted media is not supported")
    case "ilst" where edits.containsChangedBox(box.range): return try rewriteChildren(of: box, track: track)
    case "meta":
      // `meta` is always rewritten, because metadata editors leave old items after the last box. In ISO files, but not
      // in QuickTime files, a version and flags precede the child boxes.
      return try rewriteChildren(of: box, skipping: try isQuickTimeMeta(box) ? 0 : 4, track: track)
    case let type where Self.containers.contains(type): return try rewriteChildren(of: box, track: track)
    default:
      guard !edits.containsChangedBox(box.range) else {
        throw unsupportedError("\(box.path) contains data to remove, but its format is unknown")
      }
      return [.copy(box.range)]
    }
  }

  func rewriteChildren(
    of box: Box, skipping count: Int64 = 0, track: ISOTrack?
  ) throws -> [FilePiece] {
    var content: [FilePiece] =
      count > 0 ? [.copy(box.payload.lowerBound..<box.payload(skipping: count).lowerBound)] : []
    for child in try readChildren(of: box, skipping: count) { content += try rewriteBox(child, track: track) }
    return .makeBox(box.type, content)
  }

  func readChildren(of box: Box, skipping count: Int64 = 0) throws -> [Box] {
    var reader = BoxReader(source: source, childrenOf: box, skipping: count)
    let children = try reader.remainingBoxes()
    if let child = children.first(where: { $0.overrun > 0 }) {
      throw makeDamageError("\(child.path) extends past the end of its parent")
    }
    return children
  }

  func isQuickTimeMeta(_ box: Box) throws -> Bool {
    var cursor = try source.cursor(in: box.payload, atMost: 8)
    return cursor.skip(4) && cursor.fourCC() == "hdlr"
  }

  /// Whether the track ID that follows a box's version and flags is the ID of a removed track.
  private func refersToRemovedTrack(_ box: Box) throws -> Bool {
    var cursor = try source.cursor(in: box.payload, atMost: 8)
    guard cursor.skip(4), let id = cursor.u32() else { return false }
    return edits.removedTracks.contains(id)
  }

  /// Rewrites a header that contains dates. In the movie header, the duration is that of the longest track.
  private func rewriteHeader(_ box: Box) throws -> [FilePiece] {
    guard edits.clearsDates || !edits.removedTracks.isEmpty else { return [.copy(box.range)] }
    var bytes = try source.bytes(in: box.payload, atMost: 4096)
    let width = bytes.first == 1 ? 8 : 4
    // The header has a version, flags, two dates, the timescale and the duration.
    let offset = 4 + 2 * width + 4
    guard bytes.count >= offset + width else { throw makeDamageError("\(box.path) is truncated") }
    if edits.clearsDates {
      for index in 4..<4 + 2 * width { bytes[index] = 0 }
    }
    if box.type == "mvhd", let duration = shortenedDuration(than: bytes[offset..<offset + width]) {
      for index in 0..<width {
        bytes[offset + index] = UInt8(truncatingIfNeeded: duration >> UInt64(8 * (width - 1 - index)))
      }
    }
    return .makeBox(box.type, [.bytes(bytes)])
  }

  /// Returns the remaining tracks' longest duration if a removed track was the longest; otherwise `nil`.
  private func shortenedDuration(than field: ArraySlice<UInt8>) -> UInt64? {
    let old = field.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    func longestDuration(isRemoved: Bool) -> UInt64? {
      file.tracks.filter { edits.removedTracks.contains($0.trackID) == isRemoved }.compactMap(\.headerDuration).max()
    }
    guard let removed = longestDuration(isRemoved: true), let kept = longestDuration(isRemoved: false) else {
      return nil
    }
    return removed >= old && kept < old ? kept : nil
  }

  private func rewriteReferences(_ box: Box) throws -> [FilePiece] {
    var content: [FilePiece] = []
    for reference in try readChildren(of: box) {
      var table = TableReader(source: source, range: reference.payload)
      var writer = BoxWriter()
      while let id = try table.u32() {
        if !edits.removedTracks.contains(id) { writer.u32(id) }
      }
      if !writer.bytes.isEmpty { content += .makeBox(reference.type, [.bytes(writer.bytes)]) }
    }
    return content.isEmpty ? [] : .makeBox("tref", content)
  }

  /// Rewrites the sample entries that contain changed boxes.
  private func rewriteDescriptions(_ box: Box, track: ISOTrack?) throws -> [FilePiece] {
    guard let track, edits.containsChangedBox(box.range) else { return [.copy(box.range)] }
    var content: [FilePiece] = [.copy(box.payload.lowerBound..<box.payload(skipping: 8).lowerBound)]
    for child in try readChildren(of: box, skipping: 8) {
      guard let entry = track.sampleEntries.first(where: { $0.box.range == child.range }),
        let first = entry.extensions.first, let last = entry.extensions.last, edits.containsChangedBox(child.range)
      else {
        content.append(.copy(child.range))
        continue
      }
      var fields: [FilePiece] = [.copy(child.payload.lowerBound..<first.range.lowerBound)]
      for part in entry.extensions { fields += try rewriteBox(part, track: track) }
      // In QuickTime files, a zero ends the box list.
      fields.append(.copy(last.range.upperBound..<child.range.upperBound))
      content += .makeBox(child.type, fields)
    }
    return .makeBox("stsd", content)
  }

  // MARK: Tables

  private func rewriteOffsets(_ box: Box, track: ISOTrack?) throws -> [FilePiece] {
    guard let table = track?.table else { return [.copy(box.range)] }
    // A rewritten file is at most a few bytes longer than its source.
    let is64Bit = box.type == "co64" || source.byteCount > Int64(UInt32.max) - (1 << 20)
    var offsets: [Int64] = []
    var isLost = false
    try table.forEachChunk(in: source) { chunk in
      let offset = media.newOffset(of: chunk.offset)
      isLost = isLost || (offset == nil && chunk.byteCount > 0)
      offsets.append(offset ?? 0)
      return true
    }
    guard !isLost else { throw makeDamageError("\(box.path) refers to a chunk outside mdat") }
    // Table entries of chunks that have no samples are not enumerated.
    offsets += Array(repeating: 0, count: max(0, table.chunkOffsets.count - offsets.count))
    var writer = BoxWriter()
    writer.u32(0)
    writer.u32(UInt32(truncatingIfNeeded: offsets.count))
    for offset in offsets { writer.unsigned(UInt64(offset), is64Bit: is64Bit) }
    return .makeBox(is64Bit ? "co64" : "stco", [.bytes(writer.bytes)])
  }

  private func rewriteSizes(_ box: Box, track: ISOTrack?) throws -> [FilePiece] {
    guard let table = track?.table, table.hasSampleSizes, !edits.cuts.isEmpty else { return [.copy(box.range)] }
    var sizes: [Int64] = []
    try table.forEachSample(in: source) { _, range in
      sizes.append(media.newByteCount(of: range))
      return true
    }
    // Samples that are not in any chunk are not enumerated.
    sizes += Array(repeating: 0, count: max(0, table.sampleCount - sizes.count))
    var writer = BoxWriter()
    writer.zeros(8)
    writer.u32(UInt32(truncatingIfNeeded: sizes.count))
    for size in sizes { writer.u32(UInt32(truncatingIfNeeded: size)) }
    return .makeBox("stsz", [.bytes(writer.bytes)])
  }
}
