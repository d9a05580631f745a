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
    for index in 0..<Int(fields.integer(UInt16.self, at: start, isLittle: isLittle) ?? 0) {
      let offset = start + 2 + 12 * index
      guard let tag = fields.integer(UInt16.self, at: offset, isLittle: isLittle) else { break }
      entries[tag] = offset
    }
  }

  private func unsigned(at offset: Int) -> Int? {
    fields.integer(UInt32.self, at: offset, isLittle: isLittle).map(Int.init)
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
    entries[tag].flatMap { unsigned(at: $0 + 8) }.flatMap { fields.degreesOfRationals(at: $0, isLittle: isLittle) }
  }
}
