internal import ClipModel

/// Positions that cameras write into text tracks and boxes under a simple cipher.
enum EncipheredText {
  /// Ambarella's A12 and its relatives (Azdome, EEEkit, BlueSkySea, Lamax, Rove): every byte is combined with 0xAA;
  /// at 8 the date, at 38 `N48515873E002197769`: degrees, and minutes in ten-thousandths.
  /// - Parameter start: Where the block begins in the bytes, the mark `XKZD` (or four zeros) two bytes behind it.
  static func ambarellaPosition(in fields: RecordFields, at start: Int = 0) -> GeoPosition? {
    let clear = RecordFields((fields.bytes(at: start, count: 57) ?? []).map { $0 ^ 0xAA })
    return clear.position(.digits, at: 39, 48, letters: (38, 47))
  }

  /// Whether such a block begins here: the mark, or four zeros for it, then `FE FE`.
  static func isAmbarella(_ fields: RecordFields, at start: Int = 0) -> Bool {
    let hasMark = fields.has([0xF2, 0xE1, 0xF0, 0xEE], at: start + 2) || fields.has([0xAA, 0xAA], at: start + 4)
    return hasMark && fields.has([0x54, 0x54], at: start + 6)
  }

  /// E-PRANCE: text between a zero and a line feed, each byte moved by the same amount; the fourth byte from the end
  /// is the `*` of an NMEA check sum.
  static func ePrance(_ sample: [UInt8]) -> [UInt8]? {
    guard sample.count > 5, sample.first == 0, sample.last == 0x0A, let star = sample.dropLast(3).last else {
      return nil
    }
    let shift = UInt8(ascii: "*") &- star
    let clear = sample.dropFirst().dropLast().map { $0 &+ shift }
    return RecordFields(clear).offset(of: "RMC,") == nil ? nil : clear
  }

  /// Roadhawk: text with each character replaced by one of this table, `*HH~` at the end.
  static func roadhawk(_ sample: [UInt8]) -> [UInt8]? {
    let table = Array("-I8XQWRVNZOYPUTA0B1C2SJ9K.L,M$D3E4F5G6H7".utf8)
    guard sample.count > 4, sample.last == UInt8(ascii: "~"), sample.dropLast(3).last == UInt8(ascii: "*") else {
      return nil
    }
    let clear = sample.dropLast(4).map { byte in
      let index = Int(byte) - 43
      return table.indices.contains(index) ? table[index] : byte
    }
    return RecordFields(clear).offset(of: "RMC,") == nil ? nil : clear
  }
}

extension RecordFields {
  /// A number of a fixed count of decimal digits.
  func digits(at offset: Int, count: Int) -> Int? {
    guard count <= 18, let text = bytes(at: offset, count: count) else { return nil }
    var value = 0
    for byte in text {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return value
  }
}
