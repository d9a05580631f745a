/// A CRC-32C checksum (RFC 3720, appendix B.4), which uses the reflected Castagnoli polynomial 0x1EDC6F41. Google Cloud
/// Storage reports this checksum for every object.
public struct CRC32C: Sendable {
  private var register: UInt32 = 0xFFFF_FFFF

  /// Lookup tables for processing eight bytes per step. `tables[k][b]` is the effect of byte `b` on the register `k`
  /// bytes later.
  private static let tables: [[UInt32]] = {
    let first = (0..<256).map { (byte: UInt32) in
      (0..<8).reduce(byte) { value, _ in value >> 1 ^ (value & 1 == 1 ? 0x82F6_3B78 : 0) }
    }
    return (1..<8).reduce(into: [first]) { tables, index in
      tables.append(tables[index - 1].map { $0 >> 8 ^ first[Int($0 & 0xFF)] })
    }
  }()

  public init() {}

  /// The checksum of all bytes added so far.
  public var value: UInt32 { ~register }

  public mutating func update(_ bytes: ArraySlice<UInt8>) {
    let tables = Self.tables
    var rest = bytes
    while rest.count >= 8 {
      var mixed = UInt64(register)
      for (index, byte) in rest.prefix(8).enumerated() { mixed ^= UInt64(byte) << (8 * UInt64(index)) }
      register = 0
      for index in 0..<8 { register ^= tables[7 - index][Int(truncatingIfNeeded: mixed >> (8 * UInt64(index)) & 0xFF)] }
      rest = rest.dropFirst(8)
    }
    for byte in rest { register = register >> 8 ^ tables[0][Int((register ^ UInt32(byte)) & 0xFF)] }
  }
}
