internal import ClipModel
public import ISOMedia

/// Chunks that cameras and editors add to AVI files.
public enum CameraChunks {
  /// Lists of Nikon, Pentax, Exif for AVI, and Adobe's editing data.
  public static let lists: Set<FourCC> = ["ncdt", "hydt", "pntx", "exif", "Tdat"]

  /// - Returns: `nil` when it is no camera's chunk that is known here.
  public static func examine(
    _ type: FourCC, _ payload: Range<Int64>, in source: any ByteSource
  ) throws(ISOMediaError) -> PayloadFinding? {
    if let found = try DashCamBoxes.examineLog(type, payload, in: source) { return found }
    switch type {
    case "SLLT": return .location("bikebro-gps", try source.positions(in: payload, recordSize: 30, bikeBro))
    case "SGLT": return PayloadFinding(kind: "bikebro-accelerometer", disclosure: .motion)
    case "_PMX", "JUNQ", "XMP ": return PayloadFinding(kind: "avi-xmp", disclosure: .identity)
    case "exif", "EXIF": return PayloadFinding(kind: "avi-exif", disclosure: .identity)
    case "olym": return PayloadFinding(kind: "avi-camera-block", disclosure: .identity)
    case "JUNK", "strd":
      return try examineMarks(source.fields(in: payload, atMost: 1 << 16), isStreamData: type == "strd")
    default: return "\(type)".lowercased().contains("gps") ? .location("gps-chunk") : nil
    }
  }

  /// BikeBro, big-endian: frame, kind, whole degrees and hundred-millionths of longitude at 5 and latitude at 11, then
  /// altitude, speed and time, and at 28 the hemispheres.
  private static func bikeBro(_ record: RecordFields) -> GeoPosition? {
    guard let longitude = record.big(UInt16.self, at: 5), let longitudeRest = record.big(UInt32.self, at: 7),
      let latitude = record.big(UInt16.self, at: 11), let latitudeRest = record.big(UInt32.self, at: 13),
      let east = record.eastWest(at: 28), let north = record.northSouth(at: 29)
    else { return nil }
    return GeoPosition(
      latitude: Double(latitude) + Double(latitudeRest) / 1e8, north,
      longitude: Double(longitude) + Double(longitudeRest) / 1e8, east)
  }

  /// Padding and stream data, which differ only in their first bytes.
  private static func examineMarks(_ fields: RecordFields, isStreamData: Bool) -> PayloadFinding? {
    // Lucas: acceleration and fixes in turn; the sentences in them are found as text.
    if fields.has("0GPS", at: 0) || fields.has("0GDA", at: 0) { return .location("gps-chunk") }
    if isStreamData, let found = exif(fields) { return found }
    // Olympus, Casio, Ricoh, Pentax; Exif of Canon and Kodak.
    let marks = ["OLYMDigital Camera", "QVMI", "ucmt", "IIII\u{1}\0", "PENTDigital Camera", "AVIF", "CASI"]
    return marks.contains { fields.has($0, at: 0) }
      ? PayloadFinding(kind: "avi-camera-block", disclosure: .identity) : nil
  }

  /// Exif without its header: `AVIF`, four bytes, and a little-endian directory, from which offsets count; tag 0x8825
  /// leads to the directory with the position.
  private static func exif(_ fields: RecordFields) -> PayloadFinding? {
    guard fields.has("AVIF", at: 0), let body = fields.record(at: 8, count: fields.count - 8) else { return nil }
    let directory = ExifDirectory(body, at: 0, isLittle: true)
    guard directory.tags.contains(0x8825) else { return nil }
    return .location("exif-gps", [directory.directory(0x8825)?.position])
  }
}
