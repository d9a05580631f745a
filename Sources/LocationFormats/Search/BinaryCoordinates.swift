internal import ClipModel
internal import ISOMedia

/// Known positions as pairs of binary numbers.
struct BinaryCoordinates: Sendable {
  /// The maximum distance of a coordinate from the known one, in degrees: less than a meter.
  private static let tolerance = 5e-6
  /// The maximum distance between the two halves of a position, in bytes.
  private static let pairDistance = 64
  /// Every range of anchor words is narrower.
  private static let widestAnchor: UInt32 = 256

  private enum Encoding: String, CaseIterable {
    private var tolerance: Double { BinaryCoordinates.tolerance }

    /// Units of 1e-7 degrees: GoPro, u-blox receivers, Insta360.
    case int32e7 = "gopro-int32"
    case int32e6 = "int32-e6"
    case int32e5 = "int32-e5"
    /// 2^31 units are 180 degrees.
    case semicircles = "garmin-semicircles"
    /// 16.16 bits (`loci`).
    case fixed = "3gpp-fixed"
    case float32
    case float64
    case radians = "radians-float64"
    /// Degrees times 100 plus minutes, as in NMEA, unsigned.
    case minutesFloat = "novatek-float"
    case minutesDouble = "novatek-double"

    var isDouble: Bool { self == .float64 || self == .radians || self == .minutesDouble }

    /// The values that stand for a coordinate. Floats are also searched unsigned, with the hemisphere as a letter.
    func values(of degrees: Double) -> [Double] {
      switch self {
      case .int32e7: [degrees * 1e7]
      case .int32e6: [degrees * 1e6]
      case .int32e5: [degrees * 1e5]
      case .semicircles: [degrees / 180 * 0x8000_0000]
      // Whole numbers are common in the container: 1 in matrices and rates, 72 in resolutions.
      case .fixed: degrees == degrees.rounded() ? [] : [degrees * 65536]
      case .float32, .float64: degrees < 0 ? [degrees, -degrees] : [degrees]
      case .radians: [degrees * .pi / 180]
      case .minutesFloat, .minutesDouble: [minutes(abs(degrees))]
      }
    }

    private func minutes(_ degrees: Double) -> Double {
      let whole = degrees.rounded(.down)
      return whole * 100 + (degrees - whole) * 60
    }

    /// The words of a value and its neighbors; for doubles, the half with the exponent.
    func words(of value: Double) -> ClosedRange<UInt32> {
      switch self {
      case .int32e7: integers(value, reach: tolerance * 1e7)
      case .int32e6: integers(value, reach: tolerance * 1e6)
      case .int32e5: integers(value, reach: 1)
      case .semicircles: integers(value, reach: tolerance / 180 * 0x8000_0000)
      case .fixed: integers(value, reach: 1)
      case .float32, .minutesFloat: range(around: Float(value).bitPattern, reach: 2)
      case .float64, .radians, .minutesDouble:
        range(around: UInt32(truncatingIfNeeded: value.bitPattern >> 32), reach: 1)
      }
    }

    private func integers(_ value: Double, reach: Double) -> ClosedRange<UInt32> {
      let middle = Int32(clamping: Int64(value.rounded()))
      return range(around: UInt32(bitPattern: middle), reach: UInt32(reach.rounded()))
    }

    /// Clamped, so that the range of a coordinate near 0 does not wrap around.
    private func range(around word: UInt32, reach: UInt32) -> ClosedRange<UInt32> {
      (word < reach ? 0 : word - reach)...(word > .max - reach ? .max : word + reach)
    }

    /// Whether a double is within the tolerance of a value.
    func isNear(_ double: Double, _ value: Double) -> Bool {
      let reach =
        switch self {
        case .radians: tolerance * .pi / 180
        case .minutesDouble: tolerance * 60
        default: tolerance
        }
      return abs(double - value) <= reach
    }
  }

  /// One position in one encoding. The anchor is the half that is not close to 0, because zeros are everywhere.
  private struct Pair {
    var encoding: Encoding
    var anchor: ClosedRange<UInt32>
    var other: ClosedRange<UInt32>
    var anchorValue: Double
    var otherValue: Double
  }

  /// Sorted by the lower bounds of their anchors.
  private let pairs: [Pair]
  /// One bit for each upper half of a word that an anchor can have.
  private let upperHalves: [UInt64]

  init(_ positions: [GeoPosition]) {
    var pairs: [Pair] = []
    for position in positions {
      let isSwapped = abs(position.latitude) < 0.01
      let (anchor, other) =
        isSwapped ? (position.longitude, position.latitude) : (position.latitude, position.longitude)
      // Receiver noise without a fix: all zeros would match.
      if abs(anchor) < 0.01 { continue }
      for encoding in Encoding.allCases {
        for anchorValue in encoding.values(of: anchor) {
          for otherValue in encoding.values(of: other) {
            pairs.append(
              Pair(
                encoding: encoding, anchor: encoding.words(of: anchorValue), other: encoding.words(of: otherValue),
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

  /// A pair with its anchor at the index, in either byte order.
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
    // Only pairs that start at or before the word can contain it.
    let end = pairs.partitioningIndex { $0.anchor.lowerBound > word }
    for pair in pairs[..<end].reversed() {
      if word - pair.anchor.lowerBound > Self.widestAnchor { break }
      budget.left -= 1
      guard pair.anchor.contains(word),
        isWhole(pair.encoding, pair.anchorValue, in: text, at: index, isLittle: isLittle)
      else { continue }
      if let other = offset(ofOther: pair, in: text, near: index, isLittle: isLittle) {
        // The exponent of a little-endian double is in its second half.
        let start = min(index, other) - (pair.encoding.isDouble && isLittle ? 4 : 0)
        let end = max(index, other) + (pair.encoding.isDouble && !isLittle ? 8 : 4)
        return CoordinateSearch.Match(range: start..<end, form: pair.encoding.rawValue)
      }
      budget.left -= 2 * Self.pairDistance
      if budget.left < 0 { break }
    }
    return nil
  }

  private func offset(ofOther pair: Pair, in text: TextBytes, near index: Int, isLittle: Bool) -> Int? {
    let size = pair.encoding.isDouble ? 8 : 4
    for distance in size...Self.pairDistance {
      for offset in [index &+ distance, index &- distance] {
        if let word = text.word(at: offset, isLittle: isLittle), pair.other.contains(word),
          isWhole(pair.encoding, pair.otherValue, in: text, at: offset, isLittle: isLittle)
        {
          return offset
        }
      }
    }
    return nil
  }

  /// Whether the other half of a double matches as well.
  private func isWhole(
    _ encoding: Encoding, _ value: Double, in text: TextBytes, at index: Int, isLittle: Bool
  ) -> Bool {
    guard encoding.isDouble else { return true }
    guard let upper = text.word(at: index, isLittle: isLittle),
      let lower = text.word(at: isLittle ? index &- 4 : index &+ 4, isLittle: isLittle)
    else { return false }
    return encoding.isNear(Double(bitPattern: UInt64(upper) << 32 | UInt64(lower)), value)
  }
}
