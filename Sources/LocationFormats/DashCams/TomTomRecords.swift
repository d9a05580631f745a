internal import ClipModel

/// TomTom Bandit's `TTAD`: behind 76 bytes, records of a type and values of a fixed size, little-endian; type 5 is a fix
/// with degrees at 28 and 36.
enum TomTomRecords {
  private static let sizes: [UInt8: Int] = [0: 12, 1: 4, 2: 12, 3: 12, 5: 92, 0xFF: 4]

  static func trace(in fields: RecordFields) -> PositionTrace {
    var trace = PositionTrace()
    var offset = 76
    // Records are in step again at the next time code that is close to the last one (in milliseconds).
    var isInStep = false
    var time: UInt32 = 0
    while let type = fields.byte(at: offset) {
      offset += 1
      guard isInStep || type == 0xFF, let size = sizes[type] else {
        isInStep = false
        continue
      }
      guard let record = fields.record(at: offset, count: size) else { break }
      if type == 0xFF, let next = record.little(UInt32.self, at: 0) {
        isInStep = isInStep || (next >= time && next - time <= 250)
        guard isInStep else { continue }
        time = next
      }
      offset += size
      if type == 5 { trace.add(record.position(.doubleDegrees, at: 28, 36)) }
    }
    return trace
  }
}
