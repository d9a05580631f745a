internal import ClipModel

/// GoPro's GPS streams wherever their bytes lie: `GPS5` of five integers, `GPS9` of nine with the time.
extension PositionScan {
  /// Key, type, size of one structure, number of them (GPMF): every camera writes them just so.
  mutating func readGoPro(at start: Int) -> Int? {
    let size: Int
    switch text.word(at: start &+ 4, isLittle: false).map({ $0 >> 16 }) {
    case 0x6C14 where text.has("GPS5", at: start): size = 20  // `l`, five of four bytes
    case 0x3F20 where text.has("GPS9", at: start): size = 32  // `?`, a structure of seven of four bytes and two of two
    default: return nil
    }
    add(.goPro, nil)
    guard let count = text.halfWord(at: start &+ 6, isLittle: false) else { return nil }
    let first = start &+ 8
    let end = min(first &+ size &* Int(count), text.count)
    for index in stride(from: first, to: end, by: size) {
      guard let latitude = text.word(at: index, isLittle: false),
        let longitude = text.word(at: index &+ 4, isLittle: false)
      else { break }
      // The scale stands in front of them (`SCAL`) and is the same in all cameras.
      let position = GeoPosition(
        latitude: Double(Int32(bitPattern: latitude)) / 1e7, longitude: Double(Int32(bitPattern: longitude)) / 1e7)
      if position != nil { add(.goPro, position) }
    }
    return end
  }
}
