/// Rewrites a movie without some of its boxes, tracks and sample bytes. The result is a list of pieces, most of which
/// are ranges of the source. Nothing is decoded, and only tables are kept in memory.
///
/// The order of the boxes is kept. Free space is removed, and so are `mdat` bytes that do not belong to a sample of a
/// kept track.
public struct MovieRewriter {
  /// The source, with zeros in the blanked ranges.
  let source: BlankedBytes
  let file: ISOFile
  let edits: MovieEdits
  let name: String
  var media = MediaMap(kept: [], cuts: [])
  /// The starts and ends of the top-level boxes.
  private(set) var boundaries: Set<Int64> = []
  /// Whether the first pass has finished, so that the position of every span is known.
  var isPlaced = false
  /// The new starts of the top-level boxes by their old starts, for the fragment indexes.
  var boxStarts: [Int64: Int64] = [:]
  /// The media keeps its offset modulo this block size, so that file systems can share blocks instead of copying them.
  private let alignment: Int64

  /// - Parameters:
  ///   - source: the bytes of the movie.
  ///   - file: the content of its boxes, read from the same bytes.
  ///   - edits: the changes.
  ///   - name: the name of the file in errors.
  ///   - alignment: a block size, or 1. Up to this many zeros may be inserted before each long span.
  public init(source: any ByteSource, file: ISOFile, edits: MovieEdits, name: String, alignment: Int64 = 1) {
    self.source = BlankedBytes(source, blanking: edits.blankedRanges)
    self.file = file
    self.edits = edits
    self.name = name
    self.alignment = max(1, alignment)
  }

  /// Creates the new file from its first byte to its last.
  /// - Throws: ``MovieRewriteError`` if data would be lost, ``ISOMediaError`` if the source cannot be read.
  public mutating func pieces() throws -> [FilePiece] {
    try check()
    let kept = try file.sampleRanges(in: source) { !edits.removedTracks.contains($0) }
    let removed = try file.sampleRanges(in: source) { edits.removedTracks.contains($0) }
    guard let kept, let removed else { throw damaged("the file has too many chunks") }
    guard !kept.overlaps(removed) else {
      throw unsupported("a removed track shares bytes with a kept one")
    }
    media = MediaMap(kept: kept, cuts: edits.cuts)
    try checkSampleRanges()
    // Box sizes do not depend on sample positions. The first pass computes the positions.
    try place()
    var pieces: [FilePiece] = []
    var position: Int64 = 0
    for box in file.topLevelBoxes {
      let more = try rewritten(box, at: position)
      pieces += more
      position += more.byteCount
    }
    if edits.keepsTrailer, let trailer = file.trailer { pieces.append(.copy(trailer.range)) }
    return source.blanked(pieces.merged)
  }

  private func check() throws {
    guard file.missingByteCount == 0 else {
      throw MovieRewriteError.truncated(name: name, missingByteCount: file.missingByteCount)
    }
    guard file.topLevelBoxes.count(where: { $0.type == "moov" }) == 1 else {
      throw damaged("the moov box is missing, or there is more than one")
    }
    // The last mdat may declare more bytes than the file has, as long as all samples are present.
    if let box = file.topLevelBoxes.first(where: { $0.overrun > 0 && $0.type != "mdat" }) {
      throw damaged("\(box.path) is truncated")
    }
    // Track IDs must be unique.
    let ids = file.tracks.map(\.trackID)
    guard Set(ids).count == ids.count, !ids.contains(0) else {
      throw damaged("a track ID is missing or duplicated")
    }
    for track in file.tracks where !edits.removedTracks.contains(track.trackID) {
      guard let table = track.table else { continue }
      guard table.isWalkable else { throw damaged("\(track.box.path) has too many chunks") }
      let inChunks = try table.extent(in: source).sampleCount
      guard inChunks == table.sampleCount else {
        throw damaged("\(track.box.path): \(table.sampleCount - inChunks) samples are in no chunk")
      }
    }
  }

  /// Samples outside `mdat` boxes are not supported, because they would not be moved.
  private func checkSampleRanges() throws {
    let boxes = file.topLevelBoxes.filter { $0.type == "mdat" }
    let count = boxes.reduce(0) { $0 + media.spans(in: $1.payload).count }
    let areInside = boxes.allSatisfy { box in
      media.spans(in: box.payload).last.map { media.spans[$0].old.upperBound <= box.payload.upperBound } ?? true
    }
    guard count == media.spans.count, areInside else { throw damaged("samples are outside the mdat boxes") }
  }

  /// The first pass, which computes all positions.
  private mutating func place() throws {
    boundaries = Set(file.topLevelBoxes.flatMap { [$0.range.lowerBound, $0.range.upperBound] })
    var position: Int64 = 0
    for box in file.topLevelBoxes {
      boxStarts[box.range.lowerBound] = position
      if box.type == "mdat" {
        position = placeMedia(of: box, at: position)
      } else {
        position += try rewritten(box, at: position).byteCount
      }
    }
    boxStarts[file.topLevelBoxes.last?.range.upperBound ?? 0] = position
    isPlaced = true
  }

  private func rewritten(_ box: Box, at position: Int64) throws -> [FilePiece] {
    if edits.removedBoxes.contains(box.range.lowerBound) { return [] }
    if let bytes = edits.replacedBoxes[box.range.lowerBound] { return [.bytes(bytes)] }
    switch box.type {
    case "free", "skip", "wide": return []
    case "mdat": return rewrittenMedia(box, at: position)
    case "moov", "meta", "udta": return try rewritten(box)
    case "moof": return try rewrittenFragment(box, at: position)
    case "sidx": return try rewrittenSegmentIndex(box, at: position)
    case "mfra": return try rewrittenFragmentIndex(box)
    // `ssix` contains byte ranges inside the segments of `sidx`, which are no longer valid.
    case "ssix": return []
    default: return edits.touches(box.range) ? try rewritten(box) : [.copy(box.range)]
    }
  }

  // MARK: mdat

  /// The minimum length for sharing blocks. Sharing shorter spans would need more padding than it saves.
  private static let shortestShare: Int64 = 256 << 10

  /// Computes the positions of a box's spans and returns the end of the box.
  private mutating func placeMedia(of box: Box, at position: Int64) -> Int64 {
    let spans = media.spans(in: box.payload)
    guard !spans.isEmpty else { return position }
    var end = position + mediaHeaderCount(of: spans)
    for index in spans {
      let span = media.spans[index]
      if span.replacement == nil, span.newCount >= Self.shortestShare {
        let distance = (span.old.lowerBound - end) % alignment
        end += distance < 0 ? distance + alignment : distance
      }
      media.move(index, to: end)
      end += span.newCount
    }
    return end
  }

  /// The size of the header, 8 or 16 bytes, which is needed before the positions are known.
  private func mediaHeaderCount(of spans: Range<Int>) -> Int64 {
    let most = spans.reduce(0) { $0 + media.spans[$1].newCount } + Int64(spans.count) * (alignment - 1) + 8
    return most > Int64(UInt32.max) ? 16 : 8
  }
  /// The box with its spans at their positions, and zeros between them for alignment.
  private func rewrittenMedia(_ box: Box, at position: Int64) -> [FilePiece] {
    let spans = media.spans(in: box.payload)
    guard let last = spans.last else { return [] }
    let headerCount = mediaHeaderCount(of: spans)
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

  func damaged(_ why: String) -> MovieRewriteError { .damaged(name: name, why: why) }
  func unsupported(_ why: String) -> MovieRewriteError { .unsupported(name: name, why: why) }
}
