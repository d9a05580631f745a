internal import ClipModel

/// Recognizes dash cam records by their signatures when no box, chunk or program map declares them. A record must start
/// at the first byte of the unreferenced data, such as a packet.
enum UnreferencedRecords {
  static func examine(_ bytes: [UInt8]) -> PayloadFinding? {
    let fields = RecordFields(bytes)
    if let position = examineNovatekRecord(fields) { return .location("novatek-record", [position]) }
    if fields.matches("A", at: 0), let positions = FreeGPSRecords.readINNOVVRecords(fields, from: 0) {
      return .location("innovv-record", PositionTrace(positions))
    }
    return isEncrypted(fields) ? .location("sealed-record") : DashCamRecords.examineMislabeledSample(bytes)
  }

  /// Checks a Novatek record from Viofo and other cameras: the content of a `freeGPS ` block without its header. Some
  /// cameras write 164 bytes of other data before it.
  private static func examineNovatekRecord(_ fields: RecordFields) -> GeoPosition? {
    for start in [0, 164] {
      guard let record = fields.bytes(at: start, count: 36) else { return nil }
      let block = [UInt8](repeating: 0, count: FreeGPSLayout.contentOffset) + record
      if let position = FreeGPSLayout.viofo.position(in: RecordFields(block)) { return position }
    }
    return nil
  }

  /// Whether the record has a fix and hemispheres in 4-byte words, and its other values are encrypted with an
  /// unpublished cipher.
  private static func isEncrypted(_ fields: RecordFields) -> Bool {
    fields.count >= 84 && fields.matches("A\0\0\0", at: 44)
      && fields.latitudeHemisphere(at: 52) != nil && fields.matches([0, 0, 0], at: 53)
      && fields.longitudeHemisphere(at: 60) != nil && fields.matches([0, 0, 0], at: 61)
  }
}
