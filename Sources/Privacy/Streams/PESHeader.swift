internal import ISOMedia

/// Reads the header of a PES packet (ISO/IEC 13818-1, 2.4.3.6; ISO/IEC 11172-1, 2.4.3.3).
enum PESHeader {
  /// Returns the size of the header in bytes; 0 if the bytes are not a PES packet.
  static func length(_ bytes: [UInt8]) -> Int {
    guard bytes.count >= 9, bytes.starts(with: [0, 0, 1]) else { return 0 }
    // Program map, padding, private stream 2, ECM, EMM, directory, DSM-CC and H.222.1 type E packets have only a length
    // field.
    if [0xBC, 0xBE, 0xBF, 0xF0, 0xF1, 0xFF, 0xF2, 0xF8].contains(bytes[3]) { return 6 }
    if bytes[6] & 0xC0 == 0x80 { return 9 + Int(bytes[8]) }
    return mpeg1Length(bytes)
  }

  /// Returns the size of an MPEG-1 header, which consists of stuffing, a buffer size, and timestamps of five bytes
  /// each.
  private static func mpeg1Length(_ bytes: [UInt8]) -> Int {
    var cursor = ByteCursor(Array(bytes.dropFirst(6).prefix(64)))
    var byte = cursor.u8()
    while byte == 0xFF { byte = cursor.u8() }
    if let size = byte, size & 0xC0 == 0x40 {
      _ = cursor.skip(1)
      byte = cursor.u8()
    }
    switch (byte ?? 0) & 0xF0 {
    case 0x20: _ = cursor.skip(4)
    case 0x30: _ = cursor.skip(9)
    default: break
    }
    return 6 + cursor.position
  }
}
