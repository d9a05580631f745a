/// A four-character code: the type of a box, a brand, a handler, a sample format.
public struct FourCC: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// Big-endian: the first character is the highest byte.
  public var rawValue: UInt32

  /// From the four bytes as a big-endian number.
  public init(_ rawValue: UInt32) { self.rawValue = rawValue }

  /// Four characters of Latin-1: `moov`, `©xyz`. Anything else makes the code 0, which no box has.
  ///
  /// Inlinable, so that a comparison with a literal is one with a number: they are made for every box and element.
  @inlinable
  public init(stringLiteral text: StaticString) {
    var code: UInt32 = 0
    var count = 0
    // The bits of a character's first byte, when it takes two; Latin-1 from U+0080 on begins with C2 or C3.
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

  /// Whether every byte is a printable ASCII character or the `©` that Apple's user data types begin with.
  public var isPrintable: Bool {
    var rest = rawValue
    // Not over `bytes`: this is asked for each element of telemetry, and an array costs more than the question.
    for _ in 0..<4 {
      guard (0x20..<0x7F).contains(rest & 0xFF) || rest & 0xFF == 0xA9 else { return false }
      rest >>= 8
    }
    return true
  }

  /// The characters; bytes that are none as `\xNN`.
  public var description: String {
    let bytes = bytes
    // Every box has its type in its path.
    if bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) { return String(decoding: bytes, as: UTF8.self) }
    return bytes.map { byte in
      switch byte {
      case 0x20..<0x7F, 0xA1...0xFF: String(Unicode.Scalar(byte))
      default: "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }.joined()
  }
}
