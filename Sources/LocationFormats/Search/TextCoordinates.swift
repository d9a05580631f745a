internal import ClipModel
internal import ISOMedia

/// Searches for known positions in text, at the precision of the text, and in Exif fractions.
struct TextCoordinates: Sendable {
  /// The precision for numbers that have more decimals than the known position. 1e-5 degrees is about one meter.
  private static let leastReach = 1e-5
  /// The minimum resolution for a match with a single number: four decimals of a degree (11 m), three decimals of a
  /// minute, or one decimal of a second.
  private static let singleResolution = 1.001e-4
  /// The minimum resolution for a match with two numbers: three decimals of a degree, or whole seconds.
  private static let pairResolution = 1.001e-3
  /// The minimum value for a match with a single number. Smaller numbers with four decimals are too ambiguous.
  private static let leastSingle = 0.1
  private static let pairDistance = 64

  private struct Coordinate {
    /// The absolute value, because a separate letter can specify the hemisphere.
    var magnitude: Double
    /// The absolute value of the position's other coordinate.
    var other: Double
  }

  /// The coordinates, sorted by absolute value.
  private let coordinates: [Coordinate]

  init(_ positions: [GeoPosition]) {
    coordinates = positions.flatMap {
      let (latitude, longitude) = (abs($0.latitude), abs($0.longitude))
      return [Coordinate(magnitude: latitude, other: longitude), Coordinate(magnitude: longitude, other: latitude)]
    }.sorted { $0.magnitude < $1.magnitude }
  }

  /// Searches bytes that contain only text.
  func firstMatch(in bytes: [UInt8], budget: inout CoordinateSearch.Budget) -> CoordinateSearch.Match? {
    let text = TextBytes(bytes)
    var previous: [NumberValue] = []
    for index in bytes.indices where text.isDigit(at: index) {
      if let match = match(in: text, at: index, after: &previous, budget: &budget) { return match }
    }
    return nil
  }

  /// Compares the number that starts at the index with the known positions.
  /// - Parameter previous: the number before it, which can be the other coordinate.
  func match(
    in text: TextBytes, at start: Int, after previous: inout [NumberValue], budget: inout CoordinateSearch.Budget
  ) -> CoordinateSearch.Match? {
    let before = text[start &- 1]
    if text.isDigit(at: start &- 1) || before == UInt8(ascii: ".") && text.isDigit(at: start &- 2) { return nil }
    let values = readValues(in: text, at: start)
    if values.isEmpty { return nil }
    let others = previous.filter { start - $0.end <= Self.pairDistance }
    previous = values
    for value in values {
      for coordinate in coordinates(near: value.degrees, reach: value.reach) {
        budget.left -= 1
        let matchesAlone = value.matchesAlone && coordinate.magnitude >= Self.leastSingle
        if matchesAlone || others.contains(where: { abs($0.degrees - coordinate.other) <= $0.reach }) {
          return CoordinateSearch.Match(range: start..<value.end, form: value.form)
        }
      }
    }
    return nil
  }

  /// A possible interpretation of a number.
  struct NumberValue {
    var degrees: Double
    var resolution: Double
    var end: Int
    var form: String

    var reach: Double { max(resolution, leastReach) }
    /// An eight-digit integer can also be a date, so it matches only together with the other coordinate.
    var matchesAlone: Bool { resolution <= singleResolution && form != "degrees-e7-text" }
  }

  private func readValues(in text: TextBytes, at start: Int) -> [NumberValue] {
    guard let number = DecimalText(text, at: start, point: ".,") else { return [] }
    if number.fractionDigits == 0, number.integerDigits >= 7 {
      return [NumberValue(degrees: number.value * 1e-7, resolution: 1e-7, end: number.end, form: "degrees-e7-text")]
    }
    var values: [NumberValue] = []
    let isSigned = text[start &- 1] == UInt8(ascii: "+") || text[start &- 1] == UInt8(ascii: "-")
    let isISO = isSigned && "+-/".utf8.contains(text[number.end])
    func addValue(_ degrees: Double, _ resolution: Double, _ end: Int, _ form: String) {
      guard resolution <= Self.pairResolution else { return }
      values.append(NumberValue(degrees: degrees, resolution: resolution, end: end, form: isISO ? "iso6709" : form))
    }
    if number.integerDigits <= 3, let angle = AngleText(text, at: start) {
      addValue(abs(angle.degrees), angle.resolution, angle.end, angle.fractionDigits > 0 ? "degrees-text" : "dms-text")
    }
    // 4808.25 means 48° 8.25', and 480815.0 means 48° 8' 15".
    if (3...5).contains(number.integerDigits) {
      let degrees = (number.value / 100).rounded(.down)
      addValue(degrees + (number.value - 100 * degrees) / 60, number.resolution / 60, number.end, "minutes-text")
    }
    if (5...7).contains(number.integerDigits) {
      let (degrees, minutes) = ((number.value / 10000).rounded(.down), (number.value / 100).rounded(.down))
      let value = degrees + (minutes - 100 * degrees) / 60 + (number.value - 100 * minutes) / 3600
      addValue(value, number.resolution / 3600, number.end, "dms-text")
    }
    return values
  }

  private func coordinates(near value: Double, reach: Double) -> some Sequence<Coordinate> {
    coordinates[coordinates.partitioningIndex { $0.magnitude >= value - reach }...]
      .prefix { $0.magnitude <= value + reach }
  }

  /// Compares two groups of fractions for degrees, minutes and seconds with the known positions. Fractions are found by
  /// their denominator of 1, in either byte order.
  func matchRationals(
    in text: TextBytes, at one: Int, budget: inout CoordinateSearch.Budget
  ) -> CoordinateSearch.Match? {
    // If there are zeros on both sides, both byte orders are possible.
    if text.word(at: one, isLittle: true) == 1,
      let match = matchRationals(in: text, denominator: one, isLittle: true, budget: &budget)
    {
      return match
    }
    guard text.word(at: one &- 3, isLittle: false) == 1 else { return nil }
    return matchRationals(in: text, denominator: one &- 3, isLittle: false, budget: &budget)
  }

  private func matchRationals(
    in text: TextBytes, denominator: Int, isLittle: Bool, budget: inout CoordinateSearch.Budget
  ) -> CoordinateSearch.Match? {
    // The denominator belongs to the degrees, or to the minutes that follow decimal degrees.
    for start in [denominator &- 4, denominator &- 12] {
      guard let value = readDegrees(text, at: start, isLittle: isLittle) else { continue }
      for coordinate in coordinates(near: value, reach: Self.leastReach) where coordinate.magnitude >= Self.leastSingle
      {
        budget.left -= 2 * Self.pairDistance
        if budget.left < 0 { return nil }
        for distance in 24...Self.pairDistance {
          for offset in [start &+ distance, start &- distance] {
            guard let other = readDegrees(text, at: offset, isLittle: isLittle),
              abs(other - coordinate.other) <= Self.leastReach
            else { continue }
            let range = min(start, offset)..<max(start, offset) + 24
            return CoordinateSearch.Match(range: range, form: "exif-rationals")
          }
        }
      }
    }
    return nil
  }

  private func readDegrees(_ text: TextBytes, at start: Int, isLittle: Bool) -> Double? {
    let fields = text.fields
    guard let degrees = fields.rational(at: start, isLittle: isLittle), degrees <= 180,
      let minutes = fields.rational(at: start &+ 8, isLittle: isLittle), minutes < 60,
      let seconds = fields.rational(at: start &+ 16, isLittle: isLittle), seconds < 60
    else { return nil }
    return degrees + minutes / 60 + seconds / 3600
  }
}
