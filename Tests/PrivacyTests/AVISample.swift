@testable import Privacy

/// Builds AVI files with contents that no muxer writes.
enum AVISample {
  static let position = "+48.1743+011.5462/"

  static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    Array(type.utf8) + little(content.count) + content + [UInt8](repeating: 0, count: content.count % 2)
  }

  static func text(_ type: String, _ text: String) -> [UInt8] { chunk(type, Array(text.utf8)) }

  static func list(_ type: String, _ parts: [[UInt8]], in kind: String = "LIST") -> [UInt8] {
    chunk(kind, Array(type.utf8) + parts.flatMap(\.self))
  }

  /// The headers of a stream: its type, and its video format in a bitmap header.
  static func stream(_ type: String, format: String = "MJPG", _ more: [[UInt8]] = []) -> [UInt8] {
    let header = Array(type.utf8) + Array(format.utf8) + [UInt8](repeating: 0, count: 48)
    let bitmap = little(40) + [UInt8](repeating: 0, count: 12) + Array(format.utf8) + [UInt8](repeating: 0, count: 20)
    return list("strl", [chunk("strh", header), chunk("strf", type == "vids" ? bitmap : [1, 0])] + more)
  }

  static func file(
    streams: [[UInt8]] = [], headers: [[UInt8]] = [], packets: [[UInt8]] = [], more: [[UInt8]] = []
  ) -> [UInt8] {
    let avih = chunk("avih", [UInt8](repeating: 0, count: 56))
    return list("AVI ", [list("hdrl", [avih] + streams + headers)] + more + [list("movi", packets)], in: "RIFF")
  }

  static func little(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

  /// A file with every kind of content that is examined.
  static let rich = file(
    streams: [stream("vids", [chunk("strd", [9, 8, 7, 6, 5])]), stream("txts"), stream("auds")],
    headers: [text("IDIT", "Sat Nov 21 20:00:00 2026\n")],
    packets: [
      chunk("00dc", MatroskaAuditTests.jpegWithGPS), text("01tx", "GPS(11.5462, 48.1743, 5)"),
      chunk("02wb", [1, 2, 3]),
      list("rec ", [chunk("00dc", [0xFF, 0xD8, 0xFF, 0xD9])]),
    ],
    more: [list("INFO", [text("ICRD", "2026-11-21"), text("IARL", position)]), chunk("JUNK", [0, 0, 3, 0x81])])
}
