/// Writes a movie anew without some of its boxes, tracks and bytes of samples: as a list of pieces, most of them ranges
/// of the source. Samples that stay are not touched, nothing is decoded, and memory holds tables, never samples.
///
/// The order of the file stays. Free space, and every byte of `mdat` that no sample of a track that stays refers to, is
/// left out.
public struct MovieRewriter {
  /// With zeros where bytes are blanked.
  let source: BlankedBytes
  let file: ISOFile
  let edits: MovieEdits
  let name: String
  var media = MediaMap(kept: [], cuts: [])
  /// Where boxes at the top begin and end.
  private(set) var boundaries: Set<Int64> = []
  /// The first pass is over: every span has its place.
  var isPlaced = false
  /// Old and new starts of the boxes at the top, for indexes of fragments.
  var boxStarts: [Int64: Int64] = [:]
  /// Where the media of `mdat` boxes goes modulo this: file systems share whole blocks between files instead of copying.
  private let alignment: Int64

  /// - Parameters:
  ///   - source: the movie's bytes.
  ///   - file: what its boxes say, read from the same bytes.
  ///   - edits: what goes, and what takes its place.
  ///   - name: what errors call the file.
  ///   - alignment: a block size; 1 for none. Costs up to so many bytes of zeros in front of each long span.
  public init(source: any ByteSource, file: ISOFile, edits: MovieEdits, name: String, alignment: Int64 = 1) {
    self.source = BlankedBytes(source, blanking: edits.blankedRanges)
    self.file = file
    self.edits = edits
    self.name = name
    self.alignment = max(1, alignment)
  }

  /// The new file, from its first byte to its last: ranges of the source, and new bytes between them.
  /// - Throws: ``MovieRewriteError`` when that would lose something, ``ISOMediaError`` when the source cannot be read.
  public mutating func pieces() throws -> [FilePiece] {
    try check()
    let kept = try file.sampleRanges(in: source) { !edits.removedTracks.contains($0) }
    let removed = try file.sampleRanges(in: source) { edits.removedTracks.contains($0) }
    guard let kept, let removed else { throw damaged("it has too many chunks") }
    guard !kept.overlaps(removed) else {
      throw unsupported("a track that goes shares bytes with one that stays")
    }
    media = MediaMap(kept: kept, cuts: edits.cuts)
    try checkPlaces()
    // The boxes' sizes do not depend on where the samples go, so that the first pass finds the places for the second.
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
      throw damaged("it has no moov box, or more than one")
    }
    // The file may be shorter than its last mdat claims, as long as all samples are there.
    if let box = file.topLevelBoxes.first(where: { $0.overrun > 0 && $0.type != "mdat" }) {
      throw damaged("\(box.path) is cut off")
    }
    // Tracks are identified by their numbers.
    let numbers = file.tracks.map(\.trackID)
    guard Set(numbers).count == numbers.count, !numbers.contains(0) else {
      throw damaged("two of its tracks have the same number, or one has none")
    }
    for track in file.tracks where !edits.removedTracks.contains(track.trackID) {
      guard let table = track.table else { continue }
      guard table.isWalkable else {
        throw damaged("\(track.box.path) has more chunks than can be read")
      }
      let inChunks = try table.extent(in: source).sampleCount
      guard inChunks == table.sampleCount else {
        throw damaged("\(track.box.path): \(table.sampleCount - inChunks) of its samples are in no chunk")
      }
    }
  }

  /// Samples may be in `mdat` boxes only: what is elsewhere would not go with them.
  private func checkPlaces() throws {
    let count = file.topLevelBoxes.filter { $0.type == "mdat" }.reduce(0) { $0 + media.spans(in: $1.payload).count }
    let areInside = file.topLevelBoxes.filter { $0.type == "mdat" }.allSatisfy { box in
      media.spans(in: box.payload).last.map { media.spans[$0].old.upperBound <= box.payload.upperBound } ?? true
    }
    guard count == media.spans.count, areInside else {
      throw damaged("samples lie outside of its mdat boxes")
    }
  }

  /// First pass: where everything goes.
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
    case "moov", "meta", "udta": return try rewrittenBoxes(of: box)
    case "moof": return try rewrittenFragment(box, at: position)
    case "sidx": return try rewrittenSegmentIndex(box, at: position)
    case "mfra": return try rewrittenFragmentIndex(box)
    // Byte ranges inside the segments that `sidx` describes.
    case "ssix": return []
    default: return edits.touches(box.range) ? try rewrittenBoxes(of: box) : [.copy(box.range)]
    }
  }

  // MARK: mdat

  /// Spans shorter than this are copied: a share would cost more free space than it saves writing.
  private static let shortestShare: Int64 = 256 << 10

  /// Finds the places of a box's spans; gives the end of the box.
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
      media.place(index, at: end)
      end += span.newCount
    }
    return end
  }

  /// Of 8 or 16 bytes: chosen before the places are known.
  private func mediaHeaderCount(of spans: Range<Int>) -> Int64 {
    let most = spans.reduce(0) { $0 + media.spans[$1].newCount } + Int64(spans.count) * (alignment - 1) + 8
    return most > Int64(UInt32.max) ? 16 : 8
  }

  /// The box with its spans in their places, zeros in between where blocks are to be shared.
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
