internal import ClipModel

/// Reads Sony's non-real-time metadata: XML in an `xml ` box with the camera's serial number, the date, and Exif GPS
/// tags as items, such as `<Item name="Latitude" value="48:8:13.200"/>`.
enum SonyXML {
  /// Checks XML for Sony metadata.
  /// - Returns: the finding; `nil` for other XML.
  static func examine(_ fields: RecordFields) -> PayloadFinding? {
    guard fields.offset(of: "NonRealTimeMeta") != nil else { return nil }
    if fields.offset(of: "\"Latitude\"") != nil || fields.offset(of: "ExifGPS") != nil {
      return .location("sony-nrtm", [parsePosition(String(decoding: fields.bytes, as: UTF8.self))])
    }
    let hasSerialNumber = fields.offset(of: "serialNo=") != nil
    return PayloadFinding(kind: "sony-nrtm", disclosure: hasSerialNumber ? .identity : .date)
  }

  private static func parsePosition(_ text: String) -> GeoPosition? {
    guard let latitude = itemValue("Latitude", in: text).flatMap(parseDegrees),
      let north = Hemisphere.latitudeHemisphere(itemValue("LatitudeRef", in: text)?.utf8.first),
      let longitude = itemValue("Longitude", in: text).flatMap(parseDegrees),
      let east = Hemisphere.longitudeHemisphere(itemValue("LongitudeRef", in: text)?.utf8.first)
    else { return nil }
    return GeoPosition(latitude: latitude, north, longitude: longitude, east)
  }

  /// Returns the value of the item that has the given name.
  private static func itemValue(_ name: String, in text: String) -> Substring? {
    text.firstRange(of: "name=\"\(name)\" value=\"").map { text[$0.upperBound...].prefix { $0 != "\"" } }
  }

  /// Reads degrees, minutes and seconds that are separated by colons.
  private static func parseDegrees(_ text: Substring) -> Double? {
    let parts = text.split(separator: ":").compactMap { Double($0) }
    guard parts.count == 3 else { return nil }
    return parts[0] + parts[1] / 60 + parts[2] / 3600
  }
}
