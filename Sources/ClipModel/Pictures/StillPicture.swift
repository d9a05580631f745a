/// A JPEG, PNG or WebP file without metadata, such as an avatar.
///
/// Only the parts that decoders need for the pixels and colors are copied, so unknown metadata can't remain. Data after the
/// picture is removed, too: phones append further pictures and videos. A JPEG file keeps its orientation.
public struct StillPicture: Sendable, Equatable {
  /// The format, with its media type.
  public enum Format: String, Sendable {
    /// JPEG.
    case jpeg = "image/jpeg"
    /// PNG.
    case png = "image/png"
    /// WebP.
    case webP = "image/webp"

    /// The extension of a file in this format.
    package var fileExtension: String {
      switch self {
      case .jpeg: "jpg"
      case .png: "png"
      case .webP: "webp"
      }
    }
  }

  /// The format of `bytes`.
  public let format: Format
  /// The file, without metadata.
  public let bytes: [UInt8]

  /// Copies a picture without its metadata. Returns `nil` if the bytes are not a complete picture in one of the formats.
  public init?(removingMetadataFrom bytes: [UInt8]) {
    let copy: (Format, [UInt8]?) =
      if bytes.starts(with: [0xFF, 0xD8]) {
        (.jpeg, JPEGFile(bytes).copyWithoutMetadata())
      } else if bytes.starts(with: PNGFile.signature) {
        (.png, PNGFile.copyWithoutMetadata(bytes))
      } else {
        (.webP, WebPFile.copyWithoutMetadata(bytes))
      }
    guard let copied = copy.1 else { return nil }
    format = copy.0
    self.bytes = copied
  }
}

/// Reads big-endian and little-endian integers without leaving the bounds of a file.
private struct ByteReader {
  let bytes: [UInt8]

  /// Returns the bytes of a range, or `nil` if the file ends earlier.
  func slice(_ start: Int, _ count: Int) -> ArraySlice<UInt8>? {
    guard start >= 0, count >= 0, start <= bytes.count, count <= bytes.count - start else { return nil }
    return bytes[start..<start + count]
  }

  func integer(at offset: Int, byteCount: Int, isBigEndian: Bool = true) -> Int? {
    guard let slice = slice(offset, byteCount) else { return nil }
    let digits = isBigEndian ? Array(slice) : Array(slice.reversed())
    return digits.reduce(0) { $0 << 8 | Int($1) }
  }
}

/// A JPEG file (ITU-T T.81): segments that begin with a marker.
private struct JPEGFile {
  private let reader: ByteReader

  init(_ bytes: [UInt8]) { reader = ByteReader(bytes: bytes) }

  func copyWithoutMetadata() -> [UInt8]? {
    var copy: [UInt8] = [0xFF, 0xD8]
    var offset = 2
    var hasScan = false
    while let marker = reader.integer(at: offset, byteCount: 2), marker >> 8 == 0xFF {
      let code = UInt8(marker & 0xFF)
      if code == 0xFF {
        // Any number of fill bytes can precede a marker.
        offset += 1
        continue
      }
      if code == 0xD9 { return hasScan ? copy + [0xFF, 0xD9] : nil }
      guard let length = reader.integer(at: offset + 2, byteCount: 2), length >= 2,
        let segment = reader.slice(offset, length + 2)
      else { return nil }
      offset = segment.endIndex
      if code == 0xE1, let orientation = orientation(in: segment.dropFirst(4)) {
        copy += Self.orientationSegment(orientation)
      } else if Self.isNeeded(code, segment.dropFirst(4)) {
        copy += segment
      }
      if code == 0xDA {
        hasScan = true
        guard let end = endOfScan(from: offset) else { return nil }
        copy += reader.bytes[offset..<end]
        offset = end
      }
    }
    return nil
  }

  /// Whether a decoder needs a segment: all but comments and application data. Of the latter, JFIF without a thumbnail, color
  /// profiles and Adobe's color transform are needed.
  private static func isNeeded(_ code: UInt8, _ content: ArraySlice<UInt8>) -> Bool {
    switch code {
    case 0xE0: content.starts(with: Array("JFIF\0".utf8)) && content.count == 14
    case 0xE2: content.starts(with: Array("ICC_PROFILE\0".utf8))
    case 0xEE: content.starts(with: Array("Adobe".utf8)) && content.count == 12
    case 0xC0...0xCF, 0xDA...0xDF: true
    default: false
    }
  }

  /// Returns the position of the first marker after the entropy-coded data.
  private func endOfScan(from start: Int) -> Int? {
    var offset = start
    while let marker = reader.integer(at: offset, byteCount: 2) {
      let isStuffedOrRestart = marker == 0xFF00 || (0xFFD0...0xFFD7).contains(marker)
      if marker >> 8 == 0xFF, marker != 0xFFFF, !isStuffedOrRestart { return offset }
      offset += isStuffedOrRestart ? 2 : 1
    }
    return nil
  }

  /// Returns the orientation (2 to 8) from Exif data.
  private func orientation(in content: ArraySlice<UInt8>) -> Int? {
    guard content.starts(with: Array("Exif\0\0".utf8)) else { return nil }
    let exif = ByteReader(bytes: Array(content.dropFirst(6)))
    guard let order = exif.integer(at: 0, byteCount: 2), [0x4949, 0x4D4D].contains(order) else { return nil }
    let isBigEndian = order == 0x4D4D
    func integer(_ offset: Int, _ byteCount: Int) -> Int? {
      exif.integer(at: offset, byteCount: byteCount, isBigEndian: isBigEndian)
    }
    guard let directory = integer(4, 4), let count = integer(directory, 2) else { return nil }
    for entry in 0..<count {
      let offset = directory + 2 + 12 * entry
      guard let tag = integer(offset, 2) else { return nil }
      if tag == 0x0112 { return integer(offset + 8, 2).flatMap { (2...8).contains($0) ? $0 : nil } }
    }
    return nil
  }

  /// Returns Exif data that contains only an orientation.
  private static func orientationSegment(_ orientation: Int) -> [UInt8] {
    [0xFF, 0xE1, 0, 34] + Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1]
      + [0, UInt8(orientation), 0, 0, 0, 0, 0, 0]
  }
}

/// A PNG file: chunks with a length, a type and a checksum.
private enum PNGFile {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private static let neededTypes: Set = [
    "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "sBIT", "acTL", "fcTL", "fdAT",
  ]

  static func copyWithoutMetadata(_ bytes: [UInt8]) -> [UInt8]? {
    let reader = ByteReader(bytes: bytes)
    var copy = signature
    var offset = signature.count
    while let length = reader.integer(at: offset, byteCount: 4), let chunk = reader.slice(offset, length + 12) {
      let type = String(decoding: chunk.dropFirst(4).prefix(4), as: UTF8.self)
      if offset == signature.count, type != "IHDR" { return nil }
      if neededTypes.contains(type) { copy += chunk }
      if type == "IEND" { return copy }
      offset = chunk.endIndex
    }
    return nil
  }
}

/// A WebP file: a RIFF list of chunks. Animations are not supported.
private enum WebPFile {
  private static let neededTypes: Set = ["VP8 ", "VP8L", "VP8X", "ALPH", "ICCP"]
  /// The bits of `VP8X` that announce Exif data and XMP.
  private static let metadataFlags: UInt8 = 0b0000_1100

  static func copyWithoutMetadata(_ bytes: [UInt8]) -> [UInt8]? {
    let reader = ByteReader(bytes: bytes)
    guard bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)),
      let size = reader.integer(at: 4, byteCount: 4, isBigEndian: false), size <= bytes.count - 8
    else { return nil }
    var content = Array("WEBP".utf8)
    var hasPicture = false
    var offset = 12
    while offset < size + 8 {
      guard let length = reader.integer(at: offset + 4, byteCount: 4, isBigEndian: false),
        let chunk = reader.slice(offset, 8 + length + length % 2)
      else { return nil }
      let type = String(decoding: chunk.prefix(4), as: UTF8.self)
      if type == "ANIM" || type == "ANMF" { return nil }
      if neededTypes.contains(type) {
        content += chunk
        if type == "VP8X", length > 0 { content[content.count - chunk.count + 8] &= ~metadataFlags }
      }
      hasPicture = hasPicture || type == "VP8 " || type == "VP8L"
      offset = chunk.endIndex
    }
    guard hasPicture else { return nil }
    let count = UInt32(content.count)
    return Array("RIFF".utf8) + (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) } + content
  }
}
