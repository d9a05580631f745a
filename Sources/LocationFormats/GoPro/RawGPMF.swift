internal import ClipModel

/// Finds GoPro GPS streams anywhere in the bytes: `GPS5` has five integers, `GPS9` has nine, including the time.
extension PositionScan {
  /// Reads a GPMF header: key, type, structure size and count. Every camera writes the same type and size.
  mutating func readGoPro(at start: Int) -> Int? {
    let size: Int
    switch text.word(at: start &+ 4, isLittle: false).map({ $0 >> 16 }) {
    case 0x6C14 where text.has("GPS5", at: start): size = 20  // `l`, five 4-byte integers
    case 0x3F20 where text.has("GPS9", at: start): size = 32  // `?`, a structure of seven of four bytes and two of two
    default: return nil
    }
    add(.goPro, nil)
    guard let count = text.fields.big(UInt16.self, at: start + 6) else { return nil }
    let first = start &+ 8
    let end = min(first &+ size &* Int(count), text.count)
    for index in stride(from: first, to: end, by: size) where index + 8 <= text.count {
      // All cameras write the same scale (`SCAL`).
      let position = text.fields.position(.big(unitsPerDegree: 1e7), at: index, index + 4)
      if position != nil { add(.goPro, position) }
    }
    return end
  }
}
