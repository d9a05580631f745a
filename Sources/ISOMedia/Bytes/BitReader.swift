/// Reads the syntax elements of parameter sets, starting with the most significant bit of each byte (ITU-T H.264 and
/// H.265, 7.2 and 9).
struct BitReader {
  /// The data is truncated, or a value is invalid.
  struct Damage: Error {}

  private let bytes: [UInt8]
  private let end: Int
  private var position = 0

  /// - Parameter rbsp: the payload of a NAL unit. Its last 1 bit and the zeros after it are excluded
  ///   (`rbsp_trailing_bits`).
  init(rbsp: [UInt8]) {
    let last = rbsp.lastIndex { $0 != 0 } ?? -1
    bytes = rbsp
    end = last < 0 ? 0 : last * 8 + 7 - rbsp[last].trailingZeroBitCount
  }

  /// - Parameter bytes: the data, including all trailing bits.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    end = bytes.count * 8
  }

  /// The number of bits before the stop bit.
  var remaining: Int { end - position }

  /// Reads u(n), an unsigned integer of n bits.
  mutating func bits(_ count: Int) throws(Damage) -> Int {
    let value = try peek(count)
    position += count
    return value
  }

  /// Returns the next bits without advancing.
  func peek(_ count: Int) throws(Damage) -> Int {
    guard (0...32).contains(count), count <= remaining else { throw Damage() }
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

  mutating func flag() throws(Damage) -> Bool { try bits(1) == 1 }

  mutating func skip(_ count: Int) throws(Damage) {
    guard count >= 0, count <= remaining else { throw Damage() }
    position += count
  }

  /// Reads ue(v), an Exp-Golomb code: n zeros, a 1, and n more bits (H.264, 9.1; H.265, 9.2). n is at most 31.
  mutating func unsigned(atMost limit: Int = .max) throws(Damage) -> Int {
    var zeros = 0
    while try !flag() {
      zeros += 1
      guard zeros < 32 else { throw Damage() }
    }
    let value = try (1 << zeros) - 1 + bits(zeros)
    guard value <= limit else { throw Damage() }
    return value
  }

  /// Reads se(v), a signed Exp-Golomb code: 0, 1, -1, 2, -2… (H.264, 9.1.1; H.265, 9.2.2).
  mutating func signed(in range: ClosedRange<Int> = -(1 << 31)...(1 << 31)) throws(Damage) -> Int {
    let code = try unsigned()
    let value = code & 1 == 1 ? code / 2 + 1 : -(code / 2)
    guard range.contains(value) else { throw Damage() }
    return value
  }
}
