internal import ClipModel

/// Samples of text and subtitle tracks: cameras write positions into them, as text, under a cipher, or as structures.
enum TextTrack {
  static func examine(_ sample: [UInt8]) -> PayloadFinding {
    if let found = garmin(sample) { return found }
    // The length in front can look like a letter of the first word.
    for text in [withoutLength(sample), sample] {
      if let found = TextPositions.examine(text) { return found }
      let fields = RecordFields(text)
      if EncipheredText.isAmbarella(fields) {
        var trace = PositionTrace()
        if let position = EncipheredText.ambarellaPosition(in: fields) { trace.add(position) }
        return PayloadFinding(kind: "ambarella-text", disclosure: .location, trace: trace)
      }
      if let clear = EncipheredText.ePrance(text) { return sentence(clear, kind: "eprance-text") }
      if let clear = EncipheredText.roadhawk(text) { return sentence(clear, kind: "roadhawk-text") }
    }
    return PayloadFinding(kind: "text", disclosure: .harmless)
  }

  private static func sentence(_ clear: [UInt8], kind: String) -> PayloadFinding {
    PayloadFinding(
      kind: kind, disclosure: .location, trace: TextPositions.examine(clear)?.trace ?? PositionTrace())
  }

  /// Without the length of 16 bits in front of the text, and the boxes of style behind it.
  private static func withoutLength(_ sample: [UInt8]) -> [UInt8] {
    guard let length = RecordFields(sample).big(UInt16.self, at: 0), Int(length) <= sample.count - 2 else { return [] }
    return Array(sample.dropFirst(2).prefix(Int(length)))
  }

  /// Garmin's dash cams: `PNDM`, at 12 latitude and longitude in units of 180 degrees / 2³¹, big-endian; sometimes with
  /// lengths of two and four bytes in front.
  private static func garmin(_ sample: [UInt8]) -> PayloadFinding? {
    let whole = RecordFields(sample)
    guard let start = [0, 2, 4, 6].first(where: { whole.has("PNDM", at: $0) }) else { return nil }
    var trace = PositionTrace()
    if let latitude = whole.big(Int32.self, at: start + 12), let longitude = whole.big(Int32.self, at: start + 16),
      let position = GeoPosition(semicircles: latitude, longitude)
    {
      trace.add(position)
    }
    return PayloadFinding(kind: "garmin-pndm", disclosure: .location, trace: trace)
  }
}

extension GeoPosition {
  /// Garmin's unit: half a circle is 2³¹.
  init?(semicircles latitude: Int32, _ longitude: Int32) {
    let unit = 180 / 2_147_483_648.0
    self.init(latitude: Double(latitude) * unit, longitude: Double(longitude) * unit)
  }
}
