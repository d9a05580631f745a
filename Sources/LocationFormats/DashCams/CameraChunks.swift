internal import ClipModel
public import ISOMedia

/// Reads the chunks that cameras and editors add to AVI files.
public enum CameraChunks {
  /// The list types of Nikon and Pentax cameras, Exif for AVI, and Adobe's editing data.
  public static let lists: Set<FourCC> = ["ncdt", "hydt", "pntx", "exif", "Tdat"]

  /// - Returns: `nil` if the chunk is not a known camera chunk.
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
      return examineMarker(try source.fields(in: payload, atMost: 1 << 16), isStreamData: type == "strd")
    default: return "\(type)".lowercased().contains("gps") ? .location("gps-chunk") : nil
    }
  }

  /// BikeBro, big-endian: whole degrees and hundred-millionths of longitude at 5 and latitude at 11, and the hemisphere
  /// letters at 28.
  private static func bikeBro(_ record: RecordFields) -> GeoPosition? {
    func degrees(at offset: Int) -> Double? {
      guard let whole = record.big(UInt16.self, at: offset), let fraction = record.big(UInt32.self, at: offset + 2)
      else { return nil }
      return Double(whole) + Double(fraction) / 1e8
    }
    guard let longitude = degrees(at: 5), let latitude = degrees(at: 11), let east = record.eastWest(at: 28),
      let north = record.northSouth(at: 29)
    else { return nil }
    return GeoPosition(latitude: latitude, north, longitude: longitude, east)
  }

  /// Examines padding and stream data, which are recognized by their first bytes.
  private static func examineMarker(_ fields: RecordFields, isStreamData: Bool) -> PayloadFinding? {
    // Lucas alternates acceleration data and fixes. The text search reads its NMEA sentences.
    if fields.has("0GPS", at: 0) || fields.has("0GDA", at: 0) { return .location("gps-chunk") }
    if isStreamData, let found = exif(fields) { return found }
    // Olympus, Casio, Ricoh and Pentax data, and Exif written by Canon and Kodak.
    let markers = ["OLYMDigital Camera", "QVMI", "ucmt", "IIII\u{1}\0", "PENTDigital Camera", "AVIF", "CASI"]
    return markers.contains { fields.has($0, at: 0) }
      ? PayloadFinding(kind: "avi-camera-block", disclosure: .identity) : nil
  }

  /// Reads Exif without its header: `AVIF`, four bytes, and a little-endian directory. Offsets are relative to the
  /// start of the directory.
  private static func exif(_ fields: RecordFields) -> PayloadFinding? {
    guard fields.has("AVIF", at: 0), let body = fields.record(at: 8, count: fields.count - 8) else { return nil }
    let directory = ExifDirectory(body, at: 0, isLittle: true)
    return directory.gpsOffset.map {
      .location("exif-gps", [ExifDirectory(body, at: $0, isLittle: true).position])
    }
  }
}
