import ClipModel
import Foundation
import ISOMedia

/// Messages between frames: supplemental enhancement information of H.264 and HEVC, metadata units of AV1.
extension LocationCarrierFile {
  static var videoMessages: [LocationCarrierFile] {
    [
      LocationCarrierFile("avchd-mdpm", "mts", at: [seattle]) {
        try BaseClips.clip(
          "mdpm.mts", with: ("mdpm.h264", h264(with: packMetadata(seattle))),
          raw(["-f", "mpegts", "-mpegts_m2ts_mode", "1"]))
      },
      LocationCarrierFile("mdpm-mp4", at: [sydney]) {
        try BaseClips.clip("mdpm.mp4", with: ("mdpm.h264", h264(with: packMetadata(sydney))), raw([]))
      },
      LocationCarrierFile("h264-sei-text", at: [rio], confirmedBy: .bitstream(Array(rio.iso6709.utf8))) {
        try BaseClips.clip(
          "sei.mp4", with: ("sei.h264", h264(with: unregistered(Array(rio.iso6709.utf8)))), raw([]))
      },
      LocationCarrierFile("hevc-sei-text", at: [munich], confirmedBy: .bitstream(Array(munich.iso6709.utf8))) {
        try BaseClips.clip(
          "sei-hevc.mp4", with: ("sei.hevc", hevc(with: unregistered(Array(munich.iso6709.utf8)))),
          raw(["-tag:v", "hvc1"]))
      },
      LocationCarrierFile("av1-metadata-obu", at: [munich], confirmedBy: .bitstream(Array(munich.iso6709.utf8))) {
        try BaseClips.clip("metadata-av1.mp4", with: ("metadata.obu", av1(with: Array(munich.iso6709.utf8))), raw([]))
      },
    ]
  }

  /// ffmpeg's arguments to mux an elementary stream with ten frames per second.
  private static func raw(_ output: [String]) -> [String] {
    ["-fflags", "+bitexact+genpts", "-r", "10", "-i", "INPUT", "-c", "copy", "-map_metadata", "-1"] + output
  }

  // MARK: Messages

  /// AVCHD's modified digital video pack metadata: its identifier, `MDPM`, a count, and tags with four bytes each. The
  /// tags 0xB0 to 0xB8 are those of Exif's GPS directory, each rational in four bytes.
  private static func packMetadata(_ position: GeoPosition) -> [UInt8] {
    let identifier: [UInt8] = [
      0x17, 0xEE, 0x8C, 0x60, 0xF8, 0x4D, 0x11, 0xD9, 0x8C, 0xD6, 0x08, 0x00, 0x20, 0x0C, 0x9A, 0x66,
    ]
    func rationals(_ first: UInt8, _ parts: (degrees: Int, minutes: Int, seconds: Double)) -> [[UInt8]] {
      [
        [first] + big(UInt16.self, UInt16(parts.degrees), 1),
        [first + 1] + big(UInt16.self, UInt16(parts.minutes), 1),
        [first + 2] + big(UInt16.self, parts.seconds.fixed(1000), 1000),
      ]
    }
    var entries: [[UInt8]] = [[0x18, 0x02, 0x20, 0x22, 0x06], [0x19, 0x15, 0x10, 0x15, 0x00], [0xB0, 2, 2, 0, 0]]
    entries.append([0xB1] + position.northSouth.padded(to: 4))
    entries += rationals(0xB2, position.latitudeParts)
    entries.append([0xB5] + position.eastWest.padded(to: 4))
    entries += rationals(0xB6, position.longitudeParts)
    let payload = record {
      identifier
      "MDPM"
      UInt8(entries.count)
      entries.flatMap { $0 }
    }
    return message(payload)
  }

  /// An unregistered message of a manufacturer.
  private static func unregistered(_ content: [UInt8]) -> [UInt8] {
    message(Array("BSC test message".utf8) + content)
  }

  /// Payload type 5, length, payload, and the trailing bit.
  private static func message(_ payload: [UInt8]) -> [UInt8] {
    record {
      [5, UInt8(payload.count)]
      payload
      [0x80]
    }
  }

  // MARK: Units

  private static func h264(with message: [UInt8]) throws -> [UInt8] {
    let stream = try BaseClips.elementaryStream("h264", ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-bf", "0"])
    // Type 6 comes before the first slice, which is 5 in IDR pictures and 1 in others.
    return inserting([6] + escaped(message), into: stream) { $0 & 0x1F == 5 || $0 & 0x1F == 1 }
  }

  private static func hevc(with message: [UInt8]) throws -> [UInt8] {
    let stream = try BaseClips.elementaryStream(
      "hevc", ["-c:v", "libx265", "-pix_fmt", "yuv420p", "-x265-params", "log-level=error:bframes=0"])
    // A prefix message is type 39; slices are below 32.
    return inserting([39 << 1, 1] + escaped(message), into: stream) { $0 >> 1 & 0x3F < 32 }
  }

  /// Inserts a unit before each slice. The base clips have one slice per frame.
  private static func inserting(_ unit: [UInt8], into stream: [UInt8], before isSlice: (UInt8) -> Bool) -> [UInt8] {
    var result: [UInt8] = []
    var start = 0
    while start < stream.count {
      if stream[start...].starts(with: [0, 0, 1]), start + 3 < stream.count, isSlice(stream[start + 3]) {
        result += [0, 0, 1] + unit
      }
      result.append(stream[start])
      start += 1
    }
    return result
  }

  /// Prevents start codes inside a unit: a 3 is inserted between two zeros and a byte up to 3.
  private static func escaped(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var zeros = 0
    for byte in bytes {
      if zeros == 2, byte <= 3 {
        result.append(3)
        zeros = 0
      }
      result.append(byte)
      zeros = byte == 0 ? zeros + 1 : 0
    }
    return result
  }

  // MARK: AV1

  /// A metadata unit after each temporal delimiter (2) and its optional sequence header (1): type 5 with a size,
  /// metadata type 4 (ITU-T T.35), country of the United States, the text, and the trailing bit.
  private static func av1(with text: [UInt8]) throws -> [UInt8] {
    let stream = try BaseClips.elementaryStream(
      "obu", ["-c:v", "libaom-av1", "-cpu-used", "8", "-pix_fmt", "yuv420p"])
    let content = [4, 0xB5] + text + [0x80]
    let metadata = [5 << 3 | 2, UInt8(content.count)] + content
    var result: [UInt8] = []
    var followsHead = false
    for unit in units(of: stream) {
      let isHead = [1, 2].contains(unit.first.map { $0 >> 3 & 0xF })
      if followsHead, !isHead { result += metadata }
      result += unit
      followsHead = isHead
    }
    return result
  }

  /// Header, size as LEB128, content. The encoder writes no extension headers.
  private static func units(of stream: [UInt8]) -> [ArraySlice<UInt8>] {
    var units: [ArraySlice<UInt8>] = []
    var start = 0
    while start + 1 < stream.count {
      var end = start + 1
      var size = 0
      for shift in stride(from: 0, to: 56, by: 7) where end < stream.count {
        size |= Int(stream[end] & 0x7F) << shift
        end += 1
        if stream[end - 1] & 0x80 == 0 { break }
      }
      end = min(end + size, stream.count)
      units.append(stream[start..<end])
      start = end
    }
    return units
  }
}
