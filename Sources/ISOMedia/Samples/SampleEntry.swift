public import ClipModel

/// A sample description: an entry in the `stsd` box.
public struct SampleEntry: Equatable, Sendable {
  /// The sample format, such as `avc1`, `hvc1`, `mp4a` or `mebx`.
  public var format: FourCC
  /// The entry's box in `stsd`.
  public var box: Box
  /// The boxes inside the entry, such as `avcC`, `colr`, `pasp` and `keys`.
  public var extensions: [Box] = []
  /// The stored frame size; `nil` if the samples are not video frames.
  public var pictureSize: PictureSize?
  /// The pixel aspect ratio in `pasp`; `nil` if the box is missing or the ratio is 0.
  public var pixelAspectRatio: Rational?
  /// The color information in `colr`; `nil` if the box is missing.
  public var color: ColorInformation?
  /// The Dolby Vision configuration in `dvcC` or `dvvC`; `nil` if both boxes are missing.
  public var dolbyVision: DolbyVision?

  /// Reads a sample entry. The track's handler determines how many fields precede the child boxes.
  init(box: Box, handler: FourCC?, source: any ByteSource) throws(ISOMediaError) {
    format = box.type
    self.box = box
    guard let skipped = try Self.fieldByteCount(of: box, handler: handler, source: source) else { return }
    if skipped == Self.visualFieldLength {
      pictureSize = try Self.pictureSize(source.cursor(in: box.payload, atMost: 28))
    }
    var reader = BoxReader(source: source, childrenOf: box, skipping: skipped)
    while let child = try reader.next(), extensions.count < 64 {
      extensions.append(child)
      switch child.type {
      case "pasp": pixelAspectRatio = Self.pixelAspectRatio(try source.cursor(in: child.payload, atMost: 8))
      case "colr": color = ColorInformation(try source.cursor(in: child.payload))
      case "dvcC", "dvvC", "dvwC": dolbyVision = DolbyVision(try source.cursor(in: child.payload))
      default: break
      }
    }
  }

  /// Returns the H.264 or HEVC decoder configuration (`avcC`, `hvcC`); `nil` if the entry has none.
  package func decoderSetup(in source: any ByteSource) throws(ISOMediaError) -> DecoderSetup? {
    guard let box = extensions.first(where: { $0.type == "avcC" || $0.type == "hvcC" }) else { return nil }
    // Parameter sets are usually only a few dozen bytes long.
    let bytes = try source.bytes(in: box.payload, atMost: 64 << 10)
    return box.type == "avcC" ? DecoderSetup(avcC: bytes) : DecoderSetup(hvcC: bytes)
  }

  /// Returns the MPEG-4 decoder configuration (`esds`, which QuickTime audio stores inside `wave`); `nil` if the entry
  /// has none.
  package func elementaryStream(in source: any ByteSource) throws(ISOMediaError) -> ElementaryStreamDescriptor? {
    var boxes = extensions
    if let wave = boxes.first(where: { $0.type == "wave" }) {
      var reader = BoxReader(source: source, childrenOf: wave)
      while let child = try reader.next(), boxes.count < 128 { boxes.append(child) }
    }
    guard let box = boxes.first(where: { $0.type == "esds" }) else { return nil }
    return ElementaryStreamDescriptor(try source.bytes(in: box.payload, atMost: 1024))
  }

  private static func pictureSize(_ cursor: ByteCursor) -> PictureSize? {
    var cursor = cursor
    guard cursor.skip(24), let width = cursor.u16(), let height = cursor.u16() else { return nil }
    return PictureSize(width: Int(width), height: Int(height))
  }

  private static func pixelAspectRatio(_ cursor: ByteCursor) -> Rational? {
    var cursor = cursor
    guard let width = cursor.u32().flatMap({ Int32(exactly: $0) }),
      let height = cursor.u32().flatMap({ Int32(exactly: $0) }),
      width > 0, height > 0
    else { return nil }
    return Rational(width, height)
  }

  private static let visualFieldLength: Int64 = 78

  /// Returns the number of bytes between the header and the first child box; `nil` if the format has no child boxes.
  private static func fieldByteCount(
    of box: Box, handler: FourCC?, source: any ByteSource
  ) throws(ISOMediaError) -> Int64? {
    switch handler {
    case "vide", "pict", "auxv": return visualFieldLength
    case "soun":
      // QuickTime sound descriptions of versions 1 and 2 have more fields.
      var cursor = try source.cursor(in: box.payload, atMost: 10)
      guard cursor.skip(8), let version = cursor.u16() else { return nil }
      return version == 1 ? 44 : version == 2 ? 64 : 28
    default: return box.type == "mebx" ? 8 : nil
    }
  }
}

/// The color information of a video track (`colr`).
public struct ColorInformation: Equatable, Sendable {
  /// The kind of color information: `nclx` (ISO), `nclc` (QuickTime), or `prof` or `rICC` (an ICC profile, which isn't
  /// read).
  public var kind: FourCC
  /// The color primaries as an ITU-T H.273 code point; 0 if the box contains an ICC profile instead.
  public var primaries: UInt16 = 0
  /// The transfer characteristics as an ITU-T H.273 code point; 0 if the box contains an ICC profile instead.
  public var transfer: UInt16 = 0
  /// The matrix coefficients as an ITU-T H.273 code point; 0 if the box contains an ICC profile instead.
  public var matrix: UInt16 = 0
  /// Whether the samples use the full range. Only `nclx` contains this flag.
  public var isFullRange: Bool?

  init?(_ cursor: ByteCursor) {
    var cursor = cursor
    guard let kind = cursor.fourCC() else { return nil }
    self.kind = kind
    guard kind == "nclx" || kind == "nclc" else { return }
    guard let primaries = cursor.u16(), let transfer = cursor.u16(), let matrix = cursor.u16() else { return nil }
    (self.primaries, self.transfer, self.matrix) = (primaries, transfer, matrix)
    if kind == "nclx" { isFullRange = cursor.u8().map { $0 & 0x80 != 0 } }
  }
}

/// The Dolby Vision configuration of a video track (`dvcC`, `dvvC`).
public struct DolbyVision: Equatable, Sendable {
  /// The Dolby Vision profile. Profiles 5, 7 and 8 are common.
  public var profile: Int
  /// The Dolby Vision level from 1 to 13, which limits the frame size and frame rate.
  public var level: Int
  /// The base layer's compatibility: 0 for none, 1 for HDR10, 2 for SDR, or 4 for HLG.
  public var compatibilityID: Int

  /// Parses the configuration record: two version bytes, a 7-bit profile, a 6-bit level, three flags, and a 4-bit
  /// compatibility ID.
  init?(_ cursor: ByteCursor) {
    var cursor = cursor
    guard cursor.skip(2), let bits = cursor.u16(), let compatibility = cursor.u8() else { return nil }
    profile = Int(bits >> 9)
    level = Int(bits >> 3 & 0x3F)
    compatibilityID = Int(compatibility >> 4)
  }
}
