internal import ISOMedia

/// Novatek's `moov/gps `: a version, a count, and pairs of offset and size of `freeGPS ` blocks, 32 bits each.
enum FreeGPSTable {
  /// Two days of one fix a second.
  private static let entryLimit = 200_000
  /// Bytes of blocks that are read for their positions: an hour's. What remains is not counted.
  static let readBudget = 16 << 20

  /// Where the blocks are that a table names, as far as they lie in the file.
  static func blocks(of box: Box, in source: any ByteSource) throws(ISOMediaError) -> [Range<Int64>] {
    let table = try source.fields(in: box.payload, atMost: 8 + 8 * entryLimit)
    guard let count = table.big(UInt32.self, at: 4) else { return [] }
    var ranges: [Range<Int64>] = []
    for index in 0..<min(Int(count), max(0, table.count - 8) / 8) {
      guard let offset = table.big(UInt32.self, at: 8 + 8 * index).map(Int64.init),
        let size = table.big(UInt32.self, at: 12 + 8 * index).map(Int64.init),
        size > 0, offset < source.byteCount
      else { continue }
      ranges.append(offset..<min(offset + size, source.byteCount))
    }
    return ranges
  }
}
