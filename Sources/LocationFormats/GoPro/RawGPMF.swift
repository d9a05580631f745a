internal import ClipModel

/// Finds GoPro GPS streams at any offset in bytes. `GPS5` has five integers; `GPS9` has nine, including the time.
extension PositionScan {
  /// Reads a GPMF header: key, type, structure size and count. All cameras write the same type and size for a key.
  mutating func readGoPro(at start: Int) -> Int? {
    let size: Int
    switch text.word(at: start &+ 4, isLittle: false).map({ $0 >> 16 }) {
    case 0x6C14 where text.matches("GPS5", at: start): size = 20  // `l`, five 4-byte integers
    case 0x3F20 where text.matches("GPS9", at: start): size = 32  // `?`: seven 4-byte and two 2-byte values
    default: return nil
    }
    add(.goPro, nil)
    guard let count = text.fields.bigEndian(UInt16.self, at: start + 6) else { return nil }
    let first = start &+ 8
    let end = min(first &+ size &* Int(count), text.count)
    for index in stride(from: first, to: end, by: size) where index + 8 <= text.count {
      // All cameras write the same scale (`SCAL`).
      let position = text.fields.position(.bigEndian(unitsPerDegree: 1e7), at: index, index + 4)
      if position != nil { add(.goPro, position) }
    }
    return end
  }
}
