internal import ClipModel

/// How a record writes the two numbers of a position.
enum PositionForm {
  /// Little-endian floating point: degrees and minutes in one number (4808.25 is 48° 8.25').
  case float, double
  /// Little-endian integers without a sign: thousandths of degrees and minutes in one number.
  case thousandths
  /// Eight digits of latitude and nine of longitude: ten thousandths of degrees and minutes in one number.
  case digits
  /// Little-endian doubles: degrees.
  case doubleDegrees
  /// Big-endian floats: degrees.
  case bigFloatDegrees
  /// Big-endian integers: 2³¹ are half a circle (Garmin).
  case semicircles
  /// Signed integers, with so many units to a degree.
  case little(unitsPerDegree: Double)
  case big(unitsPerDegree: Double)

  /// Degrees and minutes are in one number.
  var hasMinutes: Bool {
    switch self {
    case .float, .double, .thousandths, .digits: true
    case .doubleDegrees, .bigFloatDegrees, .semicircles, .little, .big: false
    }
  }
}

extension RecordFields {
  /// The position whose numbers are at two offsets.
  /// - Parameter letters: the offsets of N or S and of E or W; without them the numbers have signs.
  /// - Returns: `nil` when it is not there, or is no position.
  func position(
    _ form: PositionForm, at latitude: Int, _ longitude: Int, letters: (north: Int, east: Int)? = nil
  ) -> GeoPosition? {
    guard var latitude = number(form, at: latitude, digits: 8), var longitude = number(form, at: longitude, digits: 9)
    else { return nil }
    if let letters {
      guard let north = northSouth(at: letters.north), let east = eastWest(at: letters.east) else { return nil }
      (latitude, longitude) = (abs(latitude) * north.sign, abs(longitude) * east.sign)
    }
    return form.hasMinutes
      ? GeoPosition(degreesMinutes: latitude, longitude) : GeoPosition(latitude: latitude, longitude: longitude)
  }

  private func number(_ form: PositionForm, at offset: Int, digits: Int) -> Double? {
    switch form {
    case .float: float(at: offset)
    case .double, .doubleDegrees: double(at: offset)
    case .bigFloatDegrees: big(UInt32.self, at: offset).map { Double(Float(bitPattern: $0)) }
    case .thousandths: little(UInt32.self, at: offset).map { Double($0) / 1e3 }
    case .digits: self.digits(at: offset, count: digits).map { Double($0) / 1e4 }
    case .semicircles: big(Int32.self, at: offset).map { Double($0) * (180 / 2_147_483_648.0) }
    case .little(let units): little(Int32.self, at: offset).map { Double($0) / units }
    case .big(let units): big(Int32.self, at: offset).map { Double($0) / units }
    }
  }
}
