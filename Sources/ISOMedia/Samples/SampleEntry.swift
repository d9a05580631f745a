public import ClipModel

/// A sample description: an entry in `stsd`.
public struct SampleEntry: Equatable, Sendable {
  /// The sample format: `avc1`, `hvc1`, `mp4a`, `mebx`…
  public var format: FourCC
  /// The entry's box in `stsd`.
  public var box: Box
  /// The boxes inside the entry: `avcC`, `colr`, `pasp`, `keys`…
  public var extensions: [Box] = []
  /// The stored frame size; `nil` if the samples are not video frames.
  public var pictureSize: PictureSize?
  /// The value of `pasp`; `nil` if it is missing or 0.
  public var pixelAspectRatio: Rational?
  /// The value of `colr`; `nil` if it is missing.
  public var color: ColorInformation?
  /// The value of `dvcC` or `dvvC`; `nil` if they are missing.
  public var dolbyVision: DolbyVision?

  /// Reads an entry. The handler determines the length of the fields before its boxes.
  init(box: Box, handler: FourCC?, source: any ByteSource) throws(ISOMediaError) {
    format = box.type
    self.box = box
    guard let skipped = try Self.fieldLength(of: box, handler: handler, source: source) else { return }
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

  /// The configuration for an H.264 or HEVC decoder (`avcC`, `hvcC`); `nil` if it is missing.
  package func decoderSetup(in source: any ByteSource) throws(ISOMediaError) -> DecoderSetup? {
    guard let box = extensions.first(where: { $0.type == "avcC" || $0.type == "hvcC" }) else { return nil }
    // A parameter set has a few dozen bytes.
    let bytes = try source.bytes(in: box.payload, atMost: 64 << 10)
    return box.type == "avcC" ? DecoderSetup(avcC: bytes) : DecoderSetup(hvcC: bytes)
  }

  /// The configuration for an MPEG-4 decoder (`esds`; in QuickTime audio inside `wave`); `nil` if it is missing.
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

  /// The number of bytes between the header and the first box inside; `nil` if the format contains no boxes.
  private static func fieldLength(
    of box: Box, handler: FourCC?, source: any ByteSource
  ) throws(ISOMediaError) -> Int64? {
    switch handler {
    case "vide", "pict", "auxv": return visualFieldLength
    case "soun":
      // QuickTime's sound descriptions of version 1 and 2 are longer.
      var cursor = try source.cursor(in: box.payload, atMost: 10)
      guard cursor.skip(8), let version = cursor.u16() else { return nil }
      return version == 1 ? 44 : version == 2 ? 64 : 28
    default: return box.type == "mebx" ? 8 : nil
    }
  }
}

/// The color information of a video track (`colr`).
public struct ColorInformation: Equatable, Sendable {
  /// `nclx` (ISO), `nclc` (QuickTime), `prof` or `rICC` (an ICC profile, which is not read).
  public var kind: FourCC
  /// The ITU-T H.273 code point; 0 if there is an ICC profile instead.
  public var primaries: UInt16 = 0
  /// The ITU-T H.273 code point; 0 if there is an ICC profile instead.
  public var transfer: UInt16 = 0
  /// The ITU-T H.273 code point; 0 if there is an ICC profile instead.
  public var matrix: UInt16 = 0
  /// Whether the samples have full range. Only present in `nclx`.
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

/// The Dolby Vision configuration (`dvcC`, `dvvC`).
public struct DolbyVision: Equatable, Sendable {
  /// The profile. 5, 7 and 8 are common.
  public var profile: Int
  /// The level from 1 to 13, which limits the frame size and rate.
  public var level: Int
  /// The compatibility of the base layer: 0 none, 1 HDR10, 2 SDR, 4 HLG.
  public var compatibilityID: Int

  /// Reads the configuration record: two version bytes, then a 7-bit profile, a 6-bit level, 3 flags, and a 4-bit
  /// compatibility ID.
  init?(_ cursor: ByteCursor) {
    var cursor = cursor
    guard cursor.skip(2), let bits = cursor.u16(), let compatibility = cursor.u8() else { return nil }
    profile = Int(bits >> 9)
    level = Int(bits >> 3 & 0x3F)
    compatibilityID = Int(compatibility >> 4)
  }
}
