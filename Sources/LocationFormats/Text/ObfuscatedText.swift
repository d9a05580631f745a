internal import ClipModel

/// Reads positions that cameras store in text tracks and boxes under a simple cipher.
enum ObfuscatedText {
  /// Reads a block from Ambarella's A12 and related cameras (Azdome, EEEkit, BlueSkySea, Lamax, Rove), in which every
  /// byte is XORed with 0xAA. The date is at offset 8, and `N48515873E002197769` at offset 38: degrees and
  /// ten-thousandths of a minute.
  /// - Parameter start: the offset of the block. The signature `XKZD`, or four zeros, is two bytes after it.
  static func readAmbarellaPosition(in fields: RecordFields, at start: Int = 0) -> GeoPosition? {
    let text = RecordFields((fields.bytes(at: start, count: 57) ?? []).map { $0 ^ 0xAA })
    return text.position(.digits, at: 39, 48, letters: (38, 47))
  }

  /// Whether an Ambarella block starts at an offset: the signature or four zeros, followed by `FE FE`.
  static func isAmbarellaBlock(_ fields: RecordFields, at start: Int = 0) -> Bool {
    let hasMark =
      fields.matches([0xF2, 0xE1, 0xF0, 0xEE], at: start + 2) || fields.matches([0xAA, 0xAA], at: start + 4)
    return hasMark && fields.matches([0x54, 0x54], at: start + 6)
  }

  /// Decodes E-PRANCE text between a zero and a line feed, in which each byte is shifted by the same amount. The fourth
  /// byte from the end is the `*` of an NMEA checksum.
  static func decodeEPranceText(_ sample: [UInt8]) -> [UInt8]? {
    guard sample.count > 5, sample.first == 0, sample.last == 0x0A, let star = sample.dropLast(3).last else {
      return nil
    }
    let shift = UInt8(ascii: "*") &- star
    return extractSentence(sample.dropFirst().dropLast().map { $0 &+ shift })
  }

  /// Decodes Roadhawk text, which ends with `*HH~` and in which each character is substituted according to this table.
  static func decodeRoadhawkText(_ sample: [UInt8]) -> [UInt8]? {
    let table = Array("-I8XQWRVNZOYPUTA0B1C2SJ9K.L,M$D3E4F5G6H7".utf8)
    guard sample.count > 4, sample.last == UInt8(ascii: "~"), sample.dropLast(3).last == UInt8(ascii: "*") else {
      return nil
    }
    return extractSentence(
      sample.dropLast(4).map { byte in
        let index = Int(byte) - 43
        return table.indices.contains(index) ? table[index] : byte
      })
  }

  private static func extractSentence(_ text: [UInt8]) -> [UInt8]? {
    RecordFields(text).offset(of: "RMC,") == nil ? nil : text
  }
}
