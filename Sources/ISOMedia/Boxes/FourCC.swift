/// A four-character code: a box type, brand, handler type or sample format.
public struct FourCC: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// The code as a big-endian integer: the first character is the most significant byte.
  public var rawValue: UInt32

  /// Creates a code from its big-endian value.
  public init(_ rawValue: UInt32) { self.rawValue = rawValue }

  /// Creates a code from four Latin-1 characters, such as `moov` or `©xyz`. Any other string becomes 0, which is not a
  /// valid box type.
  ///
  /// This initializer is inlinable, so that comparisons with literals, which run for every box, become integer
  /// comparisons.
  @inlinable
  public init(stringLiteral text: StaticString) {
    var code: UInt32 = 0
    var count = 0
    // The high bits of a two-byte UTF-8 character. Latin-1 characters from U+0080 start with the byte C2 or C3.
    var lead: UInt32?
    for offset in 0..<text.utf8CodeUnitCount {
      let byte = unsafe UInt32(text.utf8Start[offset])
      if byte & 0xFE == 0xC2 {
        lead = byte & 3
        continue
      }
      guard byte < 0x80 || (byte < 0xC0 && lead != nil) else {
        rawValue = 0
        return
      }
      code = code << 8 | (lead.map { $0 << 6 | byte & 0x3F } ?? byte)
      lead = nil
      count += 1
    }
    rawValue = count == 4 ? code : 0
  }

  var bytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: rawValue >> (24 - 8 * $0)) } }

  /// Whether every byte is printable ASCII or `©`, the first byte of Apple's user data types.
  public var isPrintable: Bool {
    var rest = rawValue
    // This runs for every telemetry element, so it avoids allocating an array.
    for _ in 0..<4 {
      guard (0x20..<0x7F).contains(rest & 0xFF) || rest & 0xFF == 0xA9 else { return false }
      rest >>= 8
    }
    return true
  }

  /// The four characters, with non-printable bytes written as `\xNN`.
  public var description: String {
    let bytes = bytes
    // This fast path matters because box paths are built often.
    if bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) { return String(decoding: bytes, as: UTF8.self) }
    return bytes.map { byte in
      switch byte {
      case 0x20..<0x7F, 0xA1...0xFF: String(Unicode.Scalar(byte))
      default: "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }.joined()
  }
}
