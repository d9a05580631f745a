internal import ClipModel

/// Reads timed metadata with a MIME type (`mett`) from Parrot drones (developer.parrot.com/docs/pdraw/metadata.html)
/// and ARCore.
enum ParrotTimedMetadata {
  static let kind = "parrot-mett"

  static func examine(_ sample: [UInt8], mimeType: String?) -> PayloadFinding {
    let mimeType = mimeType?.lowercased() ?? ""
    if mimeType.hasPrefix("application/arcore-") { return PayloadFinding(kind: "arcore-mett", disclosure: .motion) }
    if let trace = trace(in: sample) { return .location(kind, trace) }
    if mimeType.contains("parrot") {
      return .location(kind, ProtobufPositions(in: sample).trace)
    }
    return TextPositions.examine(sample) ?? PayloadFinding(kind: "timed-mett", disclosure: .opaque)
  }

  private struct RecordLayout {
    /// The fixed size in bytes of a P2 or P3 record, whose length field includes the records after it.
    var size: Int?
    var latitudes: [Int] = []
    var unitsPerDegree = Double(0x40_0000)
  }

  private static let layouts = [
    "P1": RecordLayout(size: 56, latitudes: [28], unitsPerDegree: 0x10_0000),
    // The offset of the drone's position.
    "P2": RecordLayout(size: 56, latitudes: [8]), "P3": RecordLayout(size: 72, latitudes: [8]),
    "E1": RecordLayout(),
    // The offset of the position of the target that the drone follows.
    "E2": RecordLayout(latitudes: [4]),
    // The offsets of the framing target's position and the destination.
    "E3": RecordLayout(latitudes: [4, 16]),
  ]

  /// Reads big-endian records: two characters, the number of 4-byte words after the first word, and values.
  /// - Returns: `nil` if the sample doesn't start with such a record.
  private static func trace(in sample: [UInt8]) -> PositionTrace? {
    let fields = RecordFields(sample)
    var trace = PositionTrace()
    func addPositions(_ layout: RecordLayout?, in record: RecordFields) {
      guard let layout else { return }
      // A drone without a GPS fix writes 500 degrees.
      for latitude in layout.latitudes {
        trace.add(record.position(.bigEndian(unitsPerDegree: layout.unitsPerDegree), at: latitude, latitude + 4))
      }
    }
    // The first version wrote headerless records of this size.
    if fields.count == 60, !fields.matches("P", at: 0), !fields.matches("E", at: 0) {
      fields.record(at: 4, count: 56).map { addPositions(layouts["P1"], in: $0) }
      return trace
    }
    var offset = 0
    while let layout = fields.text(at: offset, count: 2).flatMap({ layouts[$0] }),
      let words = fields.bigEndian(UInt16.self, at: offset + 2),
      let record = fields.record(at: offset, count: layout.size ?? 4 * Int(words) + 4)
    {
      addPositions(layout, in: record)
      offset += record.count
    }
    return offset > 0 ? trace : nil
  }
}
