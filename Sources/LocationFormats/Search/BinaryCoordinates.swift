internal import ClipModel
internal import ISOMedia

/// Searches for known positions that are stored as pairs of binary numbers.
struct BinaryCoordinates: Sendable {
  /// The maximum difference from a known coordinate, in degrees. It is less than a meter on the ground.
  private static let tolerance = 5e-6
  /// The maximum distance between a position's two numbers, in bytes.
  private static let pairDistance = 64
  /// The maximum width of a range of anchor words.
  private static let widestAnchor: UInt32 = 256

  private struct Encoding: Sendable {
    var name: String
    var isDouble = false
    /// The maximum deviation from a value. Only used for doubles.
    var tolerance = BinaryCoordinates.tolerance
    /// The values that can represent a coordinate. Floating-point numbers are also searched for without a sign, because
    /// a separate letter can specify the hemisphere.
    var values: @Sendable (_ degrees: Double) -> [Double] = { $0 < 0 ? [$0, -$0] : [$0] }
    /// The words of a value and its neighbors. For doubles, these are the halves that contain the exponent.
    var words: @Sendable (_ value: Double) -> ClosedRange<UInt32> = {
      makeWordRange(around: Float($0).bitPattern, reach: 2)
    }

    static let all = [
      // GoPro, u-blox and Insta360 use this encoding.
      makeInteger("gopro-int32", unitsPerDegree: 1e7), makeInteger("int32-e6", unitsPerDegree: 1e6),
      makeInteger("int32-e5", unitsPerDegree: 1e5),
      makeInteger("garmin-semicircles", unitsPerDegree: 0x8000_0000 / 180),
      // The `loci` box uses this encoding. Whole numbers are excluded because they are common in containers: 1 in
      // matrices and rates, 72 in resolutions.
      makeInteger("3gpp-fixed", unitsPerDegree: 65536, excludesWholeDegrees: true),
      Encoding(name: "float32"), makeDouble("float64"),
      makeDouble("radians-float64", unitsPerDegree: .pi / 180) { [$0 * .pi / 180] },
      // The values are unsigned, in the form degrees × 100 + minutes, as in NMEA.
      Encoding(name: "novatek-float") { [convertToMinutes(abs($0))] },
      makeDouble("novatek-double", unitsPerDegree: 60) { [convertToMinutes(abs($0))] },
    ]

    private static func makeInteger(
      _ name: String, unitsPerDegree units: Double, excludesWholeDegrees: Bool = false
    ) -> Encoding {
      let reach = UInt32(max(1, (BinaryCoordinates.tolerance * units).rounded()))
      return Encoding(name: name) {
        excludesWholeDegrees && $0 == $0.rounded() ? [] : [$0 * units]
      } words: {
        makeWordRange(around: UInt32(bitPattern: Int32(clamping: Int64($0.rounded()))), reach: reach)
      }
    }

    private static func makeDouble(
      _ name: String, unitsPerDegree units: Double = 1, values: (@Sendable (Double) -> [Double])? = nil
    ) -> Encoding {
      var encoding = Encoding(name: name, isDouble: true, tolerance: BinaryCoordinates.tolerance * units)
      if let values { encoding.values = values }
      encoding.words = { makeWordRange(around: UInt32(truncatingIfNeeded: $0.bitPattern >> 32), reach: 1) }
      return encoding
    }

    private static func convertToMinutes(_ degrees: Double) -> Double {
      let whole = degrees.rounded(.down)
      return whole * 100 + (degrees - whole) * 60
    }

    /// Returns the words within a distance of the given word. The range is clamped, so it doesn't wrap around near 0.
    private static func makeWordRange(around word: UInt32, reach: UInt32) -> ClosedRange<UInt32> {
      (word < reach ? 0 : word - reach)...(word > .max - reach ? .max : word + reach)
    }
  }

  /// A position in one encoding. The anchor is the number that is not close to 0, because zeros are too common.
  private struct EncodedPair {
    var encoding: Encoding
    var anchor: ClosedRange<UInt32>
    var other: ClosedRange<UInt32>
    var anchorValue: Double
    var otherValue: Double
  }

  /// The encoded positions, sorted by the lower bound of the anchor.
  private let pairs: [EncodedPair]
  /// A bit set of all possible upper halves of an anchor word.
  private let upperHalves: [UInt64]

  init(_ positions: [GeoPosition]) {
    var pairs: [EncodedPair] = []
    for position in positions {
      let isSwapped = abs(position.latitude) < 0.01
      let (anchor, other) =
        isSwapped ? (position.longitude, position.latitude) : (position.latitude, position.longitude)
      // Skips positions near 0° 0°, which mean that the receiver had no fix. They would match all zeros.
      if abs(anchor) < 0.01 { continue }
      for encoding in Encoding.all {
        for anchorValue in encoding.values(anchor) {
          for otherValue in encoding.values(other) {
            pairs.append(
              EncodedPair(
                encoding: encoding, anchor: encoding.words(anchorValue), other: encoding.words(otherValue),
                anchorValue: anchorValue, otherValue: otherValue))
          }
        }
      }
    }
    pairs.sort { $0.anchor.lowerBound < $1.anchor.lowerBound }
    var upperHalves = [UInt64](repeating: 0, count: 1024)
    for pair in pairs {
      for half in pair.anchor.lowerBound >> 16...pair.anchor.upperBound >> 16 {
        upperHalves[Int(half >> 6)] |= 1 << UInt64(half & 63)
      }
    }
    self.pairs = pairs
    self.upperHalves = upperHalves
  }

  /// Returns a match if the anchor of a pair is at the index, in either byte order.
  func match(
    in text: TextBytes, at index: Int, budget: inout CoordinateSearch.Budget
  ) -> CoordinateSearch.Match? {
    let big = UInt32(text[index]) << 8 | UInt32(text[index &+ 1])
    let little = UInt32(text[index &+ 3]) << 8 | UInt32(text[index &+ 2])
    if hasAnchor(big), let match = match(in: text, at: index, isLittle: false, budget: &budget) { return match }
    if hasAnchor(little) { return match(in: text, at: index, isLittle: true, budget: &budget) }
    return nil
  }

  private func hasAnchor(_ half: UInt32) -> Bool { upperHalves[Int(half >> 6)] >> UInt64(half & 63) & 1 != 0 }

  private func match(
    in text: TextBytes, at index: Int, isLittle: Bool, budget: inout CoordinateSearch.Budget
  ) -> CoordinateSearch.Match? {
    guard let word = text.word(at: index, isLittle: isLittle) else { return nil }
    // Only a pair whose lower bound is at or below the word can contain it.
    let end = pairs.partitioningIndex { $0.anchor.lowerBound > word }
    for pair in pairs[..<end].reversed() {
      if word - pair.anchor.lowerBound > Self.widestAnchor { break }
      budget.left -= 1
      guard pair.anchor.contains(word),
        matchesCompleteValue(pair.encoding, pair.anchorValue, in: text, at: index, isLittle: isLittle)
      else { continue }
      if let other = findOffset(ofOther: pair, in: text, near: index, isLittle: isLittle) {
        // In a little-endian double, the second half contains the exponent.
        let start = min(index, other) - (pair.encoding.isDouble && isLittle ? 4 : 0)
        let end = max(index, other) + (pair.encoding.isDouble && !isLittle ? 8 : 4)
        return CoordinateSearch.Match(range: start..<end, form: pair.encoding.name)
      }
      budget.left -= 2 * Self.pairDistance
      if budget.left < 0 { break }
    }
    return nil
  }

  private func findOffset(ofOther pair: EncodedPair, in text: TextBytes, near index: Int, isLittle: Bool) -> Int? {
    let size = pair.encoding.isDouble ? 8 : 4
    for distance in size...Self.pairDistance {
      for offset in [index &+ distance, index &- distance] {
        if let word = text.word(at: offset, isLittle: isLittle), pair.other.contains(word),
          matchesCompleteValue(pair.encoding, pair.otherValue, in: text, at: offset, isLittle: isLittle)
        {
          return offset
        }
      }
    }
    return nil
  }

  /// Whether the other half of a double matches too.
  private func matchesCompleteValue(
    _ encoding: Encoding, _ value: Double, in text: TextBytes, at index: Int, isLittle: Bool
  ) -> Bool {
    guard encoding.isDouble else { return true }
    guard let upper = text.word(at: index, isLittle: isLittle),
      let lower = text.word(at: isLittle ? index &- 4 : index &+ 4, isLittle: isLittle)
    else { return false }
    return abs(Double(bitPattern: UInt64(upper) << 32 | UInt64(lower)) - value) <= encoding.tolerance
  }
}
