internal import ClipModel
internal import ISOMedia

/// Reads camera motion metadata from Street View cameras (developers.google.com/streetview/publish/camm-spec):
/// little-endian records with two reserved bytes, a type, and values. A sample may contain several records.
enum CameraMotion {
  static let kind = "google-camm"

  /// The size of a record, including the header, for each type: angle axis, exposure, gyroscope, accelerometer, local
  /// position, position, position with accuracy, magnetic field.
  private static let sizes = [16, 12, 16, 16, 16, 28, 60, 16]

  static func examine(_ sample: [UInt8]) -> PayloadFinding {
    let fields = RecordFields(sample)
    var trace = PositionTrace()
    var hasLocation = false
    var offset = 0
    while offset < fields.count {
      guard let type = fields.littleEndian(UInt16.self, at: offset + 2).map(Int.init), sizes.indices.contains(type),
        let record = fields.record(at: offset, count: sizes[type])
      else { return hasLocation ? .location(kind, trace) : examineUnknownRecord(sample) }
      // The degrees follow the header directly, or come after the time and the fix type.
      if type == 5 || type == 6 {
        hasLocation = true
        let start = type == 5 ? 4 : 16
        trace.add(record.position(.doubleDegrees, at: start, start + 8))
      }
      offset += record.count
    }
    return PayloadFinding(kind: kind, disclosure: hasLocation ? .location : .motion, trace: trace)
  }

  /// Checks an unknown or damaged record. Some dash cams write text into `camm` tracks.
  private static func examineUnknownRecord(_ sample: [UInt8]) -> PayloadFinding {
    var finding = TextPositions.examine(sample) ?? PayloadFinding(kind: kind, disclosure: .opaque)
    finding.kind = kind
    return finding
  }
}
