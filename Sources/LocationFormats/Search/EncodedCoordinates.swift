internal import ClipModel

/// Known positions as pairs of binary numbers.
struct EncodedCoordinates: Sendable {
  /// How far a coordinate may be from the known one: less than a metre.
  private static let tolerance = 5e-6
  /// Bytes between the two halves of a position.
  private static let pairDistance = 64
  /// More than the width of any anchor.
  private static let widestAnchor: UInt32 = 256

  private enum Form: String, CaseIterable {
    private var tolerance: Double { EncodedCoordinates.tolerance }

    /// Units of 1e-7 degrees: GoPro, u-blox receivers, Insta360.
    case int32e7 = "gopro-int32"
    case int32e6 = "int32-e6"
    case int32e5 = "int32-e5"
    /// 2^31 are 180 degrees.
    case semicircles = "garmin-semicircles"
    /// 16.16 bits (`loci`).
    case fixed = "3gpp-fixed"
    case float32
    case float64
    case radians = "radians-float64"
    /// Degrees times 100 plus minutes, as in NMEA, without a sign.
    case minutesFloat = "novatek-float"
    case minutesDouble = "novatek-double"

    var isDouble: Bool { self == .float64 || self == .radians || self == .minutesDouble }

    /// The values that a coordinate has in this form: where letters can tell the side there is no sign.
    func values(of degrees: Double) -> [Double] {
      switch self {
      case .int32e7: [degrees * 1e7]
      case .int32e6: [degrees * 1e6]
      case .int32e5: [degrees * 1e5]
      case .semicircles: [degrees / 180 * 0x8000_0000]
      // Whole numbers are the format's own: 1 in matrices and rates, 72 in resolutions.
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

    /// The words that stand for a value and its neighbours; of doubles, the half with the exponent.
    func words(of value: Double) -> ClosedRange<UInt32> {
      switch self {
      case .int32e7: integers(value, reach: tolerance * 1e7)
      case .int32e6: integers(value, reach: tolerance * 1e6)
      case .int32e5: integers(value, reach: 1)
      case .semicircles: integers(value, reach: tolerance / 180 * 0x8000_0000)
      case .fixed: integers(value, reach: 1)
      case .float32, .minutesFloat: around(Float(value).bitPattern, reach: 2)
      case .float64, .radians, .minutesDouble:
        around(UInt32(truncatingIfNeeded: value.bitPattern >> 32), reach: 1)
      }
    }

    private func integers(_ value: Double, reach: Double) -> ClosedRange<UInt32> {
      let middle = Int32(clamping: Int64(value.rounded()))
      return around(UInt32(bitPattern: middle), reach: UInt32(reach.rounded()))
    }

    /// A coordinate of almost 0 keeps its one side: a range must not run from the last word to the first.
    private func around(_ word: UInt32, reach: UInt32) -> ClosedRange<UInt32> {
      let low = word.subtractingReportingOverflow(reach)
      let high = word.addingReportingOverflow(reach)
      return (low.overflow ? 0 : low.partialValue)...(high.overflow ? .max : high.partialValue)
    }

    /// How far a double may be from the value in this form.
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

  /// One position in one form. The half that is not almost 0 is looked for first: zeros are everywhere.
  private struct Pair {
    var form: Form
    var anchor: ClosedRange<UInt32>
    var other: ClosedRange<UInt32>
    var anchorValue: Double
    var otherValue: Double
  }

  /// By the lower bounds of their anchors.
  private let pairs: [Pair]
  /// A bit for each upper half of a word that an anchor can have.
  private let upperHalves: [UInt64]

  init(_ positions: [GeoPosition]) {
    var pairs: [Pair] = []
    for position in positions {
      let isTurned = abs(position.latitude) < 0.01
      let (anchor, other) =
        isTurned ? (position.longitude, position.latitude) : (position.latitude, position.longitude)
      // Noise of a receiver without a fix: all zeros would match.
      if abs(anchor) < 0.01 { continue }
      for form in Form.allCases {
        for anchorValue in form.values(of: anchor) {
          for otherValue in form.values(of: other) {
            pairs.append(
              Pair(
                form: form, anchor: form.words(of: anchorValue), other: form.words(of: otherValue),
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

  /// A pair one half of which stands there, in either byte order.
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
    // The first pair that begins behind the word; those in front of it can hold it.
    var (low, high) = (0, pairs.count)
    while low < high {
      let middle = (low + high) / 2
      if pairs[middle].anchor.lowerBound <= word { low = middle + 1 } else { high = middle }
    }
    for pair in pairs[..<low].reversed() {
      if word - pair.anchor.lowerBound > Self.widestAnchor { break }
      budget.left -= 1
      guard pair.anchor.contains(word),
        isWhole(pair.form, pair.anchorValue, in: text, at: index, isLittle: isLittle)
      else { continue }
      if let other = offset(ofOther: pair, in: text, near: index, isLittle: isLittle) {
        // Of a double in little endian, the half with the exponent stands behind.
        let start = min(index, other) - (pair.form.isDouble && isLittle ? 4 : 0)
        let end = max(index, other) + (pair.form.isDouble && !isLittle ? 8 : 4)
        return CoordinateSearch.Match(range: start..<end, form: pair.form.rawValue)
      }
      budget.left -= 2 * Self.pairDistance
      if budget.left < 0 { break }
    }
    return nil
  }

  private func offset(ofOther pair: Pair, in text: TextBytes, near index: Int, isLittle: Bool) -> Int? {
    let size = pair.form.isDouble ? 8 : 4
    for distance in size...Self.pairDistance {
      for offset in [index &+ distance, index &- distance] {
        if let word = text.word(at: offset, isLittle: isLittle), pair.other.contains(word),
          isWhole(pair.form, pair.otherValue, in: text, at: offset, isLittle: isLittle)
        {
          return offset
        }
      }
    }
    return nil
  }

  /// Whether the other half of a double fits too.
  private func isWhole(_ form: Form, _ value: Double, in text: TextBytes, at index: Int, isLittle: Bool) -> Bool {
    guard form.isDouble else { return true }
    guard let upper = text.word(at: index, isLittle: isLittle),
      let lower = text.word(at: isLittle ? index &- 4 : index &+ 4, isLittle: isLittle)
    else { return false }
    return form.isNear(Double(bitPattern: UInt64(upper) << 32 | UInt64(lower)), value)
  }
}
