/// Finds positions in bytes of unknown form: text of a position, Exif with a GPS directory, XMP, receivers' sentences.
///
/// It has to be sure enough not to cry at every film: a form counts only with the shape of a coordinate.
public enum TextPositions {
  /// - Returns: `nil` when there is nothing like a position in it. Its kind is one of `iso6709-text`, `exif-gps`,
  ///   `xmp-gps`, `gopro-gpmf`, `nmea-text`, `position-text` and `xmp-place`; a trace without positions means that there
  ///   is a place for one, and no fix or nothing that can be read.
  public static func examine(_ bytes: [UInt8]) -> PayloadFinding? {
    var scan = PositionScan(bytes)
    scan.run()
    if let finding = scan.finding { return finding }
    let pairs = UnlabeledPairs.trace(in: bytes)
    return pairs.isEmpty ? nil : .location("position-text", pairs)
  }

  /// Where `examine` found something; not more than a few hundred places at once.
  static func ranges(in bytes: [UInt8]) -> [Range<Int>] {
    var scan = PositionScan(bytes)
    scan.run()
    return scan.ranges.isEmpty ? UnlabeledPairs.ranges(in: bytes) : scan.ranges
  }
}
