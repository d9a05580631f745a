public import ClipModel

/// Searches bytes in any format for positions. Audits use it, and the stripper uses it to verify the copies that it
/// writes.
///
/// Text, NMEA sentences, Exif, XMP and raw GoPro streams are recognized by their format. A pair of binary numbers could
/// be anything, so it only counts as a position if it matches a known one.
public struct PositionSearch: Sendable {
  /// A search that has no known positions.
  public static let generic = PositionSearch(known: [])

  /// The finding kind for bytes that only repeat a known position.
  public static let repetitionKind = "known-position"

  /// The maximum number of known positions. More would need more memory and cause false matches, and most positions in
  /// a recording are close together.
  private static let knownLimit = 4096
  /// The minimum distance of a known position from 0° 0°, in degrees. The coarsest binary encoding has steps of 1.5e-5
  /// degrees.
  private static let smallestDegrees = 1e-4
  /// The maximum number of rounds in `ranges`. Only damaged or malicious data needs more.
  private static let roundLimit = 256

  private let known: CoordinateSearch?

  /// Creates a search for known positions.
  /// - Parameter positions: the positions to search for in every encoding. Only the first 4096 distinct ones are used.
  public init(known positions: [GeoPosition]) {
    var seen: Set<GeoPosition> = []
    // Every binary encoding represents 0° 0° as zeros. Headers are full of zeros, and blanking can't remove them.
    let distinct = positions.filter { position in
      max(abs(position.latitude), abs(position.longitude)) >= Self.smallestDegrees && seen.insert(position).inserted
    }
    known = distinct.isEmpty ? nil : CoordinateSearch(Array(distinct.prefix(Self.knownLimit)))
  }

  /// Searches bytes for positions.
  /// - Returns: the finding; `nil` if there is no position. The kind is `repetitionKind` if the bytes only repeat a
  ///   known position, in an encoding that isn't recognized by its format.
  public func examine(_ bytes: [UInt8]) -> PayloadFinding? {
    if let finding = TextPositions.examine(bytes) { return finding }
    return known?.firstMatch(in: bytes) == nil ? nil : .location(Self.repetitionKind)
  }

  /// Returns the byte ranges to overwrite with zeros so that `examine` finds nothing; `nil` if there are none.
  public func ranges(in original: [UInt8]) -> [Range<Int>]? {
    var bytes = original
    var found: [Range<Int>] = []
    for _ in 0..<Self.roundLimit {
      var hits = TextPositions.ranges(in: bytes)
      if let match = known?.firstMatch(in: bytes) { hits.append(match.range) }
      if hits.isEmpty { return found.isEmpty ? nil : found }
      for hit in hits.map({ $0.clamped(to: 0..<bytes.count) }) {
        for index in hit { bytes[index] = 0 }
        found.append(hit)
      }
    }
    return [0..<original.count]
  }

  /// Returns the bytes with all positions overwritten with zeros; `nil` if there are no positions.
  public func blanked(_ bytes: [UInt8]) -> [UInt8]? {
    guard let ranges = ranges(in: bytes) else { return nil }
    var bytes = bytes
    for index in ranges.joined() { bytes[index] = 0 }
    return bytes
  }
}
