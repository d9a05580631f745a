/// Reads the syntax elements of parameter sets, starting with the most significant bit of each byte (ITU-T H.264 and
/// H.265, sections 7.2 and 9).
struct BitReader {
  /// The error for truncated data and invalid values.
  struct InvalidData: Error {}

  private let bytes: [UInt8]
  private let end: Int
  private var position = 0

  /// Creates a reader for a raw byte sequence payload.
  /// - Parameter rbsp: the payload of a NAL unit. The reader excludes the stop bit and the zeros after it
  ///   (`rbsp_trailing_bits`).
  init(rbsp: [UInt8]) {
    let last = rbsp.lastIndex { $0 != 0 } ?? -1
    bytes = rbsp
    end = last < 0 ? 0 : last * 8 + 7 - rbsp[last].trailingZeroBitCount
  }

  /// Creates a reader for all bits of the given bytes, including trailing bits.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    end = bytes.count * 8
  }

  /// The number of unread bits before the stop bit.
  var remaining: Int { end - position }

  /// Reads u(n), an unsigned integer of `count` bits.
  mutating func readBits(_ count: Int) throws(InvalidData) -> Int {
    let value = try peekBits(count)
    position += count
    return value
  }

  /// Returns the next bits without advancing the reader.
  func peekBits(_ count: Int) throws(InvalidData) -> Int {
    guard (0...32).contains(count), count <= remaining else { throw InvalidData() }
    var value = 0
    var index = position
    while index < position + count {
      let taken = min(8 - index % 8, position + count - index)
      let rest = Int(bytes[index / 8]) >> (8 - index % 8 - taken)
      value = value << taken | rest & (1 << taken - 1)
      index += taken
    }
    return value
  }

  mutating func readFlag() throws(InvalidData) -> Bool { try readBits(1) == 1 }

  mutating func skipBits(_ count: Int) throws(InvalidData) {
    guard count >= 0, count <= remaining else { throw InvalidData() }
    position += count
  }

  /// Reads ue(v), an unsigned Exp-Golomb code: n zeros, a 1, and n more bits, where n is at most 31 (H.264, 9.1; H.265,
  /// 9.2).
  mutating func readUnsigned(atMost limit: Int = .max) throws(InvalidData) -> Int {
    var zeros = 0
    while try !readFlag() {
      zeros += 1
      guard zeros < 32 else { throw InvalidData() }
    }
    let value = try (1 << zeros) - 1 + readBits(zeros)
    guard value <= limit else { throw InvalidData() }
    return value
  }

  /// Reads se(v), a signed Exp-Golomb code, which encodes the values in the order 0, 1, -1, 2, -2… (H.264, 9.1.1;
  /// H.265, 9.2.2).
  mutating func readSigned(in range: ClosedRange<Int> = -(1 << 31)...(1 << 31)) throws(InvalidData) -> Int {
    let code = try readUnsigned()
    let value = code & 1 == 1 ? code / 2 + 1 : -(code / 2)
    guard range.contains(value) else { throw InvalidData() }
    return value
  }
}
