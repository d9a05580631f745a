internal import ISOMedia
internal import LocationFormats

/// Judges files that travel inside a film.
enum AttachedFile {
  /// - Returns: `nil` for fonts, and for pictures and texts without a position.
  static func examine(
    _ range: Range<Int64>, of source: any ByteSource, mediaType: String, search: PositionSearch
  ) throws(ISOMediaError) -> PayloadFinding? {
    let start = try source.bytes(in: range, atMost: 16)
    if isFont(start) { return nil }
    let bytes = try UnreferencedBytes(range, of: source, search: search)
    if let finding = bytes.finding { return finding }
    let isKnown = isPicture(start) || bytes.isBlank || (bytes.isText && !mediaType.contains("octet-stream"))
    return isKnown ? nil : PayloadFinding(kind: "unknown-attachment", disclosure: .opaque)
  }

  /// TrueType, OpenType, collections, and fonts for the web.
  private static func isFont(_ start: [UInt8]) -> Bool {
    [[0, 1, 0, 0], Array("OTTO".utf8), Array("true".utf8), Array("ttcf".utf8), Array("wOFF".utf8), Array("wOF2".utf8)]
      .contains { start.starts(with: $0) }
  }

  /// JPEG, PNG, GIF, WebP.
  private static func isPicture(_ start: [UInt8]) -> Bool {
    start.starts(with: [0xFF, 0xD8, 0xFF]) || start.starts(with: [0x89, 0x50, 0x4E, 0x47])
      || start.starts(with: "GIF8".utf8)
      || (start.starts(with: "RIFF".utf8) && start.dropFirst(8).starts(with: "WEBP".utf8))
  }
}
