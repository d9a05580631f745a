public import ClipModel

/// How the samples of a track are coded: one entry of `stsd`.
public struct SampleEntry: Equatable, Sendable {
  /// `avc1`, `hvc1`, `mp4a`, `mebx`…
  public var format: FourCC
  /// The entry itself, in `stsd`.
  public var box: Box
  /// The boxes inside: `avcC`, `colr`, `pasp`, `keys`…
  public var extensions: [Box] = []
  /// Stored pixels; `nil` for what is no picture.
  public var pictureSize: PictureSize?
  /// `pasp`; `nil` when there is none, or one of zeros.
  public var pixelAspectRatio: Rational?
  /// From `colr`; `nil` without it.
  public var color: ColorInformation?
  /// From `dvcC` or `dvvC`; `nil` without them.
  public var dolbyVision: DolbyVision?

  /// Reads an entry; `handler` tells how long the fields before its boxes are.
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

  /// What a decoder of H.264 or HEVC is told (`avcC`, `hvcC`); `nil` without it.
  package func decoderSetup(in source: any ByteSource) throws(ISOMediaError) -> DecoderSetup? {
    for child in extensions {
      // Sets of a few dozen bytes each; more than this is no decoder's setup.
      switch child.type {
      case "avcC": return DecoderSetup(avcC: try source.bytes(in: child.payload, atMost: 64 << 10))
      case "hvcC": return DecoderSetup(hvcC: try source.bytes(in: child.payload, atMost: 64 << 10))
      default: continue
      }
    }
    return nil
  }

  /// What a decoder of MPEG-4 is told (`esds`, in QuickTime's sound inside of `wave`); `nil` without it.
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

  /// Bytes between the header and the first box inside; `nil` when the format has no boxes.
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

/// The colour of a video track (`colr`).
public struct ColorInformation: Equatable, Sendable {
  /// `nclx` (ISO), `nclc` (QuickTime), `prof` or `rICC` (a profile, whose values are not read).
  public var kind: FourCC
  /// Code points of ITU-T H.273; 0 with a profile.
  public var primaries: UInt16 = 0
  /// Code point of ITU-T H.273; 0 with a profile.
  public var transfer: UInt16 = 0
  /// Code point of ITU-T H.273; 0 with a profile.
  public var matrix: UInt16 = 0
  /// Only `nclx` tells.
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

/// Dolby Vision configuration (`dvcC`, `dvvC`).
public struct DolbyVision: Equatable, Sendable {
  /// 5, 7, 8 in the wild.
  public var profile: Int
  /// 1 to 13: pixels and frames a second.
  public var level: Int
  /// What a player without Dolby Vision sees: 0 nothing usable, 1 HDR10, 2 SDR, 4 HLG.
  public var compatibilityID: Int

  /// The configuration record: two version bytes, then 7 bits profile, 6 bits level, 3 flags, 4 bits compatibility.
  init?(_ cursor: ByteCursor) {
    var cursor = cursor
    guard cursor.skip(2), let bits = cursor.u16(), let compatibility = cursor.u8() else { return nil }
    profile = Int(bits >> 9)
    level = Int(bits >> 3 & 0x3F)
    compatibilityID = Int(compatibility >> 4)
  }
}
