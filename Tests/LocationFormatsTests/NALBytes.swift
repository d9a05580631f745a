/// Builds NAL units without the code under test.
enum NALBytes {
  static let mdpmUUID: [UInt8] = [
    0x17, 0xEE, 0x8C, 0x60, 0xF8, 0x4D, 0x11, 0xD9, 0x8C, 0xD6, 0x08, 0x00, 0x20, 0x0C, 0x9A, 0x66,
  ]
  static let unknownUUID: [UInt8] = (0..<16).map { 0x30 + $0 }

  /// One message with its type and size.
  static func message(_ type: Int, _ payload: [UInt8]) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] { [UInt8](repeating: 0xFF, count: value / 255) + [UInt8(value % 255)] }
    return number(type) + number(payload.count) + payload
  }

  static func unit(header: [UInt8], _ body: [UInt8]) -> [UInt8] {
    var (unit, zeros) = (header, 0)
    for byte in body {
      if zeros >= 2, byte < 4 {
        unit.append(3)
        zeros = 0
      }
      zeros = byte == 0 ? zeros + 1 : 0
      unit.append(byte)
    }
    return unit
  }

  static func sei(hevc: Bool = false, _ messages: [UInt8]...) -> [UInt8] {
    unit(header: hevc ? [39 << 1, 1] : [6], messages.flatMap { $0 } + [0x80])
  }

  static func entry(_ tag: UInt8, _ numerator: UInt16, _ denominator: UInt16) -> [UInt8] {
    [tag] + FormBytes.big(numerator) + FormBytes.big(denominator)
  }

  /// Camera data with 48°8'15" N 11°34'31.8" W.
  static var mdpmWithPosition: [UInt8] {
    let entries: [[UInt8]] = [
      [0x18, 0x02, 0x20, 0x26, 0x07], [0xB0, 2, 3, 0, 0], [0xB1, 0x4E, 0, 0, 0], entry(0xB2, 48, 1), entry(0xB3, 8, 1),
      entry(0xB4, 150, 10), [0xB5, 0x57, 0, 0, 0], entry(0xB6, 11, 1), entry(0xB7, 34, 1), entry(0xB8, 318, 10),
    ]
    return mdpmUUID + Array("MDPM".utf8) + [UInt8(entries.count)] + entries.flatMap { $0 }
  }

  static let mdpmWithoutPosition: [UInt8] = mdpmUUID + Array("MDPM".utf8) + [1, 0x18, 0x02, 0x20, 0x26, 0x07]

  static func lengths(_ units: [[UInt8]], size: Int) -> [UInt8] {
    units.flatMap { unit in FormBytes.big(UInt32(unit.count)).suffix(size) + unit }
  }

  static func startCodes(_ units: [[UInt8]]) -> [UInt8] {
    units.enumerated().flatMap { index, unit in (index == 0 ? [0, 0, 0, 1] : [0, 0, 1]) + unit }
  }
}
