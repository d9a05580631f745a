internal import ISOMedia
internal import LocationFormats

/// Checks files that are attached to a video.
enum AttachedFile {
  /// Checks an attached file for private metadata.
  /// - Returns: the finding; `nil` for fonts, and for images and text files that contain no position.
  static func examine(
    _ range: Range<Int64>, of source: any ByteSource, mediaType: String, search: PositionSearch
  ) throws(ISOMediaError) -> PayloadFinding? {
    let start = try source.bytes(in: range, atMost: 16)
    if fontMarks.contains(where: { start.starts(with: $0) }) { return nil }
    let bytes = try ExaminedBytes(range, of: source, search: search)
    if let finding = bytes.finding { return finding }
    let isKnown = isImage(start) || bytes.isBlank || (bytes.isText && !mediaType.contains("octet-stream"))
    return isKnown ? nil : PayloadFinding(kind: "unknown-attachment", disclosure: .opaque)
  }

  /// The signatures of fonts: TrueType, OpenType, collections and web fonts.
  private static let fontMarks: [[UInt8]] =
    [[0, 1, 0, 0]] + ["OTTO", "true", "ttcf", "wOFF", "wOF2"].map { Array($0.utf8) }

  /// Whether the bytes are a JPEG, PNG, GIF or WebP image.
  private static func isImage(_ start: [UInt8]) -> Bool {
    start.starts(with: [0xFF, 0xD8, 0xFF]) || start.starts(with: [0x89, 0x50, 0x4E, 0x47])
      || start.starts(with: "GIF8".utf8)
      || (start.starts(with: "RIFF".utf8) && start.dropFirst(8).starts(with: "WEBP".utf8))
  }
}
