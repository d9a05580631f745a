internal import ClipModel

/// Positions that cameras write into text tracks and boxes under a simple cipher.
enum ObfuscatedText {
  /// Ambarella's A12 and related cameras (Azdome, EEEkit, BlueSkySea, Lamax, Rove): every byte is XORed with 0xAA. The
  /// date is at 8, and `N48515873E002197769` at 38: degrees, and minutes in ten-thousandths.
  /// - Parameter start: the offset of the block. The signature `XKZD` (or four zeros) follows two bytes later.
  static func ambarellaPosition(in fields: RecordFields, at start: Int = 0) -> GeoPosition? {
    let text = RecordFields((fields.bytes(at: start, count: 57) ?? []).map { $0 ^ 0xAA })
    return text.position(.digits, at: 39, 48, letters: (38, 47))
  }

  /// Whether such a block starts here: the signature or four zeros, then `FE FE`.
  static func isAmbarella(_ fields: RecordFields, at start: Int = 0) -> Bool {
    let hasMark = fields.has([0xF2, 0xE1, 0xF0, 0xEE], at: start + 2) || fields.has([0xAA, 0xAA], at: start + 4)
    return hasMark && fields.has([0x54, 0x54], at: start + 6)
  }

  /// E-PRANCE: text between a zero and a line feed, each byte shifted by the same amount. The fourth byte from the end
  /// is the `*` of an NMEA checksum.
  static func ePrance(_ sample: [UInt8]) -> [UInt8]? {
    guard sample.count > 5, sample.first == 0, sample.last == 0x0A, let star = sample.dropLast(3).last else {
      return nil
    }
    let shift = UInt8(ascii: "*") &- star
    return sentence(sample.dropFirst().dropLast().map { $0 &+ shift })
  }

  /// Roadhawk: text with each character substituted by this table, and `*HH~` at the end.
  static func roadhawk(_ sample: [UInt8]) -> [UInt8]? {
    let table = Array("-I8XQWRVNZOYPUTA0B1C2SJ9K.L,M$D3E4F5G6H7".utf8)
    guard sample.count > 4, sample.last == UInt8(ascii: "~"), sample.dropLast(3).last == UInt8(ascii: "*") else {
      return nil
    }
    return sentence(
      sample.dropLast(4).map { byte in
        let index = Int(byte) - 43
        return table.indices.contains(index) ? table[index] : byte
      })
  }

  private static func sentence(_ text: [UInt8]) -> [UInt8]? {
    RecordFields(text).offset(of: "RMC,") == nil ? nil : text
  }
}
