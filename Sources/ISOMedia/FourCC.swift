/// A four-character code: the type of a box, a brand, a handler, a sample format.
public struct FourCC: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  public var rawValue: UInt32

  public init(_ rawValue: UInt32) { self.rawValue = rawValue }

  /// Four characters of Latin-1: `moov`, `©xyz`. Anything else makes the code 0, which no box has.
  public init(stringLiteral text: String) {
    let scalars = text.unicodeScalars
    guard scalars.count == 4, scalars.allSatisfy({ $0.value < 256 }) else {
      rawValue = 0
      return
    }
    rawValue = scalars.reduce(0) { $0 << 8 | $1.value }
  }

  var bytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: rawValue >> (24 - 8 * $0)) } }

  /// Whether every byte is a printable ASCII character or the `©` that Apple's user data types begin with.
  public var isPrintable: Bool { bytes.allSatisfy { (0x20..<0x7F).contains($0) || $0 == 0xA9 } }

  /// The characters; bytes that are none as `\xNN`.
  public var description: String {
    bytes.map { byte in
      switch byte {
      case 0x20..<0x7F, 0xA1...0xFF: String(Unicode.Scalar(byte))
      default: "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }.joined()
  }
}
