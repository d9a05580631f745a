/// Removes and inserts the emulation prevention bytes, which keep start codes from occurring inside a NAL unit (ITU-T
/// H.264, 7.4.1; H.265, 7.4.2).
package enum RBSP {
  /// Removes each 3 that follows two zeros.
  package static func unescaped(_ unit: [UInt8]) -> [UInt8] {
    var body: [UInt8] = []
    body.reserveCapacity(unit.count)
    var zeros = 0
    for byte in unit {
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      body.append(byte)
    }
    return body
  }

  /// Inserts a 3 between two zeros and a byte from 0 to 3. The end needs no escaping, because a NAL unit ends with the
  /// stop bit.
  package static func escaped(_ body: [UInt8]) -> [UInt8] {
    var unit: [UInt8] = []
    unit.reserveCapacity(body.count + body.count / 64)
    var zeros = 0
    for byte in body {
      if zeros == 2, byte <= 3 {
        unit.append(3)
        zeros = 0
      }
      zeros = byte == 0 ? zeros + 1 : 0
      unit.append(byte)
    }
    return unit
  }
}
