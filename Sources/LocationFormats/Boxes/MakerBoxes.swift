internal import ClipModel
internal import ISOMedia

/// Checks camera makers' boxes that contain Exif data: Canon's `uuid`, Nikon's `NCDT`, and Fujifilm's `MVTG`.
enum MakerBoxes {
  private static let canon = [UInt8](hexadecimal: "85C0B687-820F-11E0-8111-F4CE462B6A48")
  /// The maximum number of child boxes to read. Real files have about a dozen.
  private static let boxLimit = 256

  /// Checks a camera maker's box for Exif data.
  /// - Returns: the finding; `nil` for other boxes.
  static func examine(_ box: Box, in source: any ByteSource) throws(ISOMediaError) -> PayloadFinding? {
    switch box.type {
    case "uuid" where box.userType == canon: try examineCanonBlock(box, in: source)
    case "NCDT": try examineNikonBlock(box, in: source)
    case "MVTG": try examineFujifilmBlock(box, in: source)
    default: nil
    }
  }

  /// Returns the child boxes up to the first bytes that aren't a valid box.
  static func readChildren(of box: Box, in source: any ByteSource) throws(ISOMediaError) -> [Box] {
    var reader = BoxReader(source: source, childrenOf: box)
    var children: [Box] = []
    while children.count < boxLimit, let child = try reader.next() { children.append(child) }
    return children
  }

  /// Checks a Canon box: `CMT1` to `CMT3` contain the model and serial numbers. `CMT4` is the Exif GPS directory, which
  /// contains only a version if GPS is turned off.
  private static func examineCanonBlock(_ box: Box, in source: any ByteSource) throws(ISOMediaError) -> PayloadFinding {
    for child in try readChildren(of: box, in: source) where child.type == "CMT4" {
      guard let directory = ExifDirectory(tiff: try source.fields(in: child.payload)) else {
        return .location("canon-gps")
      }
      if !directory.tags.isSubset(of: [0]) { return .location("canon-gps", [directory.position]) }
    }
    return try findTextPositions(in: box, of: source) ?? PayloadFinding(kind: "canon-uuid", disclosure: .identity)
  }

  /// The size in bytes of each Exif value type, indexed by type number.
  private static let exifSizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8]

  /// Checks a Nikon `NCTG` box: 32-bit tags with a 16-bit type and a 16-bit count. The tags of the Exif GPS directory
  /// start at 0x1200000.
  private static func examineNikonBlock(_ box: Box, in source: any ByteSource) throws(ISOMediaError) -> PayloadFinding {
    for child in try readChildren(of: box, in: source) where child.type == "NCTG" {
      let fields = try source.fields(in: child.payload)
      var values: [UInt32: RecordFields] = [:]
      var offset = 0
      while let tag = fields.bigEndian(UInt32.self, at: offset),
        let type = fields.bigEndian(UInt16.self, at: offset + 4),
        let count = fields.bigEndian(UInt16.self, at: offset + 6), exifSizes.indices.contains(Int(type)),
        let value = fields.record(at: offset + 8, count: exifSizes[Int(type)] * Int(count))
      {
        values[tag] = value
        offset += 8 + value.count
      }
      guard values.keys.contains(where: { (0x120_0001...0x120_001F).contains($0) }) else { continue }
      return .location("nikon-gps", [GeoPosition { values[0x120_0000 + UInt32($0)] }])
    }
    return try findTextPositions(in: box, of: source) ?? PayloadFinding(kind: "nikon-ncdt", disclosure: .identity)
  }

  /// Checks a Fujifilm directory, which has no TIFF header and may refer to a GPS directory.
  private static func examineFujifilmBlock(_ box: Box, in source: any ByteSource) throws(ISOMediaError)
    -> PayloadFinding
  {
    let directory = ExifDirectory(try source.fields(in: box.payload), at: 16, isLittle: true)
    if directory.tags.contains(0x8825) { return .location("fujifilm-gps") }
    return PayloadFinding(kind: "fujifilm-mvtg", disclosure: .identity)
  }

  /// Finds text and Exif positions at any offset in a box.
  static func findTextPositions(in box: Box, of source: any ByteSource) throws(ISOMediaError) -> PayloadFinding? {
    TextPositions.examine(Array(try source.fields(in: box.payload).bytes))
  }
}

extension GeoPosition {
  /// Creates a position from the big-endian values of Exif GPS tags.
  /// - Parameter value: returns the value of a tag. Tags 1 and 3 are the hemispheres; tags 2 and 4 are the degrees.
  init?(exifValue value: (UInt16) -> RecordFields?) {
    guard let north = value(1)?.latitudeHemisphere(at: 0), let latitude = value(2)?.readDegreesFromFractions(at: 0),
      let east = value(3)?.longitudeHemisphere(at: 0), let longitude = value(4)?.readDegreesFromFractions(at: 0)
    else { return nil }
    self.init(latitude: latitude, north, longitude: longitude, east)
  }
}
