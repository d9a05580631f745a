public import ClipModel

/// Searches any bytes for known positions in every encoding that cameras use. The stripper uses this search to verify
/// its output.
///
/// The search takes a single pass. At each byte, a bit table determines whether part of a position can start there.
///
/// Binary numbers match only in pairs: the latitude and longitude must be within 64 bytes of each other, and each must
/// be within half of 1e-5 degrees or the two nearest floating-point numbers. The encodings with the widest ranges match
/// 121 of the 2^32 words (semicircles) and 101 words (1e-7 degrees). With 128 offsets for the other number, both byte
/// orders and 64 positions, the probability of a match per byte of random data is 2 × 64 × 128 × (121² + 101² + …) /
/// 2^64 = 2e-11, which is one match in 50 GB.
public struct CoordinateSearch: Sendable {
  /// A match: a known position found in the searched bytes, and its encoding.
  public struct Match: Equatable, Sendable {
    /// The index of the first byte of the match.
    public var offset: Int { range.lowerBound }
    /// The byte range of the match, including any bytes between its two numbers.
    public var range: Range<Int>
    /// The name of the encoding: `iso6709`, `degrees-text`, `minutes-text` (also NMEA), `dms-text`, `degrees-e7-text`,
    /// `gopro-int32` (1e-7 degrees), `int32-e6`, `int32-e5`, `float32`, `float64`, `radians-float64`, `novatek-float`,
    /// `novatek-double`, `3gpp-fixed`, `garmin-semicircles`, `exif-rationals`; or `too-many-halves` if the search
    /// stopped because there were too many candidates.
    public var form: String
  }

  private let text: TextCoordinates
  private let binary: BinaryCoordinates

  /// Creates a search for known positions.
  /// - Parameter positions: the positions to search for. Duplicates are ignored.
  public init(_ positions: [GeoPosition]) {
    let distinct = Array(Set(positions))
    text = TextCoordinates(distinct)
    binary = BinaryCoordinates(distinct)
  }

  /// Searches the bytes for all positions in all encodings.
  /// - Returns: the first match; `nil` if the bytes contain none of the positions.
  public func firstMatch(in bytes: [UInt8]) -> Match? {
    let content = TextBytes(bytes)
    // Only bytes that are crafted to slow down the search exhaust the budget, so they count as a match.
    var budget = Budget(left: (1 << 20) &+ 64 &* bytes.count)
    var previous: [TextCoordinates.NumberValue] = []
    var wideEnd = 0
    for index in bytes.indices {
      let byte = bytes[index]
      if let match = binary.match(in: content, at: index, budget: &budget) { return match }
      if byte &- UInt8(ascii: "0") < 10 {
        if let match = text.match(in: content, at: index, after: &previous, budget: &budget) { return match }
      } else if byte == 1 {
        if let match = text.matchRationals(in: content, at: index, budget: &budget) { return match }
      } else if byte == 0, index >= wideEnd, content[index &+ 1] != 0, let wide = content.utf16Text(around: index) {
        if let match = text.firstMatch(in: wide.text, budget: &budget) {
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

  /// The number of comparisons that a search may still make.
  struct Budget {
    var left: Int
  }
}
