internal import ClipModel

/// Exif: a TIFF header whose first directories point to a GPS directory, or are one (Canon's `CMT4`).
extension PositionScan {
  /// Directories in a row: the picture's, the thumbnail's.
  private static let directoryLimit = 4
  /// More entries are damage.
  private static let entryLimit = 512

  mutating func readExif(at start: Int, isLittle: Bool) -> Int? {
    let magic: UInt32 = isLittle ? 0x4949_2A00 : 0x4D4D_002A
    guard text.word(at: start, isLittle: false) == magic else { return nil }
    var next = text.word(at: start &+ 4, isLittle: isLittle)
    for _ in 0..<Self.directoryLimit {
      guard let offset = next, offset >= 8 else { break }
      let directory = entries(at: start &+ Int(offset), isLittle: isLittle)
      next = directory.next
      // Tag 34853 points to the GPS directory; tag 2 with three rationals is in one.
      if let pointer = directory.list.first(where: { $0.tag == 0x8825 }),
        let offset = text.word(at: pointer.field, isLittle: isLittle)
      {
        let inner = entries(at: start &+ Int(offset), isLittle: isLittle)
        readDirectory(inner.list, base: start, isLittle: isLittle)
      }
      if directory.list.contains(where: { $0.tag == 2 && $0.type == 5 && $0.count == 3 }) {
        readDirectory(directory.list, base: start, isLittle: isLittle)
      }
    }
    return nil
  }

  private struct Entry {
    var tag: UInt16
    var type: UInt16
    var count: UInt32
    /// Where its value or the offset of its value stands.
    var field: Int
  }

  private mutating func entries(at start: Int, isLittle: Bool) -> (list: [Entry], next: UInt32?) {
    guard let count = text.halfWord(at: start, isLittle: isLittle) else { return ([], nil) }
    var list: [Entry] = []
    for index in 0..<min(Int(count), Self.entryLimit) {
      let field = start &+ 2 &+ 12 &* index
      guard directoryBudget > 0 else {
        // Nothing but beginnings: who writes that has something to hide.
        add(.exif, nil)
        return (list, nil)
      }
      guard let tag = text.halfWord(at: field, isLittle: isLittle),
        let type = text.halfWord(at: field &+ 2, isLittle: isLittle),
        let count = text.word(at: field &+ 4, isLittle: isLittle)
      else { return (list, nil) }
      directoryBudget -= 1
      list.append(Entry(tag: tag, type: type, count: count, field: field &+ 8))
    }
    return (list, text.word(at: start &+ 2 &+ 12 &* Int(count), isLittle: isLittle))
  }

  private mutating func readDirectory(_ list: [Entry], base: Int, isLittle: Bool) {
    func letter(_ tag: UInt16) -> UInt8? { list.first { $0.tag == tag }.map { text[$0.field] & ~0x20 } }
    func degrees(_ tag: UInt16) -> Double? {
      // Rationals, and signed ones by mistake.
      guard let entry = list.first(where: { $0.tag == tag }), entry.type == 5 || entry.type == 10,
        (1...3).contains(entry.count), let offset = text.word(at: entry.field, isLittle: isLittle)
      else { return nil }
      return (0..<Int(entry.count)).reduce(0.0) { sum, part in
        sum.flatMap { sum in
          text.rational(at: base &+ Int(offset) &+ 8 &* part, isLittle: isLittle).map {
            sum + $0 / [1, 60, 3600][part]
          }
        }
      }
    }
    guard let latitude = degrees(2), let longitude = degrees(4), latitude <= 90, longitude <= 180 else {
      // Made to tell the place, as of receivers without a fix.
      return add(.exif, nil)
    }
    add(
      .exif,
      GeoPosition(
        latitude: letter(1) == UInt8(ascii: "S") ? -latitude : latitude,
        longitude: letter(3) == UInt8(ascii: "W") ? -longitude : longitude))
  }
}

extension TextBytes {
  /// Two integers of four bytes; 0 for 0/0, as cameras write seconds that they do not have.
  func rational(at index: Int, isLittle: Bool) -> Double? {
    guard let numerator = word(at: index, isLittle: isLittle),
      let denominator = word(at: index &+ 4, isLittle: isLittle)
    else { return nil }
    if denominator == 0 { return numerator == 0 ? 0 : nil }
    return Double(numerator) / Double(denominator)
  }
}
