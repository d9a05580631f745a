public import ISOMedia

/// Blocks that cameras write as boxes of their own, into user data, or behind the last box.
public enum CameraBlocks {
  /// - Returns: `nil` when it is no camera's block that is known here.
  public static func examine(_ box: Box, in source: any ByteSource) throws(ISOMediaError) -> PayloadFinding? {
    if let found = try DashCamBoxes.examine(box, in: source) { return found }
    if let found = try MakerBoxes.examine(box, in: source) { return found }
    switch box.type {
    case "free", "skip", "wide", "junk": return try FreeSpace.examine(box, in: source)
    case "xml ": return SonyXML.examine(try source.fields(in: box.payload))
    case "GPMF": return gpmf(try source.fields(in: box.payload))
    case "TTMD":
      for child in try MakerBoxes.children(of: box, in: source) where child.type == "TTAD" {
        return try DashCamBoxes.examine(child, in: source)
      }
      return PayloadFinding(kind: "tomtom-ttmd", disclosure: .identity)
    case "sefd": return SamsungTrailer.summary(of: try SamsungTrailer.examine(box.payload, in: source).findings)
    default: break
    }
    guard let known = KnownBoxes.find(box) else { return nil }
    return try MakerBoxes.withText(box, in: source) ?? known
  }

  /// What stands behind the last box.
  /// - Returns: one finding for each part that is known; a part of unknown form is `opaque`.
  public static func examineTrailer(
    _ range: Range<Int64>, in source: any ByteSource
  ) throws(ISOMediaError) -> [PayloadFinding] {
    var reader = TrailerParts(rest: range.clamped(to: 0..<source.byteCount), source: source)
    return try reader.read()
  }

  /// Bytes that nothing refers to: of the media data no sample, of a transport stream no program map. Dash cams keep
  /// their blocks and records there.
  /// - Returns: `nil` when nothing of them is known here.
  public static func examineUnreferenced(
    _ range: Range<Int64>, in source: any ByteSource
  ) throws(ISOMediaError) -> PayloadFinding? {
    let range = range.clamped(to: 0..<source.byteCount)
    if let found = try FreeGPS.scan(range, in: source) { return found }
    return LooseRecords.examine(try source.bytes(in: range, atMost: looseLimit))
  }

  /// Records of a whole film: an hour of one each second.
  private static let looseLimit = 1 << 18

  /// GoPro's settings: serial numbers, and nothing of the film itself.
  private static func gpmf(_ fields: RecordFields) -> PayloadFinding {
    let survey = GPMF.survey(Array(fields.bytes))
    if survey.hasLocation {
      return .location("gopro-gpmf", survey.trace)
    }
    return PayloadFinding(kind: "gopro-gpmf", disclosure: survey.isDamaged ? .opaque : .identity)
  }
}
