public import ClipModel
import Foundation

/// A small playable clip with location data in the format of some camera, phone, drone or program.
public struct LocationCarrierFile: Sendable, CustomStringConvertible {
  /// How another program confirms that the carrier is real.
  public enum Confirmation: Sendable {
    /// exiftool prints the positions.
    case exiftool
    /// exiftool prints this instead of positions as numbers, some of it only with options (`-U`).
    case exiftoolText(String, options: [String] = [])
    /// exiftool reads the positions from the data that starts with these bytes, as a separate file: a picture or an
    /// Exif block that it doesn't read inside the clip.
    case exiftoolOnPart([UInt8])
    /// ffprobe prints this, and exiftool doesn't support the format.
    case ffprobe(String, arguments: [String] = ["-show_format", "-show_streams"])
    /// ffmpeg's parser finds these bytes in a message between the frames.
    case bitstream([UInt8])
    /// No other program reads it: these bytes are in the file.
    case bytes([UInt8])
  }

  /// A stable ID: `camm`, `gopro-gps9`, `avchd-mdpm`.
  public var name: String
  public var fileExtension: String
  /// The positions in file order; empty for private metadata without positions.
  public var positions: [GeoPosition]
  public var confirmation: Confirmation
  private let make: @Sendable () throws -> [UInt8]

  public init(
    _ name: String, _ fileExtension: String = "mp4", at positions: [GeoPosition],
    confirmedBy confirmation: Confirmation = .exiftool, _ make: @escaping @Sendable () throws -> [UInt8]
  ) {
    self.name = name
    self.fileExtension = fileExtension
    self.positions = positions
    self.confirmation = confirmation
    self.make = make
  }

  public var description: String { name }

  public var fileName: String { "\(name).\(fileExtension)" }

  /// Whether exiftool 12.57 prints the positions of the whole file as numbers.
  public var exiftoolReads: Bool {
    if case .exiftool = confirmation { true } else { false }
  }

  /// The file.
  public func bytes() throws -> [UInt8] { try make() }

  /// Writes it into a folder.
  /// - Returns: Its path.
  @discardableResult
  public func write(to folder: ScratchFolder) throws -> String {
    let path = folder.path(fileName)
    try Data(bytes()).write(to: URL(filePath: path))
    return path
  }

  /// All carriers that the tests can write.
  public static var all: [LocationCarrierFile] {
    let ofMovies = [
      phones, apple, goPro, actionCameras, dashCams, dashCamTexts, dashCamBlocks, drones, cameras, videoMessages,
      movieLeftovers,
    ]
    return (ofMovies + [matroska, avi, transportStreams]).flatMap { $0 }
  }
}

/// Test positions in all four quadrants, so that a lost sign is noticed.
enum ApplicationFolders {
  static let seattle = positions((47.639012, -122.128034), (47.639512, -122.127134), (47.640012, -122.126234))
  static let sydney = positions((-33.856784, 151.215297), (-33.857284, 151.214397), (-33.857784, 151.213497))
  static let rio = positions((-22.951916, -43.210487), (-22.952416, -43.209587), (-22.952916, -43.208687))
  static let munich = positions((48.174312, 11.546238), (48.174812, 11.547138), (48.175312, 11.548038))

  private static func positions(_ pairs: (Double, Double)...) -> [GeoPosition] {
    pairs.compactMap { GeoPosition(latitude: $0.0, longitude: $0.1) }
  }
}

extension GeoPosition {
  /// `+47.639012-122.128034+050.000/`, at 50 metres.
  var iso6709: String {
    String(format: "%+010.6f%+011.6f+050.000/", latitude, longitude)
  }

  var northSouth: String { latitude < 0 ? "S" : "N" }
  var eastWest: String { longitude < 0 ? "W" : "E" }

  /// Degrees times a hundred plus minutes, unsigned: 47.639012 is 4738.34072.
  var latitudeDegreesMinutes: Double { Self.degreesMinutes(latitude) }
  var longitudeDegreesMinutes: Double { Self.degreesMinutes(longitude) }

  /// Whole degrees, whole minutes, seconds, unsigned.
  var latitudeParts: (degrees: Int, minutes: Int, seconds: Double) { Self.parts(latitude) }
  var longitudeParts: (degrees: Int, minutes: Int, seconds: Double) { Self.parts(longitude) }

  /// An NMEA sentence with a valid checksum: time, status, position, speed in knots, course, date.
  func rmc(_ second: Int) -> String {
    let body =
      "GPRMC,1015\(String(format: "%02d", second)).00,A,"
      + String(format: "%09.4f,\(northSouth),%010.4f,\(eastWest),", latitudeDegreesMinutes, longitudeDegreesMinutes)
      + "012.5,087.9,150622,,,A"
    let checksum = body.utf8.reduce(0, ^)
    return "$\(body)*" + String(format: "%02X", checksum)
  }

  private static func degreesMinutes(_ value: Double) -> Double {
    let degrees = abs(value).rounded(.down)
    return degrees * 100 + (abs(value) - degrees) * 60
  }

  private static func parts(_ value: Double) -> (degrees: Int, minutes: Int, seconds: Double) {
    let degrees = abs(value).rounded(.down)
    let minutes = ((abs(value) - degrees) * 60).rounded(.down)
    return (Int(degrees), Int(minutes), (abs(value) - degrees - minutes / 60) * 3600)
  }
}
