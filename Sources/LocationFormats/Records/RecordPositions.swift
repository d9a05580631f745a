internal import ClipModel
internal import ISOMedia

/// The format in which a record stores the two numbers of a position.
struct CoordinateEncoding: Sendable {
  /// Whether a number combines degrees and minutes, such as 4808.25 for 48° 8.25'.
  var hasMinutes = false
  /// Reads the number at an offset. Only text encodings use the digit count.
  let read: @Sendable (_ fields: RecordFields, _ offset: Int, _ digits: Int) -> Double?

  /// Little-endian floating-point numbers that combine degrees and minutes.
  static let float = Self(hasMinutes: true) { fields, offset, _ in fields.float(at: offset) }
  static let double = Self(hasMinutes: true) { fields, offset, _ in fields.double(at: offset) }
  /// Little-endian unsigned integers that combine degrees and thousandths of a minute.
  static let thousandths = Self(hasMinutes: true) { fields, offset, _ in
    fields.littleEndian(UInt32.self, at: offset).map { Double($0) / 1e3 }
  }
  /// Eight digits for the latitude and nine for the longitude, which combine degrees and ten-thousandths of a minute.
  static let digits = Self(hasMinutes: true) { $0.digits(at: $1, count: $2).map { Double($0) / 1e4 } }
  /// Little-endian doubles: degrees.
  static let doubleDegrees = Self { fields, offset, _ in fields.double(at: offset) }
  /// Big-endian floats: degrees.
  static let bigFloatDegrees = Self { fields, offset, _ in
    fields.bigEndian(UInt32.self, at: offset).map { Double(Float(bitPattern: $0)) }
  }
  /// Big-endian integers in Garmin's unit, of which 2³¹ are 180 degrees.
  static let semicircles = Self { fields, offset, _ in
    fields.bigEndian(Int32.self, at: offset).map { Double($0) * (180 / 2_147_483_648.0) }
  }
  /// Little-endian signed integers.
  static func littleEndian(unitsPerDegree units: Double) -> Self {
    Self { fields, offset, _ in fields.littleEndian(Int32.self, at: offset).map { Double($0) / units } }
  }
  static func bigEndian(unitsPerDegree units: Double) -> Self {
    Self { fields, offset, _ in fields.bigEndian(Int32.self, at: offset).map { Double($0) / units } }
  }
}

extension RecordFields {
  /// Reads the position whose two numbers are at the given offsets.
  /// - Parameter letters: the offsets of the hemisphere letters (N or S, E or W). If they are omitted, the numbers are
  ///   signed.
  /// - Returns: `nil` if the numbers are missing or out of range.
  func position(
    _ encoding: CoordinateEncoding, at latitude: Int, _ longitude: Int, letters: (north: Int, east: Int)? = nil
  ) -> GeoPosition? {
    guard var latitude = encoding.read(self, latitude, 8), var longitude = encoding.read(self, longitude, 9) else {
      return nil
    }
    if let letters {
      guard let north = latitudeHemisphere(at: letters.north), let east = longitudeHemisphere(at: letters.east) else {
        return nil
      }
      (latitude, longitude) = (abs(latitude) * north.sign, abs(longitude) * east.sign)
    }
    return encoding.hasMinutes
      ? GeoPosition(degreesMinutes: latitude, longitude) : GeoPosition(latitude: latitude, longitude: longitude)
  }
}

extension ByteSource {
  /// Reads the positions in a range of fixed-size records. The range is read piece by piece, so memory use doesn't
  /// depend on its size.
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
