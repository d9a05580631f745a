import ClipModel
import TestSupport
import Testing

@testable import LocationFormats

/// Builds encoded positions without the code under test.
enum FormBytes {
  static func big<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
    (0..<T.bitWidth / 8).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  static func little<T: FixedWidthInteger>(_ value: T) -> [UInt8] { big(value).reversed() }

  static func wide(_ text: String, isLittle: Bool) -> [UInt8] {
    text.utf16.flatMap { isLittle ? little($0) : big($0) }
  }

  /// A TIFF block with a GPS directory.
  static func exif(
    isLittle: Bool, latitude: [(UInt32, UInt32)], north: Character, longitude: [(UInt32, UInt32)], east: Character
  ) -> [UInt8] {
    func u16(_ value: UInt16) -> [UInt8] { isLittle ? little(value) : big(value) }
    func u32(_ value: UInt32) -> [UInt8] { isLittle ? little(value) : big(value) }
    func letter(_ character: Character) -> [UInt8] { Array(String(character).utf8) + [0, 0, 0] }
    func rationals(_ parts: [(UInt32, UInt32)]) -> [UInt8] { parts.flatMap { u32($0.0) + u32($0.1) } }
    var bytes: [UInt8] = Array((isLittle ? "II" : "MM").utf8)
    bytes += u16(42) + u32(8)
    // One entry: the offset of the GPS directory, which is at 26.
    bytes += u16(1) + u16(0x8825) + u16(4) + u32(1) + u32(26) + u32(0)
    let values = UInt32(26 + 2 + 4 * 12 + 4)
    bytes += u16(4) + u16(1) + u16(2) + u32(2) + letter(north)
    bytes += u16(2) + u16(5) + u32(UInt32(latitude.count)) + u32(values)
    bytes += u16(3) + u16(2) + u32(2) + letter(east)
    bytes += u16(4) + u16(5) + u32(UInt32(longitude.count)) + u32(values + UInt32(8 * latitude.count)) + u32(0)
    return bytes + rationals(latitude) + rationals(longitude)
  }

  static func random(_ count: Int, seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count {
      let word = generator.next()
      for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift))) }
    }
    return bytes
  }

  /// A new seed for each run, printed to the log so that a failure can be reproduced.
  static func seed(for test: String = #function) -> UInt64 {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed of \(test): \(seed)")
    return seed
  }
}

/// A position in degrees that is compared with a tolerance of 1e-5.
struct TestPosition: Sendable, Equatable, CustomStringConvertible {
  var latitude: Double
  var longitude: Double

  init(_ latitude: Double, _ longitude: Double) { (self.latitude, self.longitude) = (latitude, longitude) }

  init?(_ position: GeoPosition?) {
    guard let position else { return nil }
    self.init(position.latitude, position.longitude)
  }

  var geoPosition: GeoPosition? { GeoPosition(latitude: latitude, longitude: longitude) }

  static func == (left: TestPosition, right: TestPosition) -> Bool {
    abs(left.latitude - right.latitude) <= 1e-5 && abs(left.longitude - right.longitude) <= 1e-5
  }

  var description: String { "\(latitude) \(longitude)" }
}
