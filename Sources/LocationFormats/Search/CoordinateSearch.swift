public import ClipModel

/// Looks for known positions in bytes of any kind, in every form that cameras write them: the proof after a strip.
///
/// One pass: at each byte a table of bits tells whether a number can begin there that belongs to a position.
///
/// Binary numbers count in pairs only, latitude and longitude within 64 bytes, both within half of 1e-5 degrees or the
/// two nearest floating-point numbers. The widest forms take 121 of the 2^32 words (semicircles) and 101 (1e-7 degrees);
/// with 128 places for the other half, both byte orders and 64 positions, a byte of random data matches with a chance of
/// 2 × 64 × 128 × (121² + 101² + …) / 2^64, which is 2e-11: once in 50 GB.
public struct CoordinateSearch: Sendable {
  /// Where a known position was found, and in which form.
  public struct Match: Equatable, Sendable {
    /// Index of its first byte.
    public var offset: Int { range.lowerBound }
    /// Its bytes, and those between its two halves.
    public var range: Range<Int>
    /// `iso6709`, `degrees-text`, `minutes-text` (also NMEA), `dms-text`, `degrees-e7-text`, `gopro-int32` (1e-7
    /// degrees), `int32-e6`, `int32-e5`, `float32`, `float64`, `radians-float64`, `novatek-float`, `novatek-double`, `3gpp-fixed`,
    /// `garmin-semicircles`, `exif-rationals`; `too-many-halves` when it is full of latitudes that are known.
    public var form: String
  }

  private let written: WrittenCoordinates
  private let encoded: EncodedCoordinates

  /// - Parameter positions: those to look for; each counts once.
  public init(_ positions: [GeoPosition]) {
    let distinct = Array(Set(positions))
    written = WrittenCoordinates(distinct)
    encoded = EncodedCoordinates(distinct)
  }

  /// Looks for all positions in all forms at once.
  /// - Returns: `nil` when none of them is there.
  public func firstMatch(in bytes: [UInt8]) -> Match? {
    let text = TextBytes(bytes)
    // What somebody has made to cost much is no accident, and told as a match.
    var budget = Budget(left: (1 << 20) &+ 64 &* bytes.count)
    var reading = WrittenCoordinates.Reading()
    var wideEnd = 0
    for index in bytes.indices {
      let byte = bytes[index]
      if let match = encoded.match(in: text, at: index, budget: &budget) { return match }
      if byte &- UInt8(ascii: "0") < 10 {
        if let match = written.match(in: text, at: index, reading: &reading, budget: &budget) { return match }
      } else if byte == 1 {
        if let match = written.rationals(in: text, at: index, budget: &budget) { return match }
      } else if byte == 0, index >= wideEnd, text[index &+ 1] != 0, let wide = text.wideText(around: index) {
        if let match = written.firstMatch(in: wide.text, budget: &budget) {
          let start = index - 1
          return Match(
            range: start + 2 * match.range.lowerBound..<start + 2 * match.range.upperBound, form: match.form)
        }
        wideEnd = wide.end
      }
      if budget.left < 0 { return Match(range: index..<bytes.count, form: "too-many-halves") }
    }
    return nil
  }

  /// Comparisons that one search may still make.
  struct Budget {
    var left: Int
  }
}
