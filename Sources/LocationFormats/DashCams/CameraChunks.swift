internal import ClipModel
public import ISOMedia

/// Checks the chunks that cameras and video editors add to AVI files.
public enum CameraChunks {
  /// The list types of Nikon cameras, Pentax cameras, Exif in AVI, and Adobe's editing data.
  public static let lists: Set<FourCC> = ["ncdt", "hydt", "pntx", "exif", "Tdat"]

  /// Checks an AVI chunk for camera data.
  /// - Returns: the finding; `nil` if the chunk is not a known camera chunk.
  public static func examine(
    _ type: FourCC, _ payload: Range<Int64>, in source: any ByteSource
  ) throws(ISOMediaError) -> PayloadFinding? {
    if let found = try DashCamBoxes.examineLog(type, payload, in: source) { return found }
    switch type {
    case "SLLT": return .location("bikebro-gps", try source.positions(in: payload, recordSize: 30, readBikeBroPosition))
    case "SGLT": return PayloadFinding(kind: "bikebro-accelerometer", disclosure: .motion)
    case "_PMX", "JUNQ", "XMP ": return PayloadFinding(kind: "avi-xmp", disclosure: .identity)
    case "exif", "EXIF": return PayloadFinding(kind: "avi-exif", disclosure: .identity)
    case "olym": return PayloadFinding(kind: "avi-camera-block", disclosure: .identity)
    case "JUNK", "strd":
      return examineMarker(try source.fields(in: payload, atMost: 1 << 16), isStreamData: type == "strd")
    default: return "\(type)".lowercased().contains("gps") ? .location("gps-chunk") : nil
    }
  }

  /// Reads a big-endian BikeBro record: whole degrees and hundred-millionths of the longitude at offset 5 and of the
  /// latitude at offset 11, and the hemisphere letters at offset 28.
  private static func readBikeBroPosition(_ record: RecordFields) -> GeoPosition? {
    func readDegrees(at offset: Int) -> Double? {
      guard let whole = record.bigEndian(UInt16.self, at: offset),
        let fraction = record.bigEndian(UInt32.self, at: offset + 2)
      else { return nil }
      return Double(whole) + Double(fraction) / 1e8
    }
    guard let longitude = readDegrees(at: 5), let latitude = readDegrees(at: 11),
      let east = record.longitudeHemisphere(at: 28),
      let north = record.latitudeHemisphere(at: 29)
    else { return nil }
    return GeoPosition(latitude: latitude, north, longitude: longitude, east)
  }

  /// Checks padding and stream data, which can be identified by their first bytes.
  private static func examineMarker(_ fields: RecordFields, isStreamData: Bool) -> PayloadFinding? {
    // Lucas cameras alternate acceleration data and GPS fixes. The text search finds the NMEA sentences.
    if fields.matches("0GPS", at: 0) || fields.matches("0GDA", at: 0) { return .location("gps-chunk") }
    if isStreamData, let found = examineExif(fields) { return found }
    // These signatures mark data from Olympus, Casio, Ricoh and Pentax cameras, and Exif data from Canon and Kodak
    // cameras.
    let markers = ["OLYMDigital Camera", "QVMI", "ucmt", "IIII\u{1}\0", "PENTDigital Camera", "AVIF", "CASI"]
    return markers.contains { fields.matches($0, at: 0) }
      ? PayloadFinding(kind: "avi-camera-block", disclosure: .identity) : nil
  }

  /// Checks Exif data without a TIFF header: `AVIF`, four bytes, and a little-endian directory. Offsets are relative to
  /// the start of the directory.
  private static func examineExif(_ fields: RecordFields) -> PayloadFinding? {
    guard fields.matches("AVIF", at: 0), let body = fields.record(at: 8, count: fields.count - 8) else { return nil }
    let directory = ExifDirectory(body, at: 0, isLittle: true)
    return directory.gpsOffset.map {
      .location("exif-gps", [ExifDirectory(body, at: $0, isLittle: true).position])
    }
  }
}
