internal import ClipModel

/// Reads a TomTom Bandit's `TTAD` box: 76 bytes, followed by little-endian records with a type byte and a value whose
/// size depends on the type. Records of type 5 are GPS fixes with degrees at offsets 28 and 36.
enum TomTomRecords {
  private static let sizes: [UInt8: Int] = [0: 12, 1: 4, 2: 12, 3: 12, 5: 92, 0xFF: 4]

  static func readTrace(in fields: RecordFields) -> PositionTrace {
    var trace = PositionTrace()
    var offset = 76
    // If a record is damaged, reading resumes at the next time code, in milliseconds, that is close to the last one.
    var isSynchronized = false
    var time: UInt32 = 0
    while let type = fields.byte(at: offset) {
      offset += 1
      guard isSynchronized || type == 0xFF, let size = sizes[type] else {
        isSynchronized = false
        continue
      }
      guard let record = fields.record(at: offset, count: size) else { break }
      if type == 0xFF, let next = record.littleEndian(UInt32.self, at: 0) {
        isSynchronized = isSynchronized || (next >= time && next - time <= 250)
        guard isSynchronized else { continue }
        time = next
      }
      offset += size
      if type == 5 { trace.add(record.position(.doubleDegrees, at: 28, 36)) }
    }
    return trace
  }
}
