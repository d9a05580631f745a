import ClipModel
import Foundation
import LocationFormats

/// Tells the positions in a payload on stdin, whatever form they have: `decode-location <payload`.
///
/// ISO 6709 (`+42.2043-072.6162+060/`), Exif, XMP, NMEA sentences, GoPro's GPMF.
@main
enum DecodeLocation {
  static func main() {
    guard CommandLine.arguments.count == 1 else { fail("usage: decode-location <PAYLOAD", status: 64) }
    do {
      let payload = [UInt8](try FileHandle.standardInput.readToEnd() ?? Data())
      guard let finding = finding(in: payload) else { fail("nothing in these \(payload.count) bytes tells a place") }
      print("\(finding.kind): \(finding.trace.count) positions")
      // Of a long recording the first ones are kept, and all are counted.
      for position in finding.trace.kept { print("\(position.latitude) \(position.longitude)") }
    } catch {
      fail("error: stdin cannot be read: \(error)")
    }
  }

  /// GPMF by its own reader, which understands several units and scales; anything else by its shape.
  static func finding(in payload: [UInt8]) -> PayloadFinding? {
    if GPMF.hasLocation(in: payload) {
      return PayloadFinding(kind: "gopro-gpmf", disclosure: .location, trace: GPMF.trace(in: payload))
    }
    return TextPositions.examine(payload)
  }

  static func fail(_ text: String, status: Int32 = 1) -> Never {
    FileHandle.standardError.write(Data((text + "\n").utf8))
    exit(status)
  }
}
