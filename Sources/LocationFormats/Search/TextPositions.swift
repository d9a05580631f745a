/// Finds positions in bytes of unknown format: in text, Exif GPS directories, XMP and NMEA sentences.
///
/// A match must have the format of a coordinate, so that ordinary video data doesn't cause false positives.
public enum TextPositions {
  /// Searches bytes for positions.
  /// - Returns: the finding; `nil` if nothing looks like a position. The kind is one of `iso6709-text`, `exif-gps`,
  ///   `xmp-gps`, `gopro-gpmf`, `nmea-text`, `position-text` and `xmp-place`. If the trace is empty, a position format
  ///   is present, but there is no fix or the value is unreadable.
  public static func examine(_ bytes: [UInt8]) -> PayloadFinding? {
    if let finding = PositionScan(bytes).finding { return finding }
    let pairs = UnlabeledPairs.findPairs(in: bytes)
    return pairs.isEmpty ? nil : .location("position-text", PositionTrace(pairs.map(\.position)))
  }

  /// Returns the byte ranges that `examine` matches, at most a few hundred.
  static func ranges(in bytes: [UInt8]) -> [Range<Int>] {
    let ranges = PositionScan(bytes).ranges
    return ranges.isEmpty ? UnlabeledPairs.findPairs(in: bytes).map(\.line) : ranges
  }
}
