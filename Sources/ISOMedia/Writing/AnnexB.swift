/// The byte stream format of H.264 and HEVC (annex B), in which a start code precedes each NAL unit.
package enum AnnexB {
  /// Whether bytes begin with a start code.
  package static func isByteStream(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0, 0, 1]) || bytes.starts(with: [0, 0, 0, 1])
  }

  /// Returns the NAL units with 4-byte length prefixes, as MP4 stores them.
  package static func lengthPrefixed(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 16)
    var start: Int?
    var index = 0
    func append(_ unit: Range<Int>) {
      guard !unit.isEmpty else { return }
      for shift in stride(from: 24, through: 0, by: -8) {
        result.append(UInt8(truncatingIfNeeded: unit.count >> shift))
      }
      result += bytes[unit]
    }
    while index + 2 < bytes.count {
      // A start code can't begin at either byte if the third byte is greater than 1.
      if bytes[index + 2] > 1 {
        index += 3
      } else if bytes[index] == 0, bytes[index + 1] == 0, bytes[index + 2] == 1 {
        // An optional leading zero belongs to the start code.
        if let start { append(start..<(index > start && bytes[index - 1] == 0 ? index - 1 : index)) }
        start = index + 3
        index += 3
      } else {
        index += 1
      }
    }
    if let start { append(start..<bytes.count) }
    return result
  }
}
