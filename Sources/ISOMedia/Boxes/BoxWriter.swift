/// Writes boxes into memory: headers, small boxes, whole `moov` boxes. Sizes are filled in when a box is closed.
package struct BoxWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// A box with what `content` writes; 64-bit size when 32 bits do not hold it.
  package mutating func box(_ type: FourCC, userType: [UInt8] = [], _ content: (inout BoxWriter) -> Void = { _ in }) {
    var inner = BoxWriter()
    inner.bytes = userType
    content(&inner)
    header(type, payloadCount: Int64(inner.bytes.count))
    bytes += inner.bytes
  }

  /// The header of a box whose payload follows by other means.
  package mutating func header(_ type: FourCC, payloadCount: Int64) {
    if let size = UInt32(exactly: payloadCount + 8) {
      u32(size)
      u32(type.rawValue)
    } else {
      u32(1)
      u32(type.rawValue)
      u64(UInt64(payloadCount + 16))
    }
  }

  /// A box that begins with version and flags.
  package mutating func fullBox(
    _ type: FourCC, version: UInt8 = 0, flags: UInt32 = 0, _ content: (inout BoxWriter) -> Void = { _ in }
  ) {
    box(type) { box in
      box.u32(UInt32(version) << 24 | flags & 0xFF_FFFF)
      content(&box)
    }
  }

  package mutating func u8(_ value: UInt8) { bytes.append(value) }
  package mutating func u16(_ value: UInt16) { integer(value) }
  package mutating func u32(_ value: UInt32) { integer(value) }
  package mutating func u64(_ value: UInt64) { integer(value) }
  package mutating func fourCC(_ value: FourCC) { integer(value.rawValue) }
  package mutating func zeros(_ count: Int) { bytes += [UInt8](repeating: 0, count: count) }
  package mutating func append(_ more: some Sequence<UInt8>) { bytes += more }
  package mutating func text(_ text: String) { bytes += text.utf8 }

  private mutating func integer(_ value: some FixedWidthInteger) {
    for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}
