internal import ClipModel

/// Timed metadata with a MIME type (`mett`): Parrot drones (developer.parrot.com/docs/pdraw/metadata.html), ARCore.
enum ParrotTimed {
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

  private struct Layout {
    /// The fixed size in bytes, for P2 and P3, whose length field includes the records after them.
    var size: Int?
    var latitudes: [Int] = []
    var unitsPerDegree = Double(0x40_0000)
  }

  private static let layouts = [
    "P1": Layout(size: 56, latitudes: [28], unitsPerDegree: 0x10_0000),
    // The position of the drone.
    "P2": Layout(size: 56, latitudes: [8]), "P3": Layout(size: 72, latitudes: [8]),
    "E1": Layout(),
    // The position of the target that the drone follows.
    "E2": Layout(latitudes: [4]),
    // The target of the framing, and the destination.
    "E3": Layout(latitudes: [4, 16]),
  ]

  /// Reads big-endian records: two characters, the number of 4-byte words after the first word, and values.
  /// - Returns: `nil` if the sample does not start with such a record.
  private static func trace(in sample: [UInt8]) -> PositionTrace? {
    let fields = RecordFields(sample)
    var trace = PositionTrace()
    func add(_ layout: Layout?, in record: RecordFields) {
      guard let layout else { return }
      // A drone without a fix writes 500 degrees.
      for latitude in layout.latitudes {
        trace.add(record.position(.big(unitsPerDegree: layout.unitsPerDegree), at: latitude, latitude + 4))
      }
    }
    // The first version wrote recordings of this size without a header.
    if fields.count == 60, !fields.has("P", at: 0), !fields.has("E", at: 0) {
      fields.record(at: 4, count: 56).map { add(layouts["P1"], in: $0) }
      return trace
    }
    var offset = 0
    while let layout = fields.text(at: offset, count: 2).flatMap({ layouts[$0] }),
      let words = fields.big(UInt16.self, at: offset + 2),
      let record = fields.record(at: offset, count: layout.size ?? 4 * Int(words) + 4)
    {
      add(layout, in: record)
      offset += record.count
    }
    return offset > 0 ? trace : nil
  }
}
