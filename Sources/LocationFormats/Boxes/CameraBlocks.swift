public import ISOMedia

/// Checks blocks of camera metadata, which cameras store in separate boxes, in user data, or after a file's last box.
public enum CameraBlocks {
  /// Checks a box for camera metadata.
  /// - Returns: the finding; `nil` if the box is not a known camera block.
  public static func examine(_ box: Box, in source: any ByteSource) throws(ISOMediaError) -> PayloadFinding? {
    if let found = try DashCamBoxes.examine(box, in: source) { return found }
    if let found = try MakerBoxes.examine(box, in: source) { return found }
    switch box.type {
    case "free", "skip", "wide", "junk": return try FreeSpaceBox.examine(box, in: source)
    case "xml ": return SonyXML.examine(try source.fields(in: box.payload))
    // GoPro settings contain serial numbers but usually no telemetry.
    case "GPMF": return GPMF.finding(in: Array(try source.fields(in: box.payload).bytes), otherwise: .identity)
    case "TTMD":
      let log = try MakerBoxes.readChildren(of: box, in: source).first { $0.type == "TTAD" }
      if let log { return try DashCamBoxes.examine(log, in: source) }
      return PayloadFinding(kind: "tomtom-ttmd", disclosure: .identity)
    case "sefd":
      return SamsungTrailer.mostPrivateFinding(of: try SamsungTrailer.examine(box.payload, in: source).findings)
    default: break
    }
    guard let known = KnownBoxes.lookUp(box) else { return nil }
    return try MakerBoxes.findTextPositions(in: box, of: source) ?? known
  }

  /// Checks the bytes after a file's last box.
  /// - Returns: a finding for each known part. Parts in an unknown format are `opaque`.
  public static func examineTrailer(
    _ range: Range<Int64>, in source: any ByteSource
  ) throws(ISOMediaError) -> [PayloadFinding] {
    var reader = TrailerParts(rest: range.clamped(to: 0..<source.byteCount), source: source)
    return try reader.read()
  }

  /// Checks unreferenced bytes, where dash cams store blocks and records: media data outside all samples, and transport
  /// packets that no program map lists.
  /// - Returns: the finding; `nil` if the format of the bytes is unknown.
  public static func examineUnreferencedBytes(
    _ range: Range<Int64>, in source: any ByteSource
  ) throws(ISOMediaError) -> PayloadFinding? {
    let range = range.clamped(to: 0..<source.byteCount)
    if let found = try FreeGPS.scanForBlocks(range, in: source) { return found }
    return UnreferencedRecords.examine(try source.bytes(in: range, atMost: recordByteLimit))
  }

  /// The maximum number of bytes to search for records: about one hour at one record per second.
  private static let recordByteLimit = 1 << 18
}
