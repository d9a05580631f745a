internal import ClipModel

/// Reads camera data in AVCHD video ("modified digital video pack metadata"): user data with this UUID, `MDPM`, a
/// count, and entries with ascending tags and four bytes each.
enum MDPM {
  /// The UUID of all AVCHD user data.
  static let uuid = [UInt8](hexadecimal: "17EE8C60-F84D-11D9-8CD6-0800200C9A66")
  /// The tags from the GPS data version to the date of the fix, which spans three entries.
  private static let locationTags: ClosedRange<UInt8> = 0xB0...0xCC

  /// Returns a finding for AVCHD camera data.
  /// - Parameter content: the bytes after `MDPM`. The recording time is always present; the camera model usually is.
  static func makeFinding(_ content: ArraySlice<UInt8>) -> PayloadFinding {
    let entries = RecordFields(content.dropFirst())
    var values: [UInt8: RecordFields] = [:]
    for offset in stride(from: 0, to: entries.count, by: 5) {
      guard let tag = entries.byte(at: offset), let value = entries.record(at: offset + 1, count: 4) else { break }
      values[tag] = value
    }
    guard values.keys.contains(where: locationTags.contains) else {
      return PayloadFinding(kind: "avchd-mdpm", disclosure: .date)
    }
    /// Each tag contains one 16-bit fraction.
    func readDegrees(_ tags: ClosedRange<UInt8>) -> Double? {
      RecordFields(tags.flatMap { values[$0]?.bytes ?? [] }).readDegreesFromFractions(UInt16.self, at: 0)
    }
    func isNegative(_ tag: UInt8, _ letter: String) -> Bool { values[tag]?.matches(letter, at: 0) ?? false }
    guard let latitude = readDegrees(0xB2...0xB4), let longitude = readDegrees(0xB6...0xB8) else {
      return .location("avchd-mdpm")
    }
    let position = GeoPosition(
      latitude: isNegative(0xB1, "S") ? -latitude : latitude,
      longitude: isNegative(0xB5, "W") ? -longitude : longitude)
    return .location("avchd-mdpm", [position])
  }
}
