internal import ClipModel

/// Two consecutive coordinates in text.
struct CoordinatePair {
  /// The position; `nil` if the coordinates are 0, 0, which means that there is no fix.
  var position: GeoPosition?
  /// The resolution of the less precise coordinate, in degrees.
  var resolution: Double
  /// Whether both coordinates have a hemisphere letter.
  var hasAxes: Bool
  /// Whether the pair is precise to an arc second or four decimals, unlike most numbers that aren't coordinates.
  var isFine: Bool { resolution < 3e-4 }
  var end: Int

  /// Reads two coordinates.
  /// - Parameter longitudeFirst: the order of coordinates that have no hemisphere letters. If the values are impossible
  ///   in this order, the order is reversed.
  init?(_ text: TextBytes, at start: Int, longitudeFirst: Bool = false) {
    guard let first = AngleText(text, at: start) else { return nil }
    var next = text.skip(" ,;/|\t", from: first.end, atMost: 4)
    if next == first.end, text.matchesIgnoringCase("%2c", at: next) { next &+= 3 }
    guard next > first.end, let second = AngleText(text, at: next) else { return nil }
    if let axis = first.axis, axis == second.axis { return nil }
    hasAxes = first.axis != nil && second.axis != nil
    resolution = max(first.resolution, second.resolution)
    end = second.end
    let isReversed =
      if first.axis == nil, second.axis == nil {
        longitudeFirst ? abs(second.degrees) <= 90 : abs(first.degrees) > 90
      } else {
        first.axis == .longitude || second.axis == .latitude
      }
    let (latitude, longitude) = isReversed ? (second.degrees, first.degrees) : (first.degrees, second.degrees)
    guard abs(latitude) <= 90 else { return nil }
    position = GeoPosition(latitude: latitude, longitude: longitude)
  }
}
