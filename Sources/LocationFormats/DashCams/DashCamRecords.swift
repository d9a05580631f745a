internal import ClipModel

/// Reads dash-cam records in separate tracks, most of which are labeled as a different format.
enum DashCamRecords {
  /// Reads samples that are labeled `gpmd` but were not written by a GoPro; `nil` if they may be GoPro samples.
  static func examineMislabeled(_ sample: [UInt8]) -> PayloadFinding? {
    let fields = RecordFields(sample)
    if isKingslim(fields) { return .location("kingslim-gpmd") }
    if fields.has("FMAS\0\0\0\0", at: 0) { return .location("vantrue-fmas", [vantrue(fields)]) }
    guard ObfuscatedText.isAmbarella(fields) else { return nil }
    return .location("ambarella-text", [ObfuscatedText.ambarellaPosition(in: fields)])
  }

  /// `RVMI`: `gReV` with latitude and longitude in millionths of a degree, `sReV` with acceleration.
  static func examineRVMI(_ sample: [UInt8]) -> PayloadFinding {
    let fields = RecordFields(sample)
    if fields.has("gReV", at: 0) { return .location("rvmi", [fields.position(.little(unitsPerDegree: 1e6), at: 4, 8)]) }
    return PayloadFinding(kind: "rvmi", disclosure: fields.has("sReV", at: 0) ? .motion : .opaque)
  }

  /// Kingslim D4: `A`, `N` or `S`, `E` or `W` at 24. The values are encrypted with an unpublished cipher.
  private static func isKingslim(_ fields: RecordFields) -> Bool {
    fields.has("\0\0\0A", at: 21) && fields.northSouth(at: 25) != nil && fields.eastWest(at: 26) != nil
  }

  /// Vantrue N2S: `A` at 120, the hemispheres, then longitude and latitude, each with one byte for degrees, one for
  /// minutes, and 6000ths of a minute in 16 bits. A zero byte precedes the last part of the longitude.
  private static func vantrue(_ fields: RecordFields) -> GeoPosition? {
    func degrees(at offset: Int, fractionAt fraction: Int) -> Double? {
      guard let degrees = fields.byte(at: offset), let minutes = fields.byte(at: offset + 1),
        let rest = fields.little(UInt16.self, at: fraction)
      else { return nil }
      return Double(degrees) + (Double(minutes) + Double(rest) / 6000) / 60
    }
    guard fields.has("SAMM", at: 80), fields.has("A", at: 120), let east = fields.eastWest(at: 121),
      let north = fields.northSouth(at: 122), let longitude = degrees(at: 123, fractionAt: 126),
      let latitude = degrees(at: 128, fractionAt: 130)
    else { return nil }
    return GeoPosition(latitude: latitude, north, longitude: longitude, east)
  }
}
