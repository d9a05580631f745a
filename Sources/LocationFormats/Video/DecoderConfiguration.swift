internal import ISOMedia

/// Reads and removes messages in a track's decoder configuration, which is stored in a box of the same name or in
/// Matroska's `CodecPrivate`. All byte arrays contain only the record, without a box header.
public enum DecoderConfiguration: String, Sendable {
  /// HEVC: SEI messages among the parameter sets (ISO/IEC 14496-15, 8.3.3.1), and the bytes after the parameter sets.
  case hvcC
  /// AV1: metadata among the configuration OBUs (AV1 in ISO base media, 2.3).
  case av1C

  /// Returns the findings in a configuration record.
  public func findings(in record: [UInt8]) -> [PayloadFinding] {
    switch self {
    case .hvcC: HEVCConfigurationRecord(record)?.findings ?? []
    case .av1C: Self.messages(inAV1C: record).map(\.finding)
    }
  }

  /// Returns the record without the messages that match. If none match, the record is unchanged.
  public func removeMessages(_ isRemoved: (PayloadFinding) -> Bool, from record: [UInt8]) -> [UInt8] {
    switch self {
    case .hvcC:
      guard var configuration = HEVCConfigurationRecord(record), configuration.findings.contains(where: isRemoved)
      else { return record }
      configuration.removeFindings(isRemoved)
      return configuration.bytes
    case .av1C:
      return AccessUnits.removeMessages(Self.messages(inAV1C: record).filter { isRemoved($0.finding) }, from: record)
    }
  }

  /// Returns the messages that follow the four bytes of profile, level and flags.
  private static func messages(inAV1C record: [UInt8]) -> [EmbeddedMessage] {
    // The first bit is set in a configuration record, but not in a bare OBU.
    guard let first = record.first, first & 0x80 != 0, record.count > 4 else { return [] }
    let source = MemoryBytes(record)
    // Reading from memory never fails.
    return (try? AccessUnits.messages(in: 4..<source.byteCount, of: source, framing: .av1)) ?? []
  }
}

extension HEVCConfigurationRecord {
  fileprivate var findings: [PayloadFinding] {
    arrays.flatMap(\.units).compactMap { Self.readMessage(in: $0)?.finding } + (restFinding.map { [$0] } ?? [])
  }

  fileprivate mutating func removeFindings(_ isRemoved: (PayloadFinding) -> Bool) {
    arrays = arrays.compactMap { array in
      let units = array.units.compactMap { unit in
        guard let message = Self.readMessage(in: unit), isRemoved(message.finding) else { return unit }
        // A unit that becomes too large for its length field lacked emulation prevention bytes, so it is dropped.
        return message.rest.isEmpty || message.rest.count > UInt16.max ? nil : message.rest
      }
      // Arrays that were already empty are kept.
      return units.isEmpty && !array.units.isEmpty ? nil : UnitArray(type: array.type, units: units)
    }
    if let restFinding, isRemoved(restFinding) { rest = [] }
  }

  private static func readMessage(in unit: [UInt8]) -> (finding: PayloadFinding, rest: [UInt8])? {
    guard let header = unit.first, NALUnitCodec.hevc.isSEI(header) else { return nil }
    return SEIMessages.examine(unit, headerSize: NALUnitCodec.hevc.headerSize)
  }

  private var restFinding: PayloadFinding? {
    if rest.allSatisfy({ $0 == 0 }) { return nil }
    return TextPositions.examine(rest) ?? PayloadFinding(kind: "hvcc-rest", disclosure: .opaque)
  }
}
