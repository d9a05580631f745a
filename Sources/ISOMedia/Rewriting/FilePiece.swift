/// A part of a file to be written: new bytes, or bytes of the source as they are.
public enum FilePiece: Equatable, Sendable {
  /// These, which the source does not have.
  case bytes([UInt8])
  /// A range of the source, in bytes.
  case copy(Range<Int64>)

  /// How many bytes it is.
  public var count: Int64 {
    switch self {
    case .bytes(let bytes): Int64(bytes.count)
    case .copy(let range): range.upperBound - range.lowerBound
    }
  }

  /// A part of it.
  /// - Parameter range: within the piece, in bytes from its start.
  package func part(_ range: Range<Int64>) -> FilePiece {
    switch self {
    case .bytes(let bytes): .bytes(Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
    case .copy(let whole): .copy(whole.lowerBound + range.lowerBound..<whole.lowerBound + range.upperBound)
    }
  }
}

extension [FilePiece] {
  /// Bytes of all pieces together.
  public var byteCount: Int64 { reduce(0) { $0 + $1.count } }

  /// A box around the pieces, with a 64-bit size when 32 bits do not hold it.
  static func box(_ type: FourCC, userType: [UInt8] = [], _ content: [FilePiece]) -> [FilePiece] {
    let count = content.byteCount + Int64(userType.count)
    var writer = BoxWriter()
    writer.header(type, payloadCount: count)
    writer.append(userType)
    return ([.bytes(writer.bytes)] + content).merged
  }

  /// Neighbours put together, empty ones left out.
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
