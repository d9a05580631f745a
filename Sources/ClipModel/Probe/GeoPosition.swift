/// A geographic position in degrees (WGS 84). It is never stored; only `audit --show-values` prints it.
public struct GeoPosition: Hashable, Sendable {
  /// -90 to 90, positive to the north.
  public let latitude: Double
  /// -180 to 180, positive to the east.
  public let longitude: Double

  /// - Returns: `nil` outside the ranges, for NaN, and for exactly 0, 0, which receivers write without a fix.
  public init?(latitude: Double, longitude: Double) {
    guard abs(latitude) <= 90, abs(longitude) <= 180, latitude != 0 || longitude != 0 else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }

  /// The position rounded to a degree, about a hundred kilometers: `48°N 11°E`.
  public var roundedText: String {
    let (north, east) = (Int(latitude.rounded()), Int(longitude.rounded()))
    return "\(abs(north))°\(north < 0 ? "S" : "N") \(abs(east))°\(east < 0 ? "W" : "E")"
  }
}
