internal import ClipModel
internal import ISOMedia
internal import LocationFormats

/// Positions in the metadata of drones: MISB ST 0601, keys and values as in SMPTE ST 336.
enum KLVPositions {
  /// The universal key of a UAS local set.
  private static let key: [UInt8] = [
    0x06, 0x0E, 0x2B, 0x34, 0x02, 0x0B, 0x01, 0x01, 0x0E, 0x01, 0x03, 0x01, 0x01, 0x00, 0x00, 0x00,
  ]

  /// Tags of the local set: where the sensor is, and where it looks.
  private static let pairs: [(latitude: UInt64, longitude: UInt64)] = [(13, 14), (23, 24)]

  /// - Returns: `nil` when it does not begin with such a set; some writers put five bytes in front (a metadata cell).
  static func examine(_ bytes: [UInt8]) -> PayloadFinding? {
    guard let start = [0, 5].first(where: { bytes.dropFirst($0).starts(with: key) }) else { return nil }
    var cursor = ByteCursor(Array(bytes.dropFirst(start + key.count)))
    var values: [UInt64: Int32] = [:]
    guard cursor.berLength() != nil else { return PayloadFinding(kind: "misb-klv", disclosure: .location) }
    while let tag = cursor.berTag(), let length = cursor.berLength(), let value = cursor.take(length) {
      if value.count == 4 { values[tag] = Int32(truncatingIfNeeded: value.reduce(0) { $0 << 8 | Int64($1) }) }
    }
    var trace = PositionTrace()
    for pair in pairs {
      // The whole range of 32 bits is ±90 and ±180 degrees; the lowest value means "unknown".
      guard let latitude = values[pair.latitude], let longitude = values[pair.longitude], latitude != .min,
        longitude != .min
      else { continue }
      trace.add(
        GeoPosition(
          latitude: Double(latitude) * 90 / Double(Int32.max), longitude: Double(longitude) * 180 / Double(Int32.max)))
    }
    return PayloadFinding(kind: "misb-klv", disclosure: .location, trace: trace)
  }
}

extension ByteCursor {
  /// One byte up to 127, or the number of bytes that follow with the high bit set.
  fileprivate mutating func berLength() -> Int? {
    guard let first = u8() else { return nil }
    guard first & 0x80 != 0 else { return Int(first) }
    guard first & 0x7F <= 4, let bytes = take(Int(first & 0x7F)) else { return nil }
    return bytes.reduce(0) { $0 << 8 | Int($1) }
  }

  /// Seven bits a byte, the high bit set on all but the last.
  fileprivate mutating func berTag() -> UInt64? {
    var tag: UInt64 = 0
    for _ in 0..<4 {
      guard let byte = u8() else { return nil }
      tag = tag << 7 | UInt64(byte & 0x7F)
      if byte & 0x80 == 0 { return tag }
    }
    return nil
  }
}
