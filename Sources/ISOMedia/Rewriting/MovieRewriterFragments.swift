/// Rewrites a movie's fragments and their indexes.
extension MovieRewriter {
  /// Rewrites a fragment so that the offset of every run is relative to the start of the fragment.
  func rewriteFragment(_ box: Box, at position: Int64) throws -> [FilePiece] {
    var runs: [Int64: FragmentRun] = [:]
    try file.fragmentDefaults.forEachRun(of: box, in: source) { run in runs[run.box.range.lowerBound] = run }
    var content: [FilePiece] = []
    var hasTracks = false
    for child in try readChildren(of: box) where !edits.removedBoxes.contains(child.range.lowerBound) {
      guard child.type == "traf" else {
        content += try rewriteBox(child)
        continue
      }
      let track = try rewriteTrackFragment(child, runs: runs, fragmentStart: position)
      hasTracks = hasTracks || !track.isEmpty
      content += track
    }
    return hasTracks ? .makeBox("moof", content) : []
  }

  private func rewriteTrackFragment(
    _ traf: Box, runs: [Int64: FragmentRun], fragmentStart: Int64
  ) throws -> [FilePiece] {
    var content: [FilePiece] = []
    for child in try readChildren(of: traf) where !edits.removedBoxes.contains(child.range.lowerBound) {
      switch child.type {
      case "tfhd":
        guard let header = try rewriteTrackFragmentHeader(child) else { return [] }
        content += header
      case "trun":
        guard let run = runs[child.range.lowerBound] else { throw makeDamageError("\(child.path) is truncated") }
        content += try rewriteRun(run, fragmentStart: fragmentStart)
      default: content += try rewriteBox(child)
      }
    }
    return .makeBox("traf", content)
  }

  /// Returns the rewritten track fragment header; `nil` for a removed track.
  private func rewriteTrackFragmentHeader(_ box: Box) throws -> [FilePiece]? {
    var cursor = try source.cursor(in: box.payload)
    guard let flags = cursor.u32(), let id = cursor.u32(), flags & 0x01 == 0 || cursor.u64() != nil else {
      throw makeDamageError("\(box.path) is truncated")
    }
    if edits.removedTracks.contains(id) { return nil }
    var writer = BoxWriter()
    // The run offsets are relative to the start of the fragment, not to an explicit base offset.
    writer.u32(flags & ~0x01 | 0x02_0000)
    writer.u32(id)
    writer.append(cursor.take(cursor.remaining) ?? [])
    return .makeBox("tfhd", [.bytes(writer.bytes)])
  }

  private func rewriteRun(_ run: FragmentRun, fragmentStart: Int64) throws -> [FilePiece] {
    guard run.claimedCount == run.sampleCount else { throw makeDamageError("\(run.box.path) is truncated") }
    // During the first pass, the sample positions are unknown.
    let offset = isPlaced ? media.newOffset(of: run.dataStart).map { $0 - fragmentStart } ?? 0 : 0
    guard let offset32 = Int32(exactly: offset) else {
      throw unsupportedError("\(run.box.path) would be too far from its samples for a 32-bit offset")
    }
    let hasCuts = edits.hasCut(from: run.dataStart)
    let flags = run.flags | 0x01 | (hasCuts ? 0x200 : 0)
    var writer = BoxWriter()
    writer.u32(flags)
    writer.u32(UInt32(truncatingIfNeeded: run.sampleCount))
    writer.u32(UInt32(bitPattern: offset32))
    if let first = run.firstFlags { writer.u32(first) }
    guard hasCuts else { return .makeBox("trun", [.bytes(writer.bytes), .copy(run.entries)]) }

    var sizes: [UInt32] = []
    try run.forEachSample(in: source) { sample in
      sizes.append(UInt32(truncatingIfNeeded: media.newByteCount(of: sample.range)))
      return true
    }
    var table = TableReader(source: source, range: run.entries)
    for size in sizes {
      if flags & 0x100 != 0, let duration = try table.u32() { writer.u32(duration) }
      if run.flags & 0x200 != 0 { _ = try table.u32() }
      writer.u32(size)
      if flags & 0x400 != 0, let flags = try table.u32() { writer.u32(flags) }
      if flags & 0x800 != 0, let composition = try table.u32() { writer.u32(composition) }
    }
    guard sizes.count == run.sampleCount else { throw makeDamageError("\(run.box.path) is truncated") }
    return .makeBox("trun", [.bytes(writer.bytes)])
  }

  // MARK: Indexes

  /// Rewrites a segment index if all segments start and end at top-level boxes. Otherwise, the index is removed,
  /// because players don't need it.
  func rewriteSegmentIndex(_ box: Box, at position: Int64) throws -> [FilePiece] {
    let bytes = try source.bytes(in: box.payload, atMost: 1 << 24)
    var cursor = ByteCursor(bytes)
    guard let is64Bit = cursor.fullBoxHeader()?.is64Bit, cursor.skip(is64Bit ? 16 : 12) else { return [] }
    let head = cursor.position
    guard let first = cursor.unsigned(is64Bit: is64Bit).map({ Int64(clamping: $0) }), cursor.skip(2),
      let count = cursor.u16()
    else { return [] }
    let newEnd = position + Int64(8 + bytes.count)
    var old = box.range.upperBound.addingSaturated(first)
    guard let newFirst = newBoxOffset(old) else { return [] }
    var writer = BoxWriter()
    writer.append(bytes[..<head])
    // During the first pass, the positions are unknown.
    writer.unsigned(UInt64(max(0, newFirst - newEnd)), is64Bit: is64Bit)
    writer.u16(0)
    writer.u16(count)
    for _ in 0..<count {
      guard let reference = cursor.u32(), let duration = cursor.u32(), let access = cursor.u32() else { return [] }
      let end = old.addingSaturated(Int64(reference & 0x7FFF_FFFF))
      guard let newStart = newBoxOffset(old), let newEnd = newBoxOffset(end) else { return [] }
      writer.u32(reference & 0x8000_0000 | UInt32(truncatingIfNeeded: max(0, newEnd - newStart)) & 0x7FFF_FFFF)
      writer.u32(duration)
      writer.u32(access)
      old = end
    }
    return .makeBox("sidx", [.bytes(writer.bytes)])
  }

  /// Returns the new offset of a top-level box. During the first pass, the offsets of later boxes are unknown, and 0 is
  /// returned.
  private func newBoxOffset(_ old: Int64) -> Int64? {
    if let start = boxStarts[old] { return start }
    return boundaries.contains(old) ? 0 : nil
  }

  /// Rewrites the random access index at the end of the file. The index is removed if any of its entries doesn't refer
  /// to the start of a box.
  func rewriteFragmentIndex(_ box: Box) throws -> [FilePiece] {
    var content: [FilePiece] = []
    for child in try readChildren(of: box) where !edits.removedBoxes.contains(child.range.lowerBound) {
      switch child.type {
      case "tfra":
        guard let table = try rewriteAccessTable(child) else { return [] }
        content += table
      case "mfro": break
      default: content += try rewriteBox(child)
      }
    }
    guard !content.isEmpty else { return [] }
    // The last box in the index contains the index size.
    var writer = BoxWriter()
    writer.fullBox("mfro") { $0.u32(UInt32(truncatingIfNeeded: 8 + content.byteCount + 16)) }
    return .makeBox("mfra", content + [.bytes(writer.bytes)])
  }

  /// Returns the rewritten table; `nil` if the table can't be kept, or an empty array for a removed track.
  private func rewriteAccessTable(_ box: Box) throws -> [FilePiece]? {
    let bytes = try source.bytes(in: box.payload, atMost: 1 << 24)
    var cursor = ByteCursor(bytes)
    guard let is64Bit = cursor.fullBoxHeader()?.is64Bit, let id = cursor.u32(), let lengths = cursor.u32(),
      let count = cursor.u32()
    else { return nil }
    if edits.removedTracks.contains(id) { return [] }
    // Each entry ends with the numbers of the track fragment, run and sample, which have one to four bytes each.
    let rest = Int(lengths >> 4 & 3) + Int(lengths >> 2 & 3) + Int(lengths & 3) + 3
    guard Int(count) <= cursor.remaining / ((is64Bit ? 16 : 8) + rest) else { return nil }
    var writer = BoxWriter()
    writer.append(bytes[..<16])
    for _ in 0..<count {
      guard let time = cursor.unsigned(is64Bit: is64Bit), let old = cursor.unsigned(is64Bit: is64Bit),
        let new = newBoxOffset(Int64(clamping: old)), let numbers = cursor.take(rest)
      else { return nil }
      writer.unsigned(time, is64Bit: is64Bit)
      writer.unsigned(UInt64(max(0, new)), is64Bit: is64Bit)
      writer.append(numbers)
    }
    return .makeBox("tfra", [.bytes(writer.bytes)])
  }
}
