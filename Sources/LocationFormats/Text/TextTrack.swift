/// Samples of text and subtitle tracks: cameras write positions into them, as text, under a cipher, or as structures.
enum TextTrack {
  static func examine(_ sample: [UInt8]) -> PayloadFinding {
    if let found = garmin(sample) { return found }
    // The length in front can look like a letter of the first word.
    for text in [withoutLength(sample), sample] {
      if let found = TextPositions.examine(text) { return found }
      let fields = RecordFields(text)
      if EncipheredText.isAmbarella(fields) {
        return .location("ambarella-text", [EncipheredText.ambarellaPosition(in: fields)])
      }
      if let clear = EncipheredText.ePrance(text) { return sentence(clear, kind: "eprance-text") }
      if let clear = EncipheredText.roadhawk(text) { return sentence(clear, kind: "roadhawk-text") }
    }
    return PayloadFinding(kind: "text", disclosure: .harmless)
  }

  private static func sentence(_ clear: [UInt8], kind: String) -> PayloadFinding {
    .location(kind, TextPositions.examine(clear)?.trace ?? [])
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
    return .location("garmin-pndm", [whole.position(.semicircles, at: start + 12, start + 16)])
  }
}
