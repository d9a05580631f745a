internal import ISOMedia

/// Reads Novatek's `moov/gps ` table: a version, a count, and the offset and size of each `freeGPS ` block, with 32
/// bits each.
enum FreeGPSTable {
  /// The maximum number of blocks: two days at one GPS fix per second.
  private static let entryLimit = 200_000
  /// The maximum number of bytes to search for positions, which is enough for about one hour. Later positions are not
  /// counted.
  static let readBudget = 16 << 20

  /// Returns the ranges of the listed blocks that are inside the file.
  static func readBlockRanges(of box: Box, in source: any ByteSource) throws(ISOMediaError) -> [Range<Int64>] {
    let table = try source.fields(in: box.payload, atMost: 8 + 8 * entryLimit)
    guard let count = table.bigEndian(UInt32.self, at: 4) else { return [] }
    return (0..<min(Int(count), max(0, table.count - 8) / 8)).compactMap { index in
      guard let offset = table.bigEndian(UInt32.self, at: 8 + 8 * index).map(Int64.init),
        let size = table.bigEndian(UInt32.self, at: 12 + 8 * index).map(Int64.init),
        size > 0, offset < source.byteCount
      else { return nil }
      return offset..<min(offset + size, source.byteCount)
    }
  }
}
