/// Checks the samples of text and subtitle tracks, in which cameras store positions as plain text, obfuscated text, or
/// binary structures.
enum TextTrack {
  static func examine(_ sample: [UInt8]) -> PayloadFinding {
    if let found = readGarminPosition(sample) { return found }
    // The length prefix can look like the first letter of a word.
    for text in [removeLengthPrefix(sample), sample] {
      if let found = TextPositions.examine(text) { return found }
      let fields = RecordFields(text)
      if ObfuscatedText.isAmbarellaBlock(fields) {
        return .location("ambarella-text", [ObfuscatedText.readAmbarellaPosition(in: fields)])
      }
      if let sentence = ObfuscatedText.decodeEPranceText(text) { return finding("eprance-text", sentence) }
      if let sentence = ObfuscatedText.decodeRoadhawkText(text) { return finding("roadhawk-text", sentence) }
    }
    return PayloadFinding(kind: "text", disclosure: .harmless)
  }

  private static func finding(_ kind: String, _ sentence: [UInt8]) -> PayloadFinding {
    .location(kind, TextPositions.examine(sentence)?.trace ?? [])
  }

  /// Returns the text without its 16-bit length prefix and the style boxes that follow it.
  private static func removeLengthPrefix(_ sample: [UInt8]) -> [UInt8] {
    guard let length = RecordFields(sample).bigEndian(UInt16.self, at: 0), Int(length) <= sample.count - 2 else {
      return []
    }
    return Array(sample.dropFirst(2).prefix(Int(length)))
  }

  /// Reads a Garmin dash cam's sample: `PNDM`, and the big-endian latitude and longitude at offset 12, in units of 180
  /// / 2³¹ degrees. A length of two or four bytes may precede `PNDM`.
  private static func readGarminPosition(_ sample: [UInt8]) -> PayloadFinding? {
    let whole = RecordFields(sample)
    guard let start = [0, 2, 4, 6].first(where: { whole.matches("PNDM", at: $0) }) else { return nil }
    return .location("garmin-pndm", [whole.position(.semicircles, at: start + 12, start + 16)])
  }
}
