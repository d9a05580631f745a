internal import ClipModel
internal import ISOMedia
internal import LocationFormats

/// Reads positions in drone metadata: MISB ST 0601, stored as key-length-value data (SMPTE ST 336).
enum KLVPositions {
  /// The universal key of a UAS local set.
  private static let key = [UInt8](hexadecimal: "060E2B34-020B0101-0E010301-01000000")

  /// The tags of positions in the local set: the sensor position and the frame center.
  private static let pairs: [(latitude: UInt64, longitude: UInt64)] = [(13, 14), (23, 24)]

  /// Checks bytes for a UAS local set.
  /// - Returns: the finding; `nil` if the bytes don't start with such a set. A five-byte metadata cell header may
  ///   precede the set.
  static func examine(_ bytes: [UInt8]) -> PayloadFinding? {
    guard let start = [0, 5].first(where: { bytes.dropFirst($0).starts(with: key) }) else { return nil }
    var cursor = ByteCursor(Array(bytes.dropFirst(start + key.count)))
    var values: [UInt64: Int32] = [:]
    guard cursor.readBERLength() != nil else { return PayloadFinding(kind: "misb-klv", disclosure: .location) }
    while let tag = cursor.readBERTag(), let length = cursor.readBERLength(), let value = cursor.take(length) {
      if value.count == 4 { values[tag] = Int32(truncatingIfNeeded: value.reduce(0) { $0 << 8 | Int64($1) }) }
    }
    let positions = pairs.map { pair -> GeoPosition? in
      // The 32-bit range corresponds to ±90 and ±180 degrees. The lowest value means "unknown".
      guard let latitude = values[pair.latitude], let longitude = values[pair.longitude], latitude != .min,
        longitude != .min
      else { return nil }
      return GeoPosition(
        latitude: Double(latitude) * 90 / Double(Int32.max), longitude: Double(longitude) * 180 / Double(Int32.max))
    }
    return PayloadFinding(kind: "misb-klv", disclosure: .location, trace: PositionTrace(positions))
  }
}

extension ByteCursor {
  /// Reads a length, which is one byte up to 127. For longer values, the first byte has the high bit set and contains
  /// the number of bytes that follow.
  fileprivate mutating func readBERLength() -> Int? {
    guard let first = u8() else { return nil }
    guard first & 0x80 != 0 else { return Int(first) }
    guard first & 0x7F <= 4, let bytes = take(Int(first & 0x7F)) else { return nil }
    return bytes.reduce(0) { $0 << 8 | Int($1) }
  }

  /// Reads a tag, which consists of groups of seven bits. All bytes except the last have the high bit set.
  fileprivate mutating func readBERTag() -> UInt64? {
    var tag: UInt64 = 0
    for _ in 0..<4 {
      guard let byte = u8() else { return nil }
      tag = tag << 7 | UInt64(byte & 0x7F)
      if byte & 0x80 == 0 { return tag }
    }
    return nil
  }
}
