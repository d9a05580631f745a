internal import ClipModel

/// Positions as receivers write them: degrees and minutes in one number, and the hemisphere as a letter beside it.
extension GeoPosition {
  /// From numbers of the form DDDMM.MMMM, negative for south and west.
  init?(degreesMinutes latitude: Double, _ longitude: Double) {
    func degrees(_ value: Double) -> Double {
      let whole = (value / 100).rounded(.towardZero)
      return whole + (value - whole * 100) / 60
    }
    self.init(latitude: degrees(latitude), longitude: degrees(longitude))
  }

  /// From degrees without a sign.
  init?(latitude: Double, _ northSouth: Hemisphere, longitude: Double, _ eastWest: Hemisphere) {
    self.init(latitude: abs(latitude) * northSouth.sign, longitude: abs(longitude) * eastWest.sign)
  }
}

/// North or east (1), south or west (-1).
struct Hemisphere {
  let sign: Double

  static func northSouth(_ letter: UInt8?) -> Hemisphere? {
    switch letter {
    case UInt8(ascii: "N"): Hemisphere(sign: 1)
    case UInt8(ascii: "S"): Hemisphere(sign: -1)
    default: nil
    }
  }

  /// Insta360 writes O for the west on cameras set to French.
  static func eastWest(_ letter: UInt8?) -> Hemisphere? {
    switch letter {
    case UInt8(ascii: "E"): Hemisphere(sign: 1)
    case UInt8(ascii: "W"), UInt8(ascii: "O"): Hemisphere(sign: -1)
    default: nil
    }
  }
}

extension RecordFields {
  func northSouth(at offset: Int) -> Hemisphere? { .northSouth(byte(at: offset)) }
  func eastWest(at offset: Int) -> Hemisphere? { .eastWest(byte(at: offset)) }
}
