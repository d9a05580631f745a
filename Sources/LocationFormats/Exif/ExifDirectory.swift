internal import ClipModel

/// One directory of TIFF and Exif: its tags, and where their values are.
struct ExifDirectory {
  private let fields: RecordFields
  private let isLittle: Bool
  /// Where the entry of each tag stands.
  private var entries: [UInt16: Int] = [:]

  /// The first directory behind a TIFF header at the start of the bytes.
  init?(tiff fields: RecordFields) {
    if fields.has([0x49, 0x49, 0x2A, 0], at: 0) {
      isLittle = true
    } else if fields.has([0x4D, 0x4D, 0, 0x2A], at: 0) {
      isLittle = false
    } else {
      return nil
    }
    self.fields = fields
    guard let start = unsigned(at: 4) else { return nil }
    read(at: start)
  }

  /// A directory without a header.
  init(_ fields: RecordFields, at start: Int, isLittle: Bool) {
    self.fields = fields
    self.isLittle = isLittle
    read(at: start)
  }

  var tags: Set<UInt16> { Set(entries.keys) }

  /// The directory that a tag leads to: 0x8825 has the position.
  func directory(_ tag: UInt16) -> ExifDirectory? {
    entries[tag].flatMap { unsigned(at: $0 + 8) }.map { ExifDirectory(fields, at: $0, isLittle: isLittle) }
  }

  private mutating func read(at start: Int) {
    let count = isLittle ? fields.little(UInt16.self, at: start) : fields.big(UInt16.self, at: start)
    for index in 0..<Int(count ?? 0) {
      let offset = start + 2 + 12 * index
      guard let tag = isLittle ? fields.little(UInt16.self, at: offset) : fields.big(UInt16.self, at: offset) else {
        break
      }
      entries[tag] = offset
    }
  }

  private func unsigned(at offset: Int) -> Int? {
    (isLittle ? fields.little(UInt32.self, at: offset) : fields.big(UInt32.self, at: offset)).map(Int.init)
  }

  /// What a GPS directory says: tags 1 to 4 are the hemispheres and the degrees.
  var position: GeoPosition? {
    guard let north = entries[1].flatMap({ fields.northSouth(at: $0 + 8) }), let latitude = degrees(2),
      let east = entries[3].flatMap({ fields.eastWest(at: $0 + 8) }), let longitude = degrees(4)
    else { return nil }
    return GeoPosition(latitude: latitude, north, longitude: longitude, east)
  }

  /// Degrees, minutes and seconds as three fractions.
  private func degrees(_ tag: UInt16) -> Double? {
    guard let start = entries[tag].flatMap({ unsigned(at: $0 + 8) }) else { return nil }
    var degrees = 0.0
    for (index, unit) in [1.0, 60, 3600].enumerated() {
      guard let numerator = unsigned(at: start + 8 * index), let denominator = unsigned(at: start + 8 * index + 4)
      else {
        return nil
      }
      if denominator > 0 { degrees += Double(numerator) / Double(denominator) / unit }
    }
    return degrees
  }
}
