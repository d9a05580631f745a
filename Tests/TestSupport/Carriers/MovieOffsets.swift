import ISOMedia

/// The edited file with updated sample offsets.
extension MovieEdit {
  public var bytes: [UInt8] {
    get throws {
      var moves: [Move] = []
      var position = 0
      for part in parts {
        moves.append(Move(from: part.addresses, to: position))
        position += part.bytes.count
      }
      return try parts.flatMap { part in
        Self.type(of: part.bytes) == "moov" ? try Self.relocated(part.bytes, moves, in: []) : part.bytes
      }
    }
  }

  private struct Move {
    var from: Range<Int>
    var to: Int
  }

  private static func relocated(_ box: [UInt8], _ moves: [Move], in path: [FourCC]) throws -> [UInt8] {
    let type = type(of: box)
    let payload = Array(box.dropFirst(8))
    // Version, flags and a count precede the table.
    switch type {
    case "stco": return Self.box(type, payload.prefix(8) + moved(payload.dropFirst(8), width: 4, stride: 4, moves))
    case "co64": return Self.box(type, payload.prefix(8) + moved(payload.dropFirst(8), width: 8, stride: 8, moves))
    case "gps " where path == ["moov"]:
      return Self.box(type, payload.prefix(8) + moved(payload.dropFirst(8), width: 4, stride: 8, moves))
    case "moov", "trak", "mdia", "minf", "stbl":
      return Self.box(type, try children(of: payload).flatMap { try relocated($0, moves, in: path + [type]) })
    default: return box
    }
  }

  private static func moved(_ table: ArraySlice<UInt8>, width: Int, stride: Int, _ moves: [Move]) -> [UInt8] {
    var result = Array(table)
    for start in Swift.stride(from: 0, to: result.count - width + 1, by: stride) {
      let offset = result[start..<start + width].reduce(0) { $0 << 8 | Int($1) }
      guard let move = moves.first(where: { $0.from.contains(offset) }) else { continue }
      let new = UInt64(move.to + offset - move.from.lowerBound)
      result.replaceSubrange(start..<start + width, with: new.bigEndianBytes.suffix(width))
    }
    return result
  }

  // MARK: 64 bits

  /// Gives each `mdat` a 64-bit size, and each track 64-bit offsets.
  public mutating func use64BitOffsets() throws {
    for index in parts.indices {
      switch Self.type(of: parts[index].bytes) {
      case "mdat":
        let payload = Array(parts[index].bytes.dropFirst(8))
        parts[index].bytes =
          UInt32(1).bigEndianBytes + Array("mdat".utf8) + UInt64(payload.count + 16).bigEndianBytes + payload
        // The header is eight bytes longer, so the samples move relative to its start.
        parts[index].addresses = parts[index].addresses.lowerBound - 8..<parts[index].addresses.upperBound
      case "moov": parts[index].bytes = try Self.widened(parts[index].bytes)
      default: break
      }
    }
  }

  private static func widened(_ box: [UInt8]) throws -> [UInt8] {
    let type = type(of: box)
    let payload = Array(box.dropFirst(8))
    switch type {
    case "stco":
      let offsets = stride(from: 8, to: payload.count, by: 4).flatMap { zeros(4) + payload[$0..<$0 + 4] }
      return Self.box("co64", payload.prefix(8) + offsets)
    case "moov", "trak", "mdia", "minf", "stbl":
      return Self.box(type, try children(of: payload).flatMap(widened))
    default: return box
    }
  }
}
