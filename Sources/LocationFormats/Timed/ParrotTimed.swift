internal import ClipModel

/// Timed metadata with a MIME type (`mett`): Parrot's drones (developer.parrot.com/docs/pdraw/metadata.html), ARCore.
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

  /// Records of two characters, their length in words of four bytes without the first, and values, big-endian.
  /// - Returns: `nil` when there is none at the start.
  private static func trace(in sample: [UInt8]) -> PositionTrace? {
    let fields = RecordFields(sample)
    // The first version wrote recordings of this size without a header.
    if fields.count == 60, !fields.has("P", at: 0), !fields.has("E", at: 0) {
      return fields.record(at: 4, count: 56).map { positions(in: $0, at: [28], unitsPerDegree: 0x10_0000) }
    }
    var trace = PositionTrace()
    var offset = 0
    while let id = fields.text(at: offset, count: 2), let words = fields.big(UInt16.self, at: offset + 2) {
      // The length of P2 and P3 counts the records behind them.
      let sizes = ["P1": 56, "P2": 56, "P3": 72]
      let known = ["P1", "P2", "P3", "E1", "E2", "E3"].contains(id)
      guard known, let record = fields.record(at: offset, count: sizes[id] ?? 4 * Int(words) + 4) else { break }
      switch id {
      case "P1": trace.add(positions(in: record, at: [28], unitsPerDegree: 0x10_0000))
      // The drone; the target it follows.
      case "P2", "P3", "E2": trace.add(positions(in: record, at: [8 - (id == "E2" ? 4 : 0)], unitsPerDegree: 0x40_0000))
      // The framing's target and the destination.
      case "E3": trace.add(positions(in: record, at: [4, 16], unitsPerDegree: 0x40_0000))
      default: break
      }
      offset += record.count
    }
    return offset > 0 ? trace : nil
  }

  /// Fixed-point degrees. A drone without a fix writes 500 degrees.
  private static func positions(in record: RecordFields, at offsets: [Int], unitsPerDegree: Double) -> PositionTrace {
    PositionTrace(offsets.map { record.position(.big(unitsPerDegree: unitsPerDegree), at: $0, $0 + 4) })
  }
}
