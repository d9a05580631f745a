/// Writes boxes to memory. The writer fills in each box's size after the content is complete.
package struct BoxWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Writes a box whose content the closure writes. Uses a 64-bit size if the box doesn't fit in 32 bits.
  package mutating func box(_ type: FourCC, userType: [UInt8] = [], _ content: (inout BoxWriter) -> Void = { _ in }) {
    var inner = BoxWriter()
    inner.bytes = userType
    content(&inner)
    header(type, payloadCount: Int64(inner.bytes.count))
    bytes += inner.bytes
  }

  /// Writes only a box header. The caller writes the payload separately.
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

  /// Writes a full box, which starts with a version and flags.
  package mutating func fullBox(
    _ type: FourCC, version: UInt8 = 0, flags: UInt32 = 0, _ content: (inout BoxWriter) -> Void = { _ in }
  ) {
    box(type) { box in
      box.u32(UInt32(version) << 24 | flags & 0xFF_FFFF)
      content(&box)
    }
  }

  package mutating func u8(_ value: UInt8) { bytes.append(value) }
  package mutating func u16(_ value: UInt16) { appendBigEndian(value) }
  package mutating func u32(_ value: UInt32) { appendBigEndian(value) }
  package mutating func u64(_ value: UInt64) { appendBigEndian(value) }
  /// Writes a 64-bit or 32-bit integer. A value that is too large for 32 bits is truncated.
  mutating func unsigned(_ value: UInt64, is64Bit: Bool) {
    if is64Bit { u64(value) } else { u32(UInt32(truncatingIfNeeded: value)) }
  }
  package mutating func fourCC(_ value: FourCC) { appendBigEndian(value.rawValue) }
  package mutating func zeros(_ count: Int) { bytes += [UInt8](repeating: 0, count: count) }
  package mutating func append(_ more: some Sequence<UInt8>) { bytes += more }
  package mutating func text(_ text: String) { bytes += text.utf8 }

  private mutating func appendBigEndian(_ value: some FixedWidthInteger) {
    for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}
