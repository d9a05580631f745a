/// The checksum of RFC 3720, appendix B.4: the Castagnoli polynomial 0x1EDC6F41, reflected. Google Cloud Storage reports it
/// for every object.
public struct CRC32C: Sendable {
  private var register: UInt32 = 0xFFFF_FFFF

  /// Tables to process eight bytes per step: `tables[k][b]` is the effect of byte `b` on the register `k` bytes later.
  private static let tables: [[UInt32]] = {
    var tables = [(0..<256).map(remainder(ofByte:))]
    for _ in 1..<8 {
      let last = tables[tables.count - 1]
      tables.append(last.map { $0 >> 8 ^ tables[0][Int($0 & 0xFF)] })
    }
    return tables
  }()

  private static func remainder(ofByte byte: UInt32) -> UInt32 {
    var value = byte
    for _ in 0..<8 {
      let isOdd = value & 1 == 1
      value >>= 1
      if isOdd { value ^= 0x82F6_3B78 }
    }
    return value
  }

  public init() {}

  /// The checksum of all bytes so far.
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
