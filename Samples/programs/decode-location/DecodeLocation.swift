import ClipModel
import Foundation
import LocationFormats

/// Prints the positions in a payload from stdin: `decode-location <payload`.
///
/// Supports ISO 6709 (`+42.2043-072.6162+060/`), Exif, XMP, NMEA sentences and GoPro's GPMF.
@main
enum DecodeLocation {
  static func main() {
    guard CommandLine.arguments.count == 1 else { fail("usage: decode-location <PAYLOAD", status: 64) }
    do {
      let payload = [UInt8](try FileHandle.standardInput.readToEnd() ?? Data())
      guard let finding = finding(in: payload) else { fail("no location in \(payload.count) bytes") }
      print("\(finding.kind): \(finding.trace.count) positions")
      // All positions are counted, but only the first ones are kept.
      for position in finding.trace.kept { print("\(position.latitude) \(position.longitude)") }
    } catch {
      fail("error: cannot read stdin: \(error)")
    }
  }

  /// GPMF has its own reader, which supports units and scales. Other formats are detected from their content.
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
