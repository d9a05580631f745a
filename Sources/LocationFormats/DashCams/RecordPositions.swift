internal import ClipModel
internal import ISOMedia

/// How a record stores the two numbers of a position.
enum CoordinateEncoding {
  /// Little-endian floating point: degrees and minutes in one number (4808.25 is 48° 8.25').
  case float, double
  /// Little-endian unsigned integers: degrees and minutes in one number, in thousandths.
  case thousandths
  /// Eight digits of latitude and nine of longitude: degrees and minutes in one number, in ten-thousandths.
  case digits
  /// Little-endian doubles: degrees.
  case doubleDegrees
  /// Big-endian floats: degrees.
  case bigFloatDegrees
  /// Big-endian integers: 2³¹ units are 180 degrees (Garmin).
  case semicircles
  /// Signed integers.
  case little(unitsPerDegree: Double)
  case big(unitsPerDegree: Double)

  /// One number holds both degrees and minutes.
  var hasMinutes: Bool {
    switch self {
    case .float, .double, .thousandths, .digits: true
    case .doubleDegrees, .bigFloatDegrees, .semicircles, .little, .big: false
    }
  }
}

extension RecordFields {
  /// The position whose numbers are at two offsets.
  /// - Parameter letters: the offsets of N or S and of E or W; without them the numbers are signed.
  /// - Returns: `nil` when the numbers are missing or out of range.
  func position(
    _ encoding: CoordinateEncoding, at latitude: Int, _ longitude: Int, letters: (north: Int, east: Int)? = nil
  ) -> GeoPosition? {
    guard var latitude = number(encoding, at: latitude, digits: 8),
      var longitude = number(encoding, at: longitude, digits: 9)
    else { return nil }
    if let letters {
      guard let north = northSouth(at: letters.north), let east = eastWest(at: letters.east) else { return nil }
      (latitude, longitude) = (abs(latitude) * north.sign, abs(longitude) * east.sign)
    }
    return encoding.hasMinutes
      ? GeoPosition(degreesMinutes: latitude, longitude) : GeoPosition(latitude: latitude, longitude: longitude)
  }

  private func number(_ encoding: CoordinateEncoding, at offset: Int, digits: Int) -> Double? {
    switch encoding {
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

extension ByteSource {
  /// The positions in a range of fixed-size records. Reads in windows, so memory use does not grow with the range.
  func positions(
    in range: Range<Int64>, recordSize: Int, _ position: (RecordFields) -> GeoPosition?
  ) throws(ISOMediaError) -> PositionTrace {
    var trace = PositionTrace()
    let window = max(1, 65_536 / recordSize) * recordSize
    var offset = range.lowerBound
    while offset < range.upperBound {
      let fields = try fields(in: offset..<range.upperBound, atMost: window)
      guard fields.count >= recordSize else { break }
      for start in stride(from: 0, to: fields.count, by: recordSize) {
        trace.add(fields.record(at: start, count: recordSize).flatMap(position))
      }
      offset += Int64(window)
    }
    return trace
  }
}
