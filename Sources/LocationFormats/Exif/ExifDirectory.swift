internal import ClipModel

/// A directory in TIFF or Exif data.
struct ExifDirectory {
  /// The maximum number of entries to read. Only a damaged directory declares more.
  static let entryLimit = 512

  private let fields: RecordFields
  private let isLittle: Bool
  /// The base offset to which all value offsets are relative.
  private let base: Int
  /// The offset of the first entry for each tag.
  private var entries: [UInt16: Int] = [:]
  private(set) var entryCount = 0
  /// Whether the directory declares more entries than the maximum.
  private(set) var exceedsLimit = false
  /// The offset of the next directory.
  private(set) var next: Int?

  /// Reads the first directory of TIFF data, which starts with a TIFF header.
  init?(tiff fields: RecordFields) {
    let isLittle = fields.matches([0x49, 0x49, 0x2A, 0], at: 0)
    guard isLittle || fields.matches([0x4D, 0x4D, 0, 0x2A], at: 0),
      let start = fields.integer(UInt32.self, at: 4, isLittle: isLittle)
    else { return nil }
    self.init(fields, at: Int(start), isLittle: isLittle)
  }

  /// Reads a directory that has no TIFF header.
  init(_ fields: RecordFields, at start: Int, base: Int = 0, isLittle: Bool, limit: Int = Self.entryLimit) {
    (self.fields, self.base, self.isLittle) = (fields, base, isLittle)
    guard let count = fields.integer(UInt16.self, at: start, isLittle: isLittle).map(Int.init) else { return }
    for offset in stride(from: start + 2, to: start + 2 + 12 * min(count, limit), by: 12) {
      guard let tag = fields.integer(UInt16.self, at: offset, isLittle: isLittle), fields.byte(at: offset + 7) != nil
      else { return }
      entryCount += 1
      if entries[tag] == nil { entries[tag] = offset }
    }
    exceedsLimit = count > limit
    next = readUnsigned(at: start + 2 + 12 * count)
  }

  var tags: Set<UInt16> { Set(entries.keys) }

  /// The offset of the GPS directory to which this directory refers.
  var gpsOffset: Int? { entries[0x8825].flatMap { readUnsigned(at: $0 + 8) } }

  /// Whether this directory is a GPS directory, in which tag 2 (the latitude) contains three fractions.
  var isGPS: Bool { entries[2].map { readType(of: $0) == 5 && readUnsigned(at: $0 + 4) == 3 } ?? false }

  /// The position in a GPS directory. Tags 1 to 4 contain the hemispheres and the degrees.
  var position: GeoPosition? {
    guard let latitude = readDegrees(2), let longitude = readDegrees(4) else { return nil }
    return GeoPosition(
      latitude: readLetter(1) == UInt8(ascii: "S") ? -latitude : latitude,
      longitude: readLetter(3) == UInt8(ascii: "W") ? -longitude : longitude)
  }

  private func readUnsigned(at offset: Int) -> Int? {
    fields.integer(UInt32.self, at: offset, isLittle: isLittle).map(Int.init)
  }

  private func readType(of entry: Int) -> UInt16? { fields.integer(UInt16.self, at: entry + 2, isLittle: isLittle) }

  /// Returns the first letter of a text value, in uppercase.
  private func readLetter(_ tag: UInt16) -> UInt8? {
    entries[tag].flatMap { fields.byte(at: $0 + 8) }.map { $0 & ~0x20 }
  }

  /// Reads one to three fractions as degrees, minutes and seconds. Some cameras declare a signed type for them.
  private func readDegrees(_ tag: UInt16) -> Double? {
    guard let entry = entries[tag], let type = readType(of: entry), type == 5 || type == 10,
      let count = readUnsigned(at: entry + 4), (1...3).contains(count), let offset = readUnsigned(at: entry + 8)
    else { return nil }
    return fields.readDegreesFromFractions(at: base + offset, isLittle: isLittle, partCount: count)
  }
}

/// Reads Exif data: a TIFF header and directories. One of the first directories refers to a GPS directory or, as in
/// Canon's `CMT4`, is one.
extension PositionScan {
  /// The maximum number of chained directories: the image's and the thumbnail's.
  private static let directoryLimit = 4

  mutating func readExif(at start: Int, isLittle: Bool) -> Int? {
    let magic: UInt32 = isLittle ? 0x4949_2A00 : 0x4D4D_002A
    guard text.word(at: start, isLittle: false) == magic else { return nil }
    var next = text.word(at: start &+ 4, isLittle: isLittle).map(Int.init)
    for _ in 0..<Self.directoryLimit {
      guard let offset = next, offset >= 8 else { break }
      let directory = readDirectory(at: offset, from: start, isLittle: isLittle)
      next = directory.next
      if let offset = directory.gpsOffset {
        add(.exif, self.readDirectory(at: offset, from: start, isLittle: isLittle).position)
      }
      if directory.isGPS { add(.exif, directory.position) }
    }
    return nil
  }

  private mutating func readDirectory(at offset: Int, from start: Int, isLittle: Bool) -> ExifDirectory {
    let limit = min(ExifDirectory.entryLimit, directoryBudget)
    let directory = ExifDirectory(text.fields, at: start + offset, base: start, isLittle: isLittle, limit: limit)
    directoryBudget -= directory.entryCount
    // Only malicious data exhausts the budget, so the data counts as location data.
    if directory.exceedsLimit, directoryBudget == 0 { add(.exif, nil) }
    return directory
  }
}
