internal import ClipModel

/// Two coordinates beside each other.
struct PositionText {
  /// `nil` for 0, 0: no fix.
  var position: GeoPosition?
  /// Of the coarser one, in degrees.
  var resolution: Double
  /// Both have their letters.
  var hasAxes: Bool
  /// To a second of arc or four decimals: too exact for most numbers that mean something else.
  var isFine: Bool { resolution < 3e-4 }
  var end: Int

  /// - Parameter longitudeFirst: The order when no letter tells it. An order that cannot be is turned round.
  init?(_ text: TextBytes, at start: Int, longitudeFirst: Bool = false) {
    guard let first = AngleText(text, at: start) else { return nil }
    var next = text.skip(" ,;/|\t", from: first.end, atMost: 4)
    if next == first.end, text.hasAnyCase("%2c", at: next) { next &+= 3 }
    guard next > first.end, let second = AngleText(text, at: next) else { return nil }
    switch (first.axis, second.axis) {
    case (.latitude, .latitude), (.longitude, .longitude): return nil
    default: break
    }
    hasAxes = first.axis != nil && second.axis != nil
    resolution = max(first.resolution, second.resolution)
    end = second.end
    let isTurned =
      if first.axis == nil, second.axis == nil {
        longitudeFirst ? abs(second.degrees) <= 90 : abs(first.degrees) > 90
      } else {
        first.axis == .longitude || second.axis == .latitude
      }
    let (latitude, longitude) = isTurned ? (second.degrees, first.degrees) : (first.degrees, second.degrees)
    guard abs(latitude) <= 90 else { return nil }
    position = GeoPosition(latitude: latitude, longitude: longitude)
  }
}
