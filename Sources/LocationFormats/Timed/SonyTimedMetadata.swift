internal import ClipModel

/// Reads Sony's real-time metadata (`rtmd`): a header that starts with its own length, followed by big-endian 16-bit
/// tags with 16-bit lengths (SMPTE RDD 18 describes most of them).
enum SonyTimedMetadata {
  static let kind = "sony-rtmd"

  static func examine(_ sample: [UInt8]) -> PayloadFinding {
    let fields = RecordFields(sample)
    var tags: [UInt16: RecordFields] = [:]
    var offset = Int(fields.bigEndian(UInt16.self, at: 0) ?? 0)
    var isWhole = offset >= 2 && offset < fields.count
    while isWhole, offset + 4 < fields.count {
      guard let tag = fields.bigEndian(UInt16.self, at: offset), tag != 0,
        let length = fields.bigEndian(UInt16.self, at: offset + 2)
      else { break }
      // A set's universal label has no length field.
      if tag == 0x060E {
        offset += 16
        continue
      }
      offset += 4
      // The tag contains a set of tags, so the set's content follows.
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
    // These are the tags of the Exif GPS directory.
    if tags.keys.contains(where: { (0x8500...0x851F).contains($0) }) {
      return .location(kind, [GeoPosition { tags[0x8500 + $0] }])
    }
    guard isWhole, !tags.isEmpty else { return PayloadFinding(kind: kind, disclosure: .opaque) }
    // Tag 0x8114 contains the camera's model and serial number.
    return PayloadFinding(kind: kind, disclosure: tags[0x8114] == nil ? .motion : .identity)
  }
}
