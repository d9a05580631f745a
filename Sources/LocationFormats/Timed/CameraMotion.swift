internal import ClipModel
internal import ISOMedia

/// Camera motion metadata of Street View cameras (developers.google.com/streetview/publish/camm-spec): records of two
/// reserved bytes, a type, and values, all little-endian; several in a sample are seen.
enum CameraMotion {
  static let kind = "google-camm"

  /// Bytes of a record with its header, by type: angle axis, exposure, gyroscope, accelerometer, local position,
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
      else { return rest(of: sample, trace: trace, hasLocation: hasLocation) }
      // Degrees: right behind the header, or behind the time and the kind of fix.
      if type == 5 || type == 6 {
        hasLocation = true
        let start = type == 5 ? 4 : 16
        trace.add(record.position(.doubleDegrees, at: start, start + 8))
      }
      offset += record.count
    }
    return PayloadFinding(kind: kind, disclosure: hasLocation ? .location : .motion, trace: trace)
  }

  /// Unknown or damaged records; dash cams also write text under this name.
  private static func rest(of sample: [UInt8], trace: PositionTrace, hasLocation: Bool) -> PayloadFinding {
    if hasLocation { return .location(kind, trace) }
    if let text = TextPositions.examine(sample) {
      return PayloadFinding(kind: kind, disclosure: text.disclosure, trace: text.trace)
    }
    return PayloadFinding(kind: kind, disclosure: .opaque)
  }
}
