/// Canon's timed metadata (`CTMD`): records of a length of 32 bits, a type of 16 bits, six more bytes, and the value,
/// little-endian.
enum CanonTimed {
  static let kind = "canon-ctmd"

  /// Time, an unused value, focal length, exposure, and two that were only seen empty.
  private static let plain: Set<UInt16> = [1, 3, 4, 5, 6, 10, 11]
  /// Exif and maker notes, with serial numbers.
  private static let exif: Set<UInt16> = [7, 8, 9]

  static func examine(_ sample: [UInt8]) -> PayloadFinding {
    if let found = TextPositions.examine(sample), found.disclosure == .location {
      return .location(kind, found.trace)
    }
    let fields = RecordFields(sample)
    var types: Set<UInt16> = []
    var offset = 0
    while offset < fields.count {
      guard let length = fields.little(UInt32.self, at: offset).map(Int.init), length >= 12,
        let type = fields.little(UInt16.self, at: offset + 4), fields.bytes(at: offset, count: length) != nil
      else { return PayloadFinding(kind: kind, disclosure: .opaque) }
      types.insert(type)
      offset += length
    }
    guard types.isSubset(of: plain.union(exif)) else { return PayloadFinding(kind: kind, disclosure: .opaque) }
    if !types.isDisjoint(with: exif) { return PayloadFinding(kind: kind, disclosure: .identity) }
    return PayloadFinding(kind: kind, disclosure: types.contains(1) ? .date : .harmless)
  }
}
