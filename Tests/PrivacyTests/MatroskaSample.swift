import ISOMedia

@testable import Privacy

/// Builds Matroska files with contents that no muxer writes.
enum MatroskaSample {
  static let position = "+48.1743+011.5462/"

  /// An element with a size field of one or eight bytes.
  static func element(_ id: UInt32, _ content: [UInt8]) -> [UInt8] {
    let size: [UInt8] =
      content.count < 127
      ? [0x80 | UInt8(content.count)]
      : [0x01] + (0..<7).map { UInt8(truncatingIfNeeded: content.count >> (48 - 8 * $0)) }
    return identifier(id) + size + content
  }

  /// An element of unknown size.
  static func openElement(_ id: UInt32, _ content: [UInt8]) -> [UInt8] { identifier(id) + [0xFF] + content }

  static func text(_ id: UInt32, _ text: String) -> [UInt8] { element(id, Array(text.utf8)) }

  static func tag(_ name: String, _ value: String) -> [UInt8] {
    element(0x67C8, text(0x45A3, name) + text(0x4487, value))
  }

  static func tags(_ tags: [[UInt8]]) -> [UInt8] { element(0x1254_C367, element(0x7373, tags.flatMap(\.self))) }

  /// - Parameter type: 1 video, 2 audio, 17 subtitles, 33 metadata.
  static func track(_ number: UInt8, type: UInt8, codec: String, _ more: [UInt8] = []) -> [UInt8] {
    element(0xAE, element(0xD7, [number]) + element(0x83, [type]) + text(0x86, codec) + more)
  }

  static func tracks(_ entries: [[UInt8]]) -> [UInt8] { element(0x1654_AE6B, entries.flatMap(\.self)) }

  static func simpleBlock(track: UInt8, _ frame: [UInt8], flags: UInt8 = 0) -> [UInt8] {
    element(0xA3, [0x80 | track, 0, 0, flags] + frame)
  }

  static func cluster(_ blocks: [[UInt8]]) -> [UInt8] {
    element(0x1F43_B675, element(0xE7, [0]) + blocks.flatMap(\.self))
  }

  static func attachment(_ name: String, mediaType: String, _ content: [UInt8]) -> [UInt8] {
    element(
      0x1941_A469,
      element(0x61A7, text(0x466E, name) + text(0x4660, mediaType) + element(0x465C, content) + element(0x46AE, [1])))
  }

  static let header = element(0x1A45_DFA3, text(0x4282, "matroska"))

  static func file(_ parts: [[UInt8]]) -> [UInt8] { header + element(0x1853_8067, parts.flatMap(\.self)) }

  private static func identifier(_ id: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: id >> (24 - 8 * $0)) }.drop { $0 == 0 }.map(\.self)
  }

  /// A file with every kind of content that is examined.
  static let rich: [UInt8] = {
    let stripped = element(0x6D80, element(0x6240, element(0x5034, element(0x4254, [3]) + element(0x4255, [0, 0]))))
    return file([
      element(0x1549_A966, text(0x7BA9, "Final") + element(0x4461, [0, 0, 0, 0, 0, 0, 0, 1])),
      tracks([
        track(1, type: 1, codec: "V_MPEG4/ISO/AVC", element(0x63A2, [1, 100, 0, 30, 0xFF, 0xE0, 0])),
        track(2, type: 17, codec: "S_TEXT/UTF8"), track(3, type: 33, codec: "D_GPS"),
        track(4, type: 1, codec: "V_MJPEG", stripped),
      ]),
      tags([tag("LOCATION", position), tag("TITLE", "Final")]),
      attachment("a.bin", mediaType: "application/octet-stream", [1, 2, 3, 4, 5, 6, 7, 8, 9]),
      element(0xEC, [0, 0, 0, 9, 9]),
      cluster([
        simpleBlock(track: 1, [0, 0, 0, 2, 0x65, 0x88]), simpleBlock(track: 2, Array("GPS(11.5462, 48.1743, 5)".utf8)),
        simpleBlock(track: 3, [1, 2, 3]), simpleBlock(track: 4, [0xFF, 0xD8, 0xFF, 0xD9]),
      ]),
    ])
  }()
}
