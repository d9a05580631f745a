internal import ClipModel

/// The camera's data in AVCHD pictures ("modified digital video pack metadata"): in user data of this UUID, `MDPM`, a
/// count, and entries of a tag and four bytes each, with rising tags.
enum MDPM {
  /// 17ee8c60-f84d-11d9-8cd6-0800200c9a66, of all AVCHD user data.
  static let uuid: [UInt8] = [
    0x17, 0xEE, 0x8C, 0x60, 0xF8, 0x4D, 0x11, 0xD9, 0x8C, 0xD6, 0x08, 0x00, 0x20, 0x0C, 0x9A, 0x66,
  ]
  /// From the version of the GPS data to the date of the fix, which takes three entries.
  private static let locationTags: ClosedRange<UInt8> = 0xB0...0xCC

  /// - Parameter content: What follows `MDPM`. There is always the time of the recording, mostly the camera.
  static func finding(_ content: ArraySlice<UInt8>) -> PayloadFinding {
    var finding = PayloadFinding(kind: "avchd-mdpm", disclosure: .date)
    var values: [UInt8: ArraySlice<UInt8>] = [:]
    var rest = content.dropFirst()
    while let tag = rest.first, rest.count >= 5 {
      let next = rest.dropFirst(5)
      values[tag] = rest.dropFirst().prefix(4)
      rest = next
    }
    guard values.keys.contains(where: locationTags.contains) else { return finding }
    finding.disclosure = .location
    func degrees(_ tags: ClosedRange<UInt8>) -> Double? {
      var (sum, worth) = (0.0, 1.0)
      for tag in tags {
        guard let value = values[tag], let part = rational(value) else { return nil }
        sum += part * worth
        worth /= 60
      }
      return sum
    }
    if let latitude = degrees(0xB2...0xB4), let longitude = degrees(0xB6...0xB8) {
      finding.trace.add(
        GeoPosition(
          latitude: values[0xB1]?.first == UInt8(ascii: "S") ? -latitude : latitude,
          longitude: values[0xB5]?.first == UInt8(ascii: "W") ? -longitude : longitude))
    }
    return finding
  }

  /// Two integers of two bytes; 0/0 is a part that was left out.
  private static func rational(_ bytes: ArraySlice<UInt8>) -> Double? {
    let number = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let (numerator, denominator) = (number >> 16, number & 0xFFFF)
    if denominator == 0 { return numerator == 0 ? 0 : nil }
    return Double(numerator) / Double(denominator)
  }
}
