internal import ClipModel

/// Records of dash cams that nothing announces: no box, chunk or program map names them, so that they have to be known
/// by their own marks. They stand at the beginning of what is not accounted for, of a packet for example.
enum LooseRecords {
  static func examine(_ bytes: [UInt8]) -> PayloadFinding? {
    let fields = RecordFields(bytes)
    if let position = novatek(fields) { return .location("novatek-record", [position]) }
    if fields.has("A", at: 0), let positions = FreeGPSRecords.innovv(fields, from: 0) {
      return .location("innovv-record", PositionTrace(positions))
    }
    return isSealed(fields) ? .location("sealed-record") : DashCamRecords.examineMislabelled(bytes)
  }

  /// Viofo and other cameras with chips of Novatek: what stands in a `freeGPS ` block behind its header, some of them
  /// with 164 bytes of their own in front.
  private static func novatek(_ fields: RecordFields) -> GeoPosition? {
    for start in [0, 164] {
      guard let record = fields.bytes(at: start, count: 36) else { return nil }
      let block = [UInt8](repeating: 0, count: FreeGPSLayout.contentOffset) + record
      if let position = FreeGPSLayout.viofo.position(in: RecordFields(block)) { return position }
    }
    return nil
  }

  /// A fix and the hemispheres in words of four bytes, around numbers under an unpublished cipher.
  private static func isSealed(_ fields: RecordFields) -> Bool {
    fields.count >= 84 && fields.has("A\0\0\0", at: 44)
      && fields.northSouth(at: 52) != nil && fields.has([0, 0, 0], at: 53)
      && fields.eastWest(at: 60) != nil && fields.has([0, 0, 0], at: 61)
  }
}
