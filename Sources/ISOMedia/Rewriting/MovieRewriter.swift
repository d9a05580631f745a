/// Rewrites a movie with some of its boxes, tracks and sample bytes removed. The result is a list of pieces, most of
/// which are ranges of the source. The rewriter doesn't decode anything, and keeps only tables in memory.
///
/// The order of the boxes stays the same. The rewriter also removes free space, and `mdat` bytes that don't belong to
/// any sample of a kept track.
public struct MovieRewriter {
  /// The source, with the blanked ranges replaced by zeros.
  let source: BlankedBytes
  let file: ISOFile
  let edits: MovieEdits
  let name: String
  var media = SampleByteMap(kept: [], cuts: [])
  /// The start and end offsets of the source's top-level boxes.
  private(set) var boundaries: Set<Int64> = []
  /// Whether the first pass has finished, after which the position of every span is known.
  var isPlaced = false
  /// The new start offsets of the top-level boxes, keyed by their old ones. The fragment indexes need them.
  var boxStarts: [Int64: Int64] = [:]
  /// Media data keeps its offset modulo this block size, so that the file system can share blocks instead of copying
  /// them.
  private let alignment: Int64

  /// Creates a rewriter for one movie.
  /// - Parameters:
  ///   - source: the bytes of the movie.
  ///   - file: the movie's structure, read from the same bytes.
  ///   - edits: the changes to make.
  ///   - name: the file name to use in errors.
  ///   - alignment: a block size in bytes, or 1. The rewriter may insert up to this many zeros before each long span.
  public init(source: any ByteSource, file: ISOFile, edits: MovieEdits, name: String, alignment: Int64 = 1) {
    self.source = BlankedBytes(source, blanking: edits.blankedRanges)
    self.file = file
    self.edits = edits
    self.name = name
    self.alignment = max(1, alignment)
  }

  /// Returns the pieces of the new file, in order.
  /// - Throws: ``MovieRewriteError`` if data would be lost, ``ISOMediaError`` if the source cannot be read.
  public mutating func makePieces() throws -> [FilePiece] {
    try validateSource()
    let kept = try file.sampleRanges(in: source) { !edits.removedTracks.contains($0) }
    let removed = try file.sampleRanges(in: source) { edits.removedTracks.contains($0) }
    guard let kept, let removed else { throw makeDamageError("the file has too many chunks") }
    guard !kept.overlaps(removed) else {
      throw unsupportedError("a removed track shares sample data with a kept track")
    }
    media = SampleByteMap(kept: kept, cuts: edits.cuts)
    try checkSampleRanges()
    // Box sizes don't depend on sample positions, so the first pass can compute all positions.
    try computePositions()
    var pieces: [FilePiece] = []
    var position: Int64 = 0
    for box in file.topLevelBoxes {
      let more = try rewriteBox(box, at: position)
      pieces += more
      position += more.byteCount
    }
    if edits.keepsTrailer, let trailer = file.trailer { pieces.append(.copy(trailer.range)) }
    return source.blankPieces(pieces.merged)
  }

  private func validateSource() throws {
    guard file.missingByteCount == 0 else {
      throw MovieRewriteError.truncated(name: name, missingByteCount: file.missingByteCount)
    }
    guard file.topLevelBoxes.count(where: { $0.type == "moov" }) == 1 else {
      throw makeDamageError("the file must have exactly one moov box")
    }
    // The last mdat may declare more bytes than the file has, provided that no samples are missing.
    if let box = file.topLevelBoxes.first(where: { $0.overrun > 0 && $0.type != "mdat" }) {
      throw makeDamageError("\(box.path) is truncated")
    }
    let ids = file.tracks.map(\.trackID)
    guard Set(ids).count == ids.count, !ids.contains(0) else {
      throw makeDamageError("a track ID is missing or duplicated")
    }
    for track in file.tracks where !edits.removedTracks.contains(track.trackID) {
      guard let table = track.table else { continue }
      guard table.isWalkable else { throw makeDamageError("\(track.box.path) has too many chunks") }
      let inChunks = try table.computeExtent(in: source).sampleCount
      guard inChunks == table.sampleCount else {
        throw makeDamageError("\(track.box.path): \(table.sampleCount - inChunks) samples are not in any chunk")
      }
    }
  }

  /// Throws an error if there are samples outside the `mdat` boxes, because the rewriter wouldn't move them.
  private func checkSampleRanges() throws {
    let boxes = file.topLevelBoxes.filter { $0.type == "mdat" }
    let count = boxes.reduce(0) { $0 + media.spans(in: $1.payload).count }
    let areInside = boxes.allSatisfy { box in
      media.spans(in: box.payload).last.map { media.spans[$0].old.upperBound <= box.payload.upperBound } ?? true
    }
    guard count == media.spans.count, areInside else {
      throw makeDamageError("some samples are outside the mdat boxes")
    }
  }

  /// Computes the positions of all boxes and samples. This is the first pass.
  private mutating func computePositions() throws {
    boundaries = Set(file.topLevelBoxes.flatMap { [$0.range.lowerBound, $0.range.upperBound] })
    var position: Int64 = 0
    for box in file.topLevelBoxes {
      boxStarts[box.range.lowerBound] = position
      if box.type == "mdat" {
        position = computeSpanPositions(of: box, at: position)
      } else {
        position += try rewriteBox(box, at: position).byteCount
      }
    }
    boxStarts[file.topLevelBoxes.last?.range.upperBound ?? 0] = position
    isPlaced = true
  }

  private func rewriteBox(_ box: Box, at position: Int64) throws -> [FilePiece] {
    if edits.removedBoxes.contains(box.range.lowerBound) { return [] }
    if let bytes = edits.replacedBoxes[box.range.lowerBound] { return [.bytes(bytes)] }
    switch box.type {
    case "free", "skip", "wide": return []
    case "mdat": return rewriteMedia(box, at: position)
    case "moov", "meta", "udta": return try rewriteBox(box)
    case "moof": return try rewriteFragment(box, at: position)
    case "sidx": return try rewriteSegmentIndex(box, at: position)
    case "mfra": return try rewriteFragmentIndex(box)
    // The `ssix` box contains byte ranges inside the segments of `sidx`, which are no longer valid.
    case "ssix": return []
    default: return edits.containsChangedBox(box.range) ? try rewriteBox(box) : [.copy(box.range)]
    }
  }

  // MARK: mdat

  /// The minimum span length in bytes for block sharing. For shorter spans, the padding would cost more than the
  /// sharing saves.
  private static let shortestShare: Int64 = 256 << 10

  /// Computes the positions of an `mdat` box's spans, and returns the end of the box.
  private mutating func computeSpanPositions(of box: Box, at position: Int64) -> Int64 {
    let spans = media.spans(in: box.payload)
    guard !spans.isEmpty else { return position }
    var end = position + mediaHeaderSize(of: spans)
    for index in spans {
      let span = media.spans[index]
      if span.replacement == nil, span.newCount >= Self.shortestShare {
        let distance = (span.old.lowerBound - end) % alignment
        end += distance < 0 ? distance + alignment : distance
      }
      media.moveSpan(index, to: end)
      end += span.newCount
    }
    return end
  }

  /// Returns the size of the `mdat` header, 8 or 16 bytes. The caller needs it before the positions are known.
  private func mediaHeaderSize(of spans: Range<Int>) -> Int64 {
    let most = spans.reduce(0) { $0 + media.spans[$1].newCount } + Int64(spans.count) * (alignment - 1) + 8
    return most > Int64(UInt32.max) ? 16 : 8
  }
  /// Returns the `mdat` box with its spans at their positions, padded with zeros for alignment.
  private func rewriteMedia(_ box: Box, at position: Int64) -> [FilePiece] {
    let spans = media.spans(in: box.payload)
    guard let last = spans.last else { return [] }
    let headerCount = mediaHeaderSize(of: spans)
    let count = media.spans[last].newStart + media.spans[last].newCount - position
    var header = BoxWriter()
    if headerCount == 16 { header.u32(1) } else { header.u32(UInt32(truncatingIfNeeded: count)) }
    header.fourCC("mdat")
    if headerCount == 16 { header.u64(UInt64(count)) }
    var pieces: [FilePiece] = [.bytes(header.bytes)]
    var end = position + headerCount
    for index in spans {
      let span = media.spans[index]
      if span.newStart > end { pieces.append(.bytes([UInt8](repeating: 0, count: Int(span.newStart - end)))) }
      pieces.append(span.piece)
      end = span.newStart + span.newCount
    }
    return pieces
  }

  func makeDamageError(_ why: String) -> MovieRewriteError { .damaged(name: name, why: why) }
  func unsupportedError(_ why: String) -> MovieRewriteError { .unsupported(name: name, why: why) }
}
