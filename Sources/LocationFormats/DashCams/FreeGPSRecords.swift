internal import ClipModel

/// Reads `freeGPS ` blocks whose structure contains text or several fixes.
enum FreeGPSRecords {
  /// Reads an `ATC` block, which contains the device's entire ring buffer in 52-byte records, starting at offset 48.
  /// The latitude at offset 16 and the longitude at offset 24 are in ten-millionths of a degree, and XORed with a byte
  /// that is zero in plain text.
  static func readRingBuffer(_ block: RecordFields) -> [GeoPosition?] {
    stride(from: 48, to: block.count, by: 52).map { start in
      guard let record = block.record(at: start, count: 52), record.matches("ATC", at: 21),
        let key = record.byte(at: 20),
        let latitude = record.littleEndian(Int32.self, at: 16), let longitude = record.littleEndian(Int32.self, at: 24)
      else { return nil }
      let mask = Int32(truncatingIfNeeded: UInt32(key) * 0x0101_0101)
      return GeoPosition(latitude: Double(latitude ^ mask) / 1e7, longitude: Double(longitude ^ mask) / 1e7)
    }
  }

  /// Decodes an NMEA sentence at offset 60 whose character codes are increased by 16: `$GPRMC,` becomes ``4W`b]S<``.
  static func decodeShiftedSentence(_ block: RecordFields) -> [UInt8]? {
    guard block.matches("4W`b]S<", at: 60), let text = block.bytes(at: 60, count: min(240, block.count - 60)) else {
      return nil
    }
    return text.map { $0 >= 16 ? $0 - 16 : $0 }
  }

  /// Reads INNOVV records, which have 32 bytes and follow the block header: `A`, the hemispheres, and DDDMM.MMMM
  /// numbers at offsets 4 and 8.
  static func readINNOVVRecords(_ block: RecordFields, from first: Int = FreeGPSLayout.contentOffset) -> [GeoPosition?]?
  {
    let positions = stride(from: first, to: block.count, by: 32).map { start -> GeoPosition? in
      guard block.matches("A", at: start), block.matches([0], at: start + 3) else { return nil }
      return block.position(.float, at: start + 4, start + 8, letters: (start + 1, start + 2))
    }
    return positions.contains { $0 != nil } ? positions : nil
  }

  /// Reads big-endian NextBase 512G records, which have 32 bytes and start at offset 50: the date is at 4, the latitude
  /// at 13 and the longitude at 17, in ten-millionths of a degree.
  static func readNextBaseRecords(_ block: RecordFields) -> [GeoPosition?]? {
    var positions: [GeoPosition?] = []
    for start in stride(from: 50, to: block.count, by: 32) {
      guard let year = block.bigEndian(UInt16.self, at: start + 4), (2000...2200).contains(year),
        let month = block.byte(at: start + 6), (1...12).contains(month),
        let day = block.byte(at: start + 7), (1...31).contains(day), block.count >= start + 21
      else { break }
      positions.append(block.position(.bigEndian(unitsPerDegree: 1e7), at: start + 13, start + 17))
    }
    return positions.isEmpty ? nil : positions
  }
}
