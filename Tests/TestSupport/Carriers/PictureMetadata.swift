import ClipModel
import Foundation

/// Metadata of photos that clips may contain: TIFF directories with a GPS directory, JPEG with Exif, XMP.
enum PictureMetadata {
  /// `Exif\0\0` and a TIFF block, as in APP1.
  static func exif(_ position: GeoPosition) -> [UInt8] { Array("Exif\0\0".utf8) + tiff(position) }

  /// A TIFF block: a directory with the pointer to the GPS directory (tag 0x8825), and that directory.
  static func tiff(_ position: GeoPosition) -> [UInt8] {
    record {
      header
      big(UInt16.self, 1)
      entry(0x8825, type: 4, count: 1, value: big(UInt32.self, 26))
      zeros(4)
      gpsDirectory(position, at: 26)
    }
  }

  /// A TIFF block whose first directory is the GPS directory.
  static func gpsTIFF(_ position: GeoPosition) -> [UInt8] { header + gpsDirectory(position, at: 8) }

  /// Big-endian, first directory at byte 8.
  private static let header = record {
    "MM"
    big(UInt16.self, 42)
    big(UInt32.self, 8)
  }

  /// Tags 0 to 4: version, and latitude and longitude as three rationals each. `start` is its offset in the block.
  private static func gpsDirectory(_ position: GeoPosition, at start: Int) -> [UInt8] {
    // A count, five entries of 12 bytes, and no next directory.
    let values = UInt32(start + 2 + 5 * 12 + 4)
    return record {
      big(UInt16.self, 5)
      entry(0, type: 1, count: 4, value: [2, 3, 0, 0])
      entry(1, type: 2, count: 2, value: position.northSouth.padded(to: 4))
      entry(2, type: 5, count: 3, value: big(UInt32.self, values))
      entry(3, type: 2, count: 2, value: position.eastWest.padded(to: 4))
      entry(4, type: 5, count: 3, value: big(UInt32.self, values + 24))
      zeros(4)
      rationals(position.latitudeParts)
      rationals(position.longitudeParts)
    }
  }

  private static func entry(_ tag: UInt16, type: UInt16, count: UInt32, value: [UInt8]) -> [UInt8] {
    big(UInt16.self, tag, type) + big(UInt32.self, count) + value
  }

  /// Degrees, minutes, and seconds in ten-thousandths: 24 bytes.
  static func rationals(_ parts: (degrees: Int, minutes: Int, seconds: Double)) -> [UInt8] {
    big(UInt32.self, UInt32(parts.degrees), 1, UInt32(parts.minutes), 1, parts.seconds.fixed(10_000), 10_000)
  }

  /// A picture with Exif after its first marker.
  static func jpeg(_ position: GeoPosition) throws -> [UInt8] {
    let picture = try BaseClips.jpeg
    let payload = exif(position)
    return record {
      picture.prefix(2)
      [0xFF, 0xE1]
      big(UInt16.self, UInt16(payload.count + 2))
      payload
      picture.dropFirst(2)
    }
  }

  static func xmp(_ position: GeoPosition) -> [UInt8] {
    func coordinate(_ parts: (degrees: Int, minutes: Int, seconds: Double), _ reference: String) -> String {
      "\(parts.degrees),\(String(format: "%.6f", Double(parts.minutes) + parts.seconds / 60))\(reference)"
    }
    let packet = """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/"
        exif:GPSLatitude="\(coordinate(position.latitudeParts, position.northSouth))"
        exif:GPSLongitude="\(coordinate(position.longitudeParts, position.eastWest))"/>
      </rdf:RDF></x:xmpmeta>
      <?xpacket end="w"?>
      """
    return Array(packet.utf8)
  }
}
