internal import ClipModel

/// Structures in `freeGPS ` blocks that contain several fixes, or text.
enum FreeGPSRecords {
  /// `ATC`: the whole ring buffer of the device, in 52-byte records starting at 48. Latitude at 16 and longitude at 24
  /// are in ten-millionths of a degree and XORed with a byte that is zero in plain text.
  static func ringBuffer(_ block: RecordFields) -> [GeoPosition?] {
    stride(from: 48, to: block.count, by: 52).map { start in
      guard let record = block.record(at: start, count: 52), record.has("ATC", at: 21),
        let key = record.byte(at: 20),
        let latitude = record.little(Int32.self, at: 16), let longitude = record.little(Int32.self, at: 24)
      else { return nil }
      let mask = Int32(truncatingIfNeeded: UInt32(key) * 0x0101_0101)
      return GeoPosition(latitude: Double(latitude ^ mask) / 1e7, longitude: Double(longitude ^ mask) / 1e7)
    }
  }

  /// An NMEA sentence at 60 with each character raised by 16: `$GPRMC,` becomes ``4W`b]S<``.
  static func shiftedSentence(_ block: RecordFields) -> [UInt8]? {
    guard block.has("4W`b]S<", at: 60), let text = block.bytes(at: 60, count: min(240, block.count - 60)) else {
      return nil
    }
    return text.map { $0 >= 16 ? $0 - 16 : $0 }
  }

  /// INNOVV: 32-byte records after the block header: `A`, the hemispheres, and DDDMM.MMMM at 4 and 8.
  static func innovv(_ block: RecordFields, from first: Int = FreeGPSLayout.contentOffset) -> [GeoPosition?]? {
    let positions = stride(from: first, to: block.count, by: 32).map { start -> GeoPosition? in
      guard block.has("A", at: start), block.has([0], at: start + 3) else { return nil }
      return block.position(.float, at: start + 4, start + 8, letters: (start + 1, start + 2))
    }
    return positions.contains { $0 != nil } ? positions : nil
  }

  /// NextBase 512G, big-endian: 32-byte records starting at 50, with the date at 4, and latitude at 13 and longitude at
  /// 17 in ten-millionths of a degree.
  static func nextBase(_ block: RecordFields) -> [GeoPosition?]? {
    var positions: [GeoPosition?] = []
    for start in stride(from: 50, to: block.count, by: 32) {
      guard let year = block.big(UInt16.self, at: start + 4), (2000...2200).contains(year),
        let month = block.byte(at: start + 6), (1...12).contains(month),
        let day = block.byte(at: start + 7), (1...31).contains(day), block.count >= start + 21
      else { break }
      positions.append(block.position(.big(unitsPerDegree: 1e7), at: start + 13, start + 17))
    }
    return positions.isEmpty ? nil : positions
  }
}
