internal import ClipModel

/// Records of dash cams that stand in tracks of their own, mostly under the name of another format.
enum DashCamRecords {
  /// What is written as `gpmd` without being GoPro's; `nil` when it may be.
  static func examineMislabelled(_ sample: [UInt8]) -> PayloadFinding? {
    let fields = RecordFields(sample)
    if isKingslim(fields) { return .location("kingslim-gpmd") }
    if fields.has("FMAS\0\0\0\0", at: 0) { return .location("vantrue-fmas", [vantrue(fields)]) }
    guard EncipheredText.isAmbarella(fields) else { return nil }
    return .location("ambarella-text", [EncipheredText.ambarellaPosition(in: fields)])
  }

  /// `RVMI`: `gReV` with latitude and longitude in millionths of a degree, `sReV` with acceleration.
  static func examineRVMI(_ sample: [UInt8]) -> PayloadFinding {
    let fields = RecordFields(sample)
    if fields.has("sReV", at: 0) { return PayloadFinding(kind: "rvmi", disclosure: .motion) }
    guard fields.has("gReV", at: 0) else { return PayloadFinding(kind: "rvmi", disclosure: .opaque) }
    return .location("rvmi", [fields.position(.little(unitsPerDegree: 1e6), at: 4, 8)])
  }

  /// Kingslim D4: `A`, `N` or `S`, `E` or `W` at 24. Its numbers are under an unpublished cipher.
  private static func isKingslim(_ fields: RecordFields) -> Bool {
    fields.has("\0\0\0A", at: 21) && fields.northSouth(at: 25) != nil && fields.eastWest(at: 26) != nil
  }

  /// Vantrue N2S: from 120 `A`, the hemispheres, longitude and latitude as degrees and minutes of one byte each and
  /// 6000ths of a minute in 16 bits; a zero stands inside the longitude.
  private static func vantrue(_ fields: RecordFields) -> GeoPosition? {
    guard fields.has("SAMM", at: 80), fields.has("A", at: 120), let east = fields.eastWest(at: 121),
      let north = fields.northSouth(at: 122), let longitudeDegrees = fields.byte(at: 123),
      let longitudeMinutes = fields.byte(at: 124), let longitudeRest = fields.little(UInt16.self, at: 126),
      let latitudeDegrees = fields.byte(at: 128), let latitudeMinutes = fields.byte(at: 129),
      let latitudeRest = fields.little(UInt16.self, at: 130)
    else { return nil }
    return GeoPosition(
      latitude: Double(latitudeDegrees) + (Double(latitudeMinutes) + Double(latitudeRest) / 6000) / 60, north,
      longitude: Double(longitudeDegrees) + (Double(longitudeMinutes) + Double(longitudeRest) / 6000) / 60, east)
  }
}
