internal import ClipModel

extension GeoPosition {
  /// Creates a position from numbers in the DDDMM.MMMM format of GPS receivers. Negative numbers are south and west.
  init?(degreesMinutes latitude: Double, _ longitude: Double) {
    func convertToDegrees(_ value: Double) -> Double {
      let whole = (value / 100).rounded(.towardZero)
      return whole + (value - whole * 100) / 60
    }
    self.init(latitude: convertToDegrees(latitude), longitude: convertToDegrees(longitude))
  }

  /// Creates a position from unsigned degrees and hemispheres.
  init?(latitude: Double, _ northSouth: Hemisphere, longitude: Double, _ eastWest: Hemisphere) {
    self.init(latitude: abs(latitude) * northSouth.sign, longitude: abs(longitude) * eastWest.sign)
  }
}

/// The hemisphere of a coordinate: the letter N, S, E or W.
struct Hemisphere {
  enum Axis { case latitude, longitude }

  let axis: Axis
  /// The sign of coordinates: 1 for north and east, -1 for south and west.
  let sign: Double

  init?(_ letter: UInt8?) {
    switch letter {
    case UInt8(ascii: "N"): (axis, sign) = (.latitude, 1)
    case UInt8(ascii: "S"): (axis, sign) = (.latitude, -1)
    case UInt8(ascii: "E"): (axis, sign) = (.longitude, 1)
    case UInt8(ascii: "W"): (axis, sign) = (.longitude, -1)
    default: return nil
    }
  }

  static func latitudeHemisphere(_ letter: UInt8?) -> Hemisphere? {
    Hemisphere(letter).flatMap { $0.axis == .latitude ? $0 : nil }
  }

  /// Insta360 cameras that are set to French write O for west.
  static func longitudeHemisphere(_ letter: UInt8?) -> Hemisphere? {
    Hemisphere(letter == UInt8(ascii: "O") ? UInt8(ascii: "W") : letter)
      .flatMap { $0.axis == .longitude ? $0 : nil }
  }
}
