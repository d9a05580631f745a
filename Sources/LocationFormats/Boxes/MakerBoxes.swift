internal import ClipModel
internal import ISOMedia

/// The makers' own boxes with Exif inside: Canon's `uuid`, Nikon's `NCDT`, Fujifilm's `MVTG`.
enum MakerBoxes {
  private static let canon: [UInt8] = [
    0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
  ]
  /// Boxes looked at inside one box: real ones hold a dozen.
  private static let boxLimit = 256

  /// - Returns: `nil` when it is none of them.
  static func examine(_ box: Box, in source: any ByteSource) throws(ISOMediaError) -> PayloadFinding? {
    switch box.type {
    case "uuid" where box.userType == canon: try canonBlock(box, in: source)
    case "NCDT": try nikonBlock(box, in: source)
    case "MVTG": try fujifilmBlock(box, in: source)
    default: nil
    }
  }

  /// The child boxes, as far as they are boxes.
  static func children(of box: Box, in source: any ByteSource) throws(ISOMediaError) -> [Box] {
    var reader = BoxReader(source: source, childrenOf: box)
    var children: [Box] = []
    while children.count < boxLimit, let child = try reader.next() { children.append(child) }
    return children
  }

  /// `CMT1` to `CMT3` have model and serial numbers; `CMT4` is the GPS directory, with only a version when it is off.
  private static func canonBlock(_ box: Box, in source: any ByteSource) throws(ISOMediaError) -> PayloadFinding {
    for child in try children(of: box, in: source) where child.type == "CMT4" {
      guard let directory = ExifDirectory(tiff: try source.fields(in: child.payload)) else {
        return .location("canon-gps")
      }
      if !directory.tags.isSubset(of: [0]) { return .location("canon-gps", [directory.position]) }
    }
    return try withText(box, in: source) ?? PayloadFinding(kind: "canon-uuid", disclosure: .identity)
  }

  /// `NCTG`: tags of 32 bits with type and count of 16 bits; those of Exif's GPS directory from 0x1200000 on.
  private static func nikonBlock(_ box: Box, in source: any ByteSource) throws(ISOMediaError) -> PayloadFinding {
    for child in try children(of: box, in: source) where child.type == "NCTG" {
      let fields = try source.fields(in: child.payload)
      // Bytes of a value by Exif's type number.
      let sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8]
      var values: [UInt32: RecordFields] = [:]
      var offset = 0
      while let tag = fields.big(UInt32.self, at: offset), let type = fields.big(UInt16.self, at: offset + 4),
        let count = fields.big(UInt16.self, at: offset + 6), sizes.indices.contains(Int(type)),
        let value = fields.record(at: offset + 8, count: sizes[Int(type)] * Int(count))
      {
        values[tag] = value
        offset += 8 + value.count
      }
      guard values.keys.contains(where: { (0x120_0001...0x120_001F).contains($0) }) else { continue }
      guard let north = values[0x120_0001]?.northSouth(at: 0), let east = values[0x120_0003]?.eastWest(at: 0),
        let latitude = values[0x120_0002]?.degreesOfRationals(at: 0),
        let longitude = values[0x120_0004]?.degreesOfRationals(at: 0)
      else { return .location("nikon-gps") }
      let position = GeoPosition(latitude: latitude, north, longitude: longitude, east)
      return .location("nikon-gps", [position])
    }
    return try withText(box, in: source) ?? PayloadFinding(kind: "nikon-ncdt", disclosure: .identity)
  }

  /// A directory without a TIFF header, which may point to a GPS directory.
  private static func fujifilmBlock(_ box: Box, in source: any ByteSource) throws(ISOMediaError) -> PayloadFinding {
    let directory = ExifDirectory(try source.fields(in: box.payload), at: 16, isLittle: true)
    if directory.tags.contains(0x8825) { return .location("fujifilm-gps") }
    return PayloadFinding(kind: "fujifilm-mvtg", disclosure: .identity)
  }

  /// Positions as text or Exif anywhere in a box.
  static func withText(_ box: Box, in source: any ByteSource) throws(ISOMediaError) -> PayloadFinding? {
    let found = TextPositions.examine(Array(try source.fields(in: box.payload).bytes))
    return found?.disclosure == .location ? found : nil
  }
}
