/// A geographic position in degrees (WGS 84). bsc never stores positions; only `audit --show-values` prints them.
public struct GeoPosition: Hashable, Sendable {
  /// The latitude, from -90 (south) to 90 (north).
  public let latitude: Double
  /// The longitude, from -180 (west) to 180 (east).
  public let longitude: Double

  /// Creates a position from coordinates in degrees.
  /// - Returns: `nil` for coordinates that are out of range, NaN, or exactly 0, 0, which GPS receivers write when they
  ///   have no fix.
  public init?(latitude: Double, longitude: Double) {
    guard abs(latitude) <= 90, abs(longitude) <= 180, latitude != 0 || longitude != 0 else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }

  /// The position rounded to one degree (about 100 km): `48°N 11°E`.
  public var roundedText: String {
    let (north, east) = (Int(latitude.rounded()), Int(longitude.rounded()))
    return "\(abs(north))°\(north < 0 ? "S" : "N") \(abs(east))°\(east < 0 ? "W" : "E")"
  }
}
