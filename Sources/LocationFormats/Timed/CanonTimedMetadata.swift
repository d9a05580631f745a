/// Reads Canon's timed metadata (`CTMD`): little-endian records with a 32-bit length, a 16-bit type, six more bytes,
/// and a value.
enum CanonTimedMetadata {
  static let kind = "canon-ctmd"

  /// The harmless types: time, an unused value, focal length, exposure, and two types that are empty in all known
  /// files.
  private static let plain: Set<UInt16> = [1, 3, 4, 5, 6, 10, 11]
  /// The types of Exif data and maker notes, which contain serial numbers.
  private static let exif: Set<UInt16> = [7, 8, 9]

  static func examine(_ sample: [UInt8]) -> PayloadFinding {
    if let found = TextPositions.examine(sample) { return .location(kind, found.trace) }
    return PayloadFinding(kind: kind, disclosure: classifyTypes(readTypes(in: RecordFields(sample))))
  }

  /// Returns the record types in a sample; `nil` if a record is damaged.
  private static func readTypes(in fields: RecordFields) -> Set<UInt16>? {
    var types: Set<UInt16> = []
    var offset = 0
    while offset < fields.count {
      guard let length = fields.littleEndian(UInt32.self, at: offset).map(Int.init), length >= 12,
        let type = fields.littleEndian(UInt16.self, at: offset + 4), fields.bytes(at: offset, count: length) != nil
      else { return nil }
      types.insert(type)
      offset += length
    }
    return types
  }

  private static func classifyTypes(_ types: Set<UInt16>?) -> PayloadFinding.Disclosure {
    guard let types, types.isSubset(of: plain.union(exif)) else { return .opaque }
    if !types.isDisjoint(with: exif) { return .identity }
    return types.contains(1) ? .date : .harmless
  }
}
