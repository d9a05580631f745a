/// A byte source that replaces some ranges of another source with zeros.
package struct BlankedBytes: ByteSource {
  private let source: any ByteSource
  /// The blanked ranges, sorted and without overlaps.
  private let ranges: [Range<Int64>]

  package init(_ source: any ByteSource, blanking ranges: [Range<Int64>]) {
    self.source = source
    self.ranges = .union(ranges)
  }

  package var byteCount: Int64 { source.byteCount }

  package func bytes(at offset: Int64, count: Int) throws(ISOMediaError) -> [UInt8] {
    var bytes = try source.bytes(at: offset, count: count)
    let read = offset..<offset + Int64(bytes.count)
    for range in ranges where range.overlaps(read) {
      let part = range.clamped(to: read)
      for index in Int(part.lowerBound - offset)..<Int(part.upperBound - offset) { bytes[index] = 0 }
    }
    return bytes
  }

  /// Replaces the blanked ranges in the pieces with zeros.
  func blankPieces(_ pieces: [FilePiece]) -> [FilePiece] {
    if ranges.isEmpty { return pieces }
    return pieces.flatMap { piece -> [FilePiece] in
      guard case .copy(let range) = piece else { return [piece] }
      var parts: [FilePiece] = []
      var position = range.lowerBound
      for blank in ranges where blank.overlaps(range) {
        let blank = blank.clamped(to: range)
        parts.append(.copy(position..<blank.lowerBound))
        parts.append(.bytes([UInt8](repeating: 0, count: Int(blank.upperBound - blank.lowerBound))))
        position = blank.upperBound
      }
      return parts + [.copy(position..<range.upperBound)]
    }.merged
  }
}
