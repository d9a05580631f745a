internal import ClipModel

/// Reads dash cam records in separate tracks, most of which are labeled as a different format.
enum DashCamRecords {
  /// Checks samples that are labeled `gpmd` although the camera isn't a GoPro; returns `nil` if they may be real GoPro
  /// samples.
  static func examineMislabeledSample(_ sample: [UInt8]) -> PayloadFinding? {
    let fields = RecordFields(sample)
    if isKingslimRecord(fields) { return .location("kingslim-gpmd") }
    if fields.matches("FMAS\0\0\0\0", at: 0) { return .location("vantrue-fmas", [readVantruePosition(fields)]) }
    guard ObfuscatedText.isAmbarellaBlock(fields) else { return nil }
    return .location("ambarella-text", [ObfuscatedText.readAmbarellaPosition(in: fields)])
  }

  /// Checks an RVMI record: `gReV` contains the latitude and longitude in millionths of a degree, `sReV` the
  /// acceleration.
  static func examineRVMI(_ sample: [UInt8]) -> PayloadFinding {
    let fields = RecordFields(sample)
    if fields.matches("gReV", at: 0) {
      return .location("rvmi", [fields.position(.littleEndian(unitsPerDegree: 1e6), at: 4, 8)])
    }
    return PayloadFinding(kind: "rvmi", disclosure: fields.matches("sReV", at: 0) ? .motion : .opaque)
  }

  /// Whether a record is from a Kingslim D4: `A`, `N` or `S`, and `E` or `W` at offset 24. The values are encrypted
  /// with an unpublished cipher.
  private static func isKingslimRecord(_ fields: RecordFields) -> Bool {
    fields.matches("\0\0\0A", at: 21) && fields.latitudeHemisphere(at: 25) != nil
      && fields.longitudeHemisphere(at: 26) != nil
  }

  /// Reads a Vantrue N2S record: `A` at offset 120, the hemispheres, and the longitude and latitude. Each coordinate
  /// has one byte for degrees, one for minutes, and 16 bits for 6000ths of a minute. In the longitude, a zero byte
  /// precedes these 16 bits.
  private static func readVantruePosition(_ fields: RecordFields) -> GeoPosition? {
    func readDegrees(at offset: Int, fractionAt fraction: Int) -> Double? {
      guard let degrees = fields.byte(at: offset), let minutes = fields.byte(at: offset + 1),
        let rest = fields.littleEndian(UInt16.self, at: fraction)
      else { return nil }
      return Double(degrees) + (Double(minutes) + Double(rest) / 6000) / 60
    }
    guard fields.matches("SAMM", at: 80), fields.matches("A", at: 120), let east = fields.longitudeHemisphere(at: 121),
      let north = fields.latitudeHemisphere(at: 122), let longitude = readDegrees(at: 123, fractionAt: 126),
      let latitude = readDegrees(at: 128, fractionAt: 130)
    else { return nil }
    return GeoPosition(latitude: latitude, north, longitude: longitude, east)
  }
}
