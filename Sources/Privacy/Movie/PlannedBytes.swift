import ISOMedia

/// The contents of a planned file that hasn't been written yet. The bytes are read from pieces in memory and in the
/// source.
struct PlannedBytes: ByteSource {
  private let source: any ByteSource
  private let pieces: [FilePiece]
  /// The offset of each piece in the planned file, in bytes.
  private let starts: [Int64]
  let byteCount: Int64

  init(_ pieces: [FilePiece], of source: any ByteSource) {
    self.source = source
    self.pieces = pieces
    var end: Int64 = 0
    starts = pieces.map { piece in
      defer { end += piece.count }
      return end
    }
    byteCount = end
  }

  func bytes(at offset: Int64, count: Int) throws(ISOMediaError) -> [UInt8] {
    guard offset >= 0, offset < byteCount, count > 0 else { return [] }
    let end = offset + min(Int64(count), byteCount - offset)
    var result: [UInt8] = []
    for index in firstIndex(at: offset)..<pieces.count {
      if starts[index] >= end { break }
      let start = starts[index]
      let part = max(offset, start) - start..<min(end, start + pieces[index].count) - start
      switch pieces[index].subpiece(part) {
      case .bytes(let bytes): result += bytes
      case .copy(let range): result += try source.bytes(at: range.lowerBound, count: range.count)
      }
    }
    return result
  }

  /// Converts pieces of this planned file to pieces of its source.
  func resolvePieces(_ parts: [FilePiece]) -> [FilePiece] {
    parts.flatMap { part -> [FilePiece] in
      guard case .copy(let range) = part, !range.isEmpty else { return [part] }
      return zip(starts, pieces).dropFirst(firstIndex(at: range.lowerBound)).prefix { $0.0 < range.upperBound }
        .map { start, piece in
          piece.subpiece(max(0, range.lowerBound - start)..<min(piece.count, range.upperBound - start))
        }
    }.merged
  }

  /// Returns the index of the last piece that starts at or before an offset in the file.
  private func firstIndex(at offset: Int64) -> Int {
    max(0, starts.partitioningIndex { $0 > offset } - 1)
  }
}
