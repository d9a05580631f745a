/// A part of a new file: new bytes or a byte range of the source.
public enum FilePiece: Equatable, Sendable {
  /// New bytes.
  case bytes([UInt8])
  /// A range of the source.
  case copy(Range<Int64>)

  /// The number of bytes in the piece.
  public var count: Int64 {
    switch self {
    case .bytes(let bytes): Int64(bytes.count)
    case .copy(let range): range.upperBound - range.lowerBound
    }
  }

  /// Returns a part of the piece.
  /// - Parameter range: the byte range relative to the start of the piece.
  package func subpiece(_ range: Range<Int64>) -> FilePiece {
    switch self {
    case .bytes(let bytes): .bytes(Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
    case .copy(let whole): .copy(whole.lowerBound + range.lowerBound..<whole.lowerBound + range.upperBound)
    }
  }
}

extension [FilePiece] {
  /// The total size of all pieces in bytes.
  public var byteCount: Int64 { reduce(0) { $0 + $1.count } }

  /// Wraps the pieces in a box. Uses a 64-bit size if the box doesn't fit in 32 bits.
  static func makeBox(_ type: FourCC, userType: [UInt8] = [], _ content: [FilePiece]) -> [FilePiece] {
    let count = content.byteCount + Int64(userType.count)
    var writer = BoxWriter()
    writer.header(type, payloadCount: count)
    writer.append(userType)
    return ([.bytes(writer.bytes)] + content).merged
  }

  /// The pieces with adjacent ones merged and empty ones removed.
  package var merged: [FilePiece] {
    var result: [FilePiece] = []
    for piece in self where piece.count > 0 {
      switch (result.last, piece) {
      case (.bytes(let before), .bytes(let more)): result[result.count - 1] = .bytes(before + more)
      case (.copy(let before), .copy(let more)) where before.upperBound == more.lowerBound:
        result[result.count - 1] = .copy(before.lowerBound..<more.upperBound)
      default: result.append(piece)
      }
    }
    return result
  }
}
