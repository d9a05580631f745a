internal import ClipModel
internal import ISOMedia

/// The location box of 3GPP files (`loci`, TS 26.244, 8.10), which contains a place name and its position.
public enum Loci {
  /// Reads the position in a location box.
  /// - Parameter payload: the payload of the box: version and flags (4 bytes), language (2 bytes), name, role (1 byte),
  ///   longitude, latitude and altitude as 16.16 fixed-point numbers, astronomical body, and notes. Strings are
  ///   null-terminated.
  /// - Returns: the position; an empty trace if the box is damaged or the position is 0, 0.
  public static func trace(_ payload: [UInt8]) -> PositionTrace {
    var cursor = ByteCursor(payload)
    guard cursor.skip(6), skipText(&cursor), cursor.skip(1), let longitude = cursor.u32(), let latitude = cursor.u32()
    else { return [] }
    return [GeoPosition(latitude: convertToDegrees(latitude), longitude: convertToDegrees(longitude))]
  }

  private static func convertToDegrees(_ fixed: UInt32) -> Double { Double(Int32(bitPattern: fixed)) / 65536 }

  /// Skips a UTF-8 string, or a UTF-16 string that starts with a byte order mark.
  private static func skipText(_ cursor: inout ByteCursor) -> Bool {
    var mark = cursor
    let isWide = mark.u16() == 0xFEFF
    while let unit = isWide ? cursor.u16() : cursor.u8().map(UInt16.init) {
      if unit == 0 { return true }
    }
    return false
  }
}
