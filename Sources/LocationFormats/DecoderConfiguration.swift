internal import ISOMedia

/// What a container keeps for the decoder of a track, as far as private messages can be in it: `hvcC` of HEVC and
/// `av1C` of AV1, in boxes of that name and in Matroska's `CodecPrivate`. All bytes are the record's own, without the
/// header of a box.
public enum DecoderConfiguration {
  /// Messages among the parameter sets (ISO/IEC 14496-15, 8.3.3.1), and what stands behind them.
  public static func findings(inHVCC record: [UInt8]) -> [PayloadFinding] {
    HEVCConfiguration(record)?.findings ?? []
  }

  /// Metadata among the units that are set up in advance (AV1 in ISO base media, 2.3).
  public static func findings(inAV1C record: [UInt8]) -> [PayloadFinding] {
    attachments(inAV1C: record).map(\.finding)
  }

  /// The record without some of its messages; the same bytes when none of them goes.
  public static func removing(_ isRemoved: (PayloadFinding) -> Bool, fromHVCC record: [UInt8]) -> [UInt8] {
    guard var configuration = HEVCConfiguration(record), configuration.findings.contains(where: isRemoved) else {
      return record
    }
    configuration.remove(isRemoved)
    return configuration.bytes
  }

  /// The record without some of its metadata; the same bytes when none of it goes.
  public static func removing(_ isRemoved: (PayloadFinding) -> Bool, fromAV1C record: [UInt8]) -> [UInt8] {
    AccessUnits.removing(attachments(inAV1C: record).filter { isRemoved($0.finding) }, from: record)
  }

  /// Behind four bytes of profile, level and flags.
  private static func attachments(inAV1C record: [UInt8]) -> [PictureAttachment] {
    // The first bit marks a record; a bare unit has none.
    guard let first = record.first, first & 0x80 != 0, record.count > 4 else { return [] }
    let source = MemoryBytes(record)
    // Memory can be read.
    return (try? AccessUnits.attachments(in: 4..<source.byteCount, of: source, framing: .av1)) ?? []
  }
}

/// An `hvcC` record: 22 bytes, the number of arrays, and in each a type, a count (2 bytes), and units behind their
/// lengths (2 bytes).
private struct HEVCConfiguration {
  private let head: [UInt8]
  private var arrays: [(type: UInt8, units: [[UInt8]])] = []
  /// What stands behind the arrays, where nothing should.
  private var rest: [UInt8] = []

  /// - Returns: `nil` when it is none. In one that is cut off, the last unit is what is there of it.
  init?(_ record: [UInt8]) {
    var cursor = ByteCursor(record)
    guard let head = cursor.take(22), let count = cursor.u8() else { return nil }
    // Units behind start codes begin with zeros. Old files have a 0 in place of the version, which is 1.
    guard head.prefix(3).contains(where: { $0 != 0 }), !head.starts(with: [0, 0, 1]) else { return nil }
    self.head = Array(head)
    for _ in 0..<count {
      guard let type = cursor.u8(), let count = cursor.u16() else { return }
      arrays.append((type, Self.units(count, &cursor)))
    }
    rest = Array(cursor.take(cursor.remaining) ?? [])
  }

  private static func units(_ count: UInt16, _ cursor: inout ByteCursor) -> [[UInt8]] {
    var units: [[UInt8]] = []
    for _ in 0..<count {
      guard let length = cursor.u16(), let unit = cursor.take(min(Int(length), cursor.remaining)) else { break }
      units.append(Array(unit))
    }
    return units
  }

  var findings: [PayloadFinding] {
    arrays.flatMap(\.units).compactMap { Self.message(in: $0)?.finding } + (restFinding.map { [$0] } ?? [])
  }

  mutating func remove(_ isRemoved: (PayloadFinding) -> Bool) {
    arrays = arrays.compactMap { array in
      let units = array.units.compactMap { unit in
        guard let message = Self.message(in: unit), isRemoved(message.finding) else { return unit }
        // Too large for a length only where somebody had forgotten to escape.
        return message.rest.isEmpty || message.rest.count > UInt16.max ? nil : message.rest
      }
      // An array that was empty before is no business of ours.
      return units.isEmpty && !array.units.isEmpty ? nil : (array.type, units)
    }
    if let restFinding, isRemoved(restFinding) { rest = [] }
  }

  var bytes: [UInt8] {
    var bytes = head + [UInt8(truncatingIfNeeded: arrays.count)]
    for array in arrays {
      bytes += [array.type] + Self.big(array.units.count)
      for unit in array.units { bytes += Self.big(unit.count) + unit }
    }
    return bytes + rest
  }

  private static func big(_ count: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
  }

  private static func message(in unit: [UInt8]) -> (finding: PayloadFinding, rest: [UInt8])? {
    guard let header = unit.first, NALUnits.Codec.hevc.isSEI(header) else { return nil }
    return SEIMessages.examine(unit, headerSize: NALUnits.Codec.hevc.headerSize)
  }

  private var restFinding: PayloadFinding? {
    if rest.allSatisfy({ $0 == 0 }) { return nil }
    return TextPositions.examine(rest) ?? PayloadFinding(kind: "hvcc-rest", disclosure: .opaque)
  }
}
