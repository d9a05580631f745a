public import ClipModel

/// The search for positions in bytes of any kind: of the audit, and of the check of what was written.
///
/// Text, NMEA sentences, Exif, XMP and raw GoPro streams are found without any knowledge. A single binary pair looks
/// like any other two numbers, so binary numbers are found only where they repeat a known position.
public struct PositionSearch: Sendable {
  /// Knows no position.
  public static let blind = PositionSearch(known: [])

  /// The kind of a finding that only repeats a known position.
  public static let repetitionKind = "known-position"

  /// More positions cost memory and false matches, and add nothing: a recording has few of them that are far apart.
  private static let knownLimit = 4096
  /// The coarsest binary form has steps of 1.5e-5 degrees.
  private static let smallestDegrees = 1e-4
  /// Rounds of `blanked`; more are damage or hostile.
  private static let roundLimit = 256

  private let known: CoordinateSearch?

  /// - Parameter positions: what is searched for in every form; the first 4096 distinct ones count.
  public init(known positions: [GeoPosition]) {
    var seen: Set<GeoPosition> = []
    // Zeros repeat a position at 0° 0° in every binary form: headers are full of them, and blanking cannot remove them.
    let distinct = positions.filter { position in
      max(abs(position.latitude), abs(position.longitude)) >= Self.smallestDegrees && seen.insert(position).inserted
    }
    known = distinct.isEmpty ? nil : CoordinateSearch(Array(distinct.prefix(Self.knownLimit)))
  }

  /// What the bytes contain.
  /// - Returns: `nil` when there is no position in them; a finding of kind `repetitionKind` when they repeat a known
  ///   one in a form that is not recognized without it.
  public func examine(_ bytes: [UInt8]) -> PayloadFinding? {
    if let finding = TextPositions.examine(bytes) { return finding }
    guard known?.firstMatch(in: bytes) != nil else { return nil }
    return .location(Self.repetitionKind)
  }

  /// The ranges to overwrite with zeros so that `examine` finds nothing; `nil` when there is nothing.
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

  /// The bytes with zeros in place of every position; `nil` when there is none.
  public func blanked(_ bytes: [UInt8]) -> [UInt8]? {
    guard let ranges = ranges(in: bytes) else { return nil }
    var bytes = bytes
    for index in ranges.joined() { bytes[index] = 0 }
    return bytes
  }
}
