public import ClipModel

/// Searches any bytes for positions. Audits use it, and so does the verification of a written copy.
///
/// Text, NMEA sentences, Exif, XMP and raw GoPro streams are recognized by their format. A pair of binary numbers could
/// be anything, so it is found only if it repeats a known position.
public struct PositionSearch: Sendable {
  /// A search without known positions.
  public static let generic = PositionSearch(known: [])

  /// The kind of a finding that only repeats a known position.
  public static let repetitionKind = "known-position"

  /// The maximum number of positions. More positions would need more memory and cause false matches, and most positions
  /// in a recording are close together.
  private static let knownLimit = 4096
  /// The minimum distance of a position from 0° 0°, in degrees. The coarsest binary encoding has steps of 1.5e-5
  /// degrees.
  private static let smallestDegrees = 1e-4
  /// The maximum number of rounds in `ranges`. Only damaged or malicious data needs more.
  private static let roundLimit = 256

  private let known: CoordinateSearch?

  /// - Parameter positions: positions to search for in every encoding; the first 4096 distinct ones are used.
  public init(known positions: [GeoPosition]) {
    var seen: Set<GeoPosition> = []
    // Zeros encode a position at 0° 0° in every binary encoding. Headers are full of them, and blanking can't remove
    // them.
    let distinct = positions.filter { position in
      max(abs(position.latitude), abs(position.longitude)) >= Self.smallestDegrees && seen.insert(position).inserted
    }
    known = distinct.isEmpty ? nil : CoordinateSearch(Array(distinct.prefix(Self.knownLimit)))
  }

  /// Examines bytes for positions.
  /// - Returns: `nil` if there is no position; a finding of kind `repetitionKind` if the bytes only repeat a known
  ///   position in an encoding that is not recognized otherwise.
  public func examine(_ bytes: [UInt8]) -> PayloadFinding? {
    if let finding = TextPositions.examine(bytes) { return finding }
    return known?.firstMatch(in: bytes) == nil ? nil : .location(Self.repetitionKind)
  }

  /// The ranges to overwrite with zeros so that `examine` finds nothing; `nil` if there are none.
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

  /// Returns the bytes with every position overwritten with zeros; `nil` if there is none.
  public func blanked(_ bytes: [UInt8]) -> [UInt8]? {
    guard let ranges = ranges(in: bytes) else { return nil }
    var bytes = bytes
    for index in ranges.joined() { bytes[index] = 0 }
    return bytes
  }
}
