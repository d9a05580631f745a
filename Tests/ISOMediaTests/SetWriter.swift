@testable import ISOMedia

/// Writes parameter sets bit by bit.
struct SetWriter {
  private var bits: [UInt8] = []

  mutating func u(_ count: Int, _ value: Int) {
    for shift in (0..<count).reversed() { bits.append(UInt8(value >> shift & 1)) }
  }

  mutating func ue(_ values: Int...) {
    for value in values {
      let length = Int.bitWidth - (value + 1).leadingZeroBitCount
      u(length - 1, 0)
      u(length, value + 1)
    }
  }

  /// Returns the escaped unit with a header and the stop bit.
  func unit(_ header: [UInt8]) -> [UInt8] {
    var all = bits + [1]
    while all.count % 8 != 0 { all.append(0) }
    let bytes = stride(from: 0, to: all.count, by: 8).map { start in all[start..<start + 8].reduce(0) { $0 << 1 | $1 } }
    return header + RBSP.escaped(bytes)
  }

  /// An HEVC set for 64 x 48 up to the VUI flag.
  static func hevc(layer: UInt8 = 0, width: Int = 64, croppedRight: Int = 0) -> SetWriter {
    var writer = SetWriter()
    // Parameter set 0, one layer, nested; Main, level 3.1.
    writer.u(8, 1)
    writer.u(8, 1)
    writer.u(32, 0x6000_0000)
    writer.u(48, 0x9000_0000_0000)
    writer.u(8, 93)
    writer.ue(0, 1, width, 48)
    writer.u(1, 1)
    writer.ue(0, croppedRight, 0, 0)
    // Bit depths, order; buffers of one layer; blocks; no lists, tools, PCM, reference sets or long-term references.
    writer.ue(0, 0, 4)
    writer.u(1, 1)
    writer.ue(4, 2, 0)
    writer.ue(0, 3, 0, 3, 0, 0)
    writer.u(4, 0)
    writer.ue(0)
    writer.u(3, 0)
    return writer
  }

  /// An HEVC set with a VUI up to the flag of the default display window.
  static func hevcWithUsability() -> SetWriter {
    var writer = hevc()
    writer.u(1, 1)
    // No aspect ratio, overscan, signal type, chroma location, neutral chroma, fields, picture structure.
    writer.u(7, 0)
    return writer
  }
}
