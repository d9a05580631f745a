internal import ClipModel

/// Sony's real time metadata (`rtmd`): a header with its own length in front, then tags of 16 bits with a length of 16
/// bits, big-endian (SMPTE RDD 18 describes most of them).
enum SonyTimed {
  static let kind = "sony-rtmd"

  static func examine(_ sample: [UInt8]) -> PayloadFinding {
    let fields = RecordFields(sample)
    var tags: [UInt16: RecordFields] = [:]
    var offset = Int(fields.big(UInt16.self, at: 0) ?? 0)
    var isWhole = offset >= 2 && offset < fields.count
    while isWhole, offset + 4 < fields.count {
      guard let tag = fields.big(UInt16.self, at: offset), tag != 0,
        let length = fields.big(UInt16.self, at: offset + 2)
      else { break }
      // The universal label of a set stands in front of it without a length.
      if tag == 0x060E {
        offset += 16
        continue
      }
      offset += 4
      // A set of tags: its content follows.
      if tag == 0x8300 { continue }
      guard let value = fields.record(at: offset, count: Int(length)) else {
        isWhole = false
        break
      }
      tags[tag] = value
      offset += value.count
    }
    return finding(tags, isWhole: isWhole)
  }

  private static func finding(_ tags: [UInt16: RecordFields], isWhole: Bool) -> PayloadFinding {
    // The tags of Exif's GPS directory, from its version on.
    if tags.keys.contains(where: { (0x8500...0x851F).contains($0) }) {
      return .location(kind, [position(tags)])
    }
    guard isWhole, !tags.isEmpty else { return PayloadFinding(kind: kind, disclosure: .opaque) }
    // Model and serial number of the camera.
    return PayloadFinding(kind: kind, disclosure: tags[0x8114] == nil ? .motion : .identity)
  }

  private static func position(_ tags: [UInt16: RecordFields]) -> GeoPosition? {
    guard let north = tags[0x8501]?.northSouth(at: 0), let east = tags[0x8503]?.eastWest(at: 0),
      let latitude = tags[0x8502]?.degreesOfRationals(at: 0), let longitude = tags[0x8504]?.degreesOfRationals(at: 0)
    else { return nil }
    return GeoPosition(latitude: latitude, north, longitude: longitude, east)
  }
}

extension RecordFields {
  /// Degrees, minutes and seconds as three fractions of 32-bit integers, as in Exif, big-endian.
  func degreesOfRationals(at offset: Int, isLittle: Bool = false) -> Double? {
    var degrees = 0.0
    for (index, unit) in [1.0, 60, 3600].enumerated() {
      guard let numerator = integer(UInt32.self, at: offset + 8 * index, isLittle: isLittle),
        let denominator = integer(UInt32.self, at: offset + 8 * index + 4, isLittle: isLittle)
      else { return nil }
      if denominator > 0 { degrees += Double(numerator) / Double(denominator) / unit }
    }
    return degrees
  }
}
