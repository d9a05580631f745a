import ClipModel
import TestSupport
import Testing

/// Pictures are copied without metadata. The files are assembled from their parts, so that no codec is needed.
@Suite struct StillPictureTests {
  static let secret = Array("52.5200N 13.4050E".utf8)

  // MARK: JPEG

  static func segment(_ code: UInt8, _ content: [UInt8]) -> [UInt8] {
    let length = content.count + 2
    return [0xFF, code, UInt8(length >> 8), UInt8(length & 0xFF)] + content
  }

  private static let jfif = segment(0xE0, Array("JFIF\0".utf8) + [1, 2, 0, 0, 1, 0, 1, 0, 0])
  private static let tables =
    segment(0xDB, Array(repeating: 7, count: 65)) + segment(0xC4, Array(repeating: 3, count: 20))
  private static let frame = segment(0xC2, [8, 0, 16, 0, 16, 1, 1, 0x11, 0])
  /// Two scans, with a stuffed byte and a restart marker.
  private static let scans =
    segment(0xDA, [1, 1, 0, 0, 63, 0]) + [1, 0xFF, 0, 2, 0xFF, 0xD3, 3] + segment(0xC4, [9, 9])
    + segment(0xDA, [1, 1, 0, 0, 63, 0]) + [4, 5]
  private static let end: [UInt8] = [0xFF, 0xD9]

  private static func jpeg(_ extra: [UInt8] = [], after: [UInt8] = []) -> [UInt8] {
    [0xFF, 0xD8] + jfif + extra + tables + frame + scans + end + after
  }

  private static func exif(orientation: UInt8, isBigEndian: Bool) -> [UInt8] {
    let head: [UInt8] = isBigEndian ? [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 2] : [0x49, 0x49, 42, 0, 8, 0, 0, 0, 2, 0]
    let entry: [UInt8] =
      isBigEndian
      ? [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0] : [0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]
    let other = Array(repeating: UInt8(0), count: 12)
    return segment(0xE1, Array("Exif\0\0".utf8) + head + other + entry + [0, 0, 0, 0] + secret)
  }

  @Test(arguments: [
    ("Exif", segment(0xE1, Array("Exif\0\0".utf8) + secret)),
    ("XMP", segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + secret)),
    ("IPTC", segment(0xED, Array("Photoshop 3.0\0".utf8) + secret)), ("comment", segment(0xFE, secret)),
    ("an unknown segment", segment(0xE9, secret)),
    ("a JFIF thumbnail", segment(0xE0, Array("JFIF\0".utf8) + [1, 2, 0, 0, 1, 0, 1, 3, 2] + secret)),
    ("fill bytes", [0xFF, 0xFF] + segment(0xFE, secret)),
  ])
  func jpegLosesMetadata(_ name: String, _ part: [UInt8]) throws {
    let picture = try #require(StillPicture(removingMetadataFrom: Self.jpeg(part)))
    #expect(picture.format == .jpeg)
    #expect(picture.bytes == Self.jpeg(), "\(name)")
  }

  @Test func jpegLosesWhatFollowsThePicture() throws {
    let motion = Self.jpeg() + Self.secret
    #expect(try #require(StillPicture(removingMetadataFrom: Self.jpeg(after: motion))).bytes == Self.jpeg())
  }

  @Test func jpegKeepsColors() throws {
    let colors =
      Self.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1, 9])
      + Self.segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1])
    #expect(try #require(StillPicture(removingMetadataFrom: Self.jpeg(colors))).bytes == Self.jpeg(colors))
  }

  @Test(arguments: [UInt8](0...9), [true, false])
  func jpegKeepsItsOrientationOnly(_ orientation: UInt8, isBigEndian: Bool) throws {
    let file = Self.jpeg(Self.exif(orientation: orientation, isBigEndian: isBigEndian))
    let picture = try #require(StillPicture(removingMetadataFrom: file))
    #expect(!picture.bytes.contains(Self.secret))
    let kept = (2...8).contains(orientation)
    #expect((picture.bytes != Self.jpeg()) == kept)
    // The copy of the copy is the same: its orientation is readable.
    #expect(StillPicture(removingMetadataFrom: picture.bytes) == picture)
    if kept { #expect(picture.bytes.contains([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0])) }
  }

  // MARK: PNG and WebP

  private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    [0, 0, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + Array(type.utf8) + content + [1, 2, 3, 4]
  }

  private static func png(_ extra: [UInt8] = [], after: [UInt8] = []) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", Array(repeating: 0, count: 13)) + extra
      + chunk("IDAT", [1, 2, 3]) + chunk("IEND", []) + after
  }

  @Test(arguments: ["tEXt", "iTXt", "zTXt", "eXIf", "tIME", "prVt"]) func pngLosesMetadata(_ type: String) throws {
    let file = Self.png(Self.chunk(type, Self.secret), after: Self.secret)
    let picture = try #require(StillPicture(removingMetadataFrom: file))
    #expect(picture.format == .png)
    #expect(picture.bytes == Self.png())
  }

  private static func webP(_ chunks: [(String, [UInt8])]) -> [UInt8] {
    var content = Array("WEBP".utf8)
    for (type, data) in chunks {
      content += Array(type.utf8)
      content += [UInt8(data.count), 0, 0, 0]
      content += data
      if data.count % 2 == 1 { content.append(0) }
    }
    return Array("RIFF".utf8) + [UInt8(content.count), 0, 0, 0] + content
  }

  @Test(arguments: ["EXIF", "XMP ", "junk"]) func webPLosesMetadata(_ type: String) throws {
    let size: [UInt8] = [0, 0, 0, 15, 0, 0, 15, 0, 0]
    let file = Self.webP([("VP8X", [0b0010_1100] + size), ("VP8 ", [1, 2, 3]), (type, Self.secret)]) + Self.secret
    let picture = try #require(StillPicture(removingMetadataFrom: file))
    #expect(picture.format == .webP)
    #expect(picture.bytes == Self.webP([("VP8X", [0b0010_0000] + size), ("VP8 ", [1, 2, 3])]))
  }

  // MARK: Damage

  static let files = [
    jpeg(exif(orientation: 6, isBigEndian: true)), png(chunk("tEXt", secret)),
    webP([("VP8X", Array(repeating: 0, count: 10)), ("VP8 ", [1, 2, 3]), ("EXIF", secret)]),
  ]

  @Test(arguments: files) func incompletePicturesAreRefused(_ file: [UInt8]) {
    for count in 0..<file.count {
      #expect(StillPicture(removingMetadataFrom: Array(file.prefix(count))) == nil, "\(count)")
    }
  }

  @Test(arguments: [Array("GIF89a".utf8), Array("<svg onload=alert(1)>".utf8), Array("RIFF\u{4}\0\0\0WAVE".utf8)])
  func otherFilesAreRefused(_ file: [UInt8]) {
    #expect(StillPicture(removingMetadataFrom: file) == nil)
  }

  @Test(arguments: UInt64(1)...200) func copiesOfDamagedPicturesAreStable(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var file = Self.files[Int(seed % 3)]
    for _ in 0..<3 {
      file[Int.random(in: 0..<file.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
    }
    guard let picture = StillPicture(removingMetadataFrom: file) else { return }
    #expect(StillPicture(removingMetadataFrom: picture.bytes) == picture, "seed \(seed)")
  }
}
