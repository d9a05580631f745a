/// Reads samples of text and subtitle tracks. Cameras write positions into them as plain text, obfuscated text, or
/// binary structures.
enum TextTrack {
  static func examine(_ sample: [UInt8]) -> PayloadFinding {
    if let found = garmin(sample) { return found }
    // The length prefix can look like a letter of the first word.
    for text in [withoutLength(sample), sample] {
      if let found = TextPositions.examine(text) { return found }
      let fields = RecordFields(text)
      if ObfuscatedText.isAmbarella(fields) {
        return .location("ambarella-text", [ObfuscatedText.ambarellaPosition(in: fields)])
      }
      if let sentence = ObfuscatedText.ePrance(text) { return finding("eprance-text", sentence) }
      if let sentence = ObfuscatedText.roadhawk(text) { return finding("roadhawk-text", sentence) }
    }
    return PayloadFinding(kind: "text", disclosure: .harmless)
  }

  private static func finding(_ kind: String, _ sentence: [UInt8]) -> PayloadFinding {
    .location(kind, TextPositions.examine(sentence)?.trace ?? [])
  }

  /// The text without its 16-bit length prefix and the style boxes after it.
  private static func withoutLength(_ sample: [UInt8]) -> [UInt8] {
    guard let length = RecordFields(sample).big(UInt16.self, at: 0), Int(length) <= sample.count - 2 else { return [] }
    return Array(sample.dropFirst(2).prefix(Int(length)))
  }

  /// Garmin's dash cams: `PNDM`, with big-endian latitude and longitude at 12, in units of 180 degrees / 2³¹. A length
  /// of two or four bytes may precede it.
  private static func garmin(_ sample: [UInt8]) -> PayloadFinding? {
    let whole = RecordFields(sample)
    guard let start = [0, 2, 4, 6].first(where: { whole.has("PNDM", at: $0) }) else { return nil }
    return .location("garmin-pndm", [whole.position(.semicircles, at: start + 12, start + 16)])
  }
}
