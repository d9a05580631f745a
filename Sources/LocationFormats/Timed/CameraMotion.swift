internal import ClipModel
internal import ISOMedia

/// Camera motion metadata from Street View cameras (developers.google.com/streetview/publish/camm-spec): little-endian
/// records of two reserved bytes, a type, and values. A sample may contain several records.
enum CameraMotion {
  static let kind = "google-camm"

  /// The record sizes, including the header, by type: angle axis, exposure, gyroscope, accelerometer, local position,
  /// position, position with accuracy, magnetic field.
  private static let sizes = [16, 12, 16, 16, 16, 28, 60, 16]

  static func examine(_ sample: [UInt8]) -> PayloadFinding {
    let fields = RecordFields(sample)
    var trace = PositionTrace()
    var hasLocation = false
    var offset = 0
    while offset < fields.count {
      guard let type = fields.little(UInt16.self, at: offset + 2).map(Int.init), sizes.indices.contains(type),
        let record = fields.record(at: offset, count: sizes[type])
      else { return hasLocation ? .location(kind, trace) : examineOther(sample) }
      // The degrees follow the header directly, or after the time and the type of fix.
      if type == 5 || type == 6 {
        hasLocation = true
        let start = type == 5 ? 4 : 16
        trace.add(record.position(.doubleDegrees, at: start, start + 8))
      }
      offset += record.count
    }
    return PayloadFinding(kind: kind, disclosure: hasLocation ? .location : .motion, trace: trace)
  }

  /// Examines unknown or damaged records. Some dash cams write text into `camm` tracks.
  private static func examineOther(_ sample: [UInt8]) -> PayloadFinding {
    var finding = TextPositions.examine(sample) ?? PayloadFinding(kind: kind, disclosure: .opaque)
    finding.kind = kind
    return finding
  }
}
