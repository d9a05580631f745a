public import ClipModel
public import Foundation

/// What an ISO base media file (MP4, MOV, M4V, 3GP) says about itself: facts read from its boxes, no opinions.
public struct ISOFile: Equatable, Sendable {
  public var byteCount: Int64 = 0
  /// `isom`, `qt  `; `nil` for old QuickTime files without `ftyp`.
  public var majorBrand: FourCC?
  public var compatibleBrands: [FourCC] = []
  /// The boxes at the top, in file order.
  public var topLevelBoxes: [Box] = []
  /// `moov` before `mdat`; `nil` when one of them is missing.
  public var isFastStart: Bool?
  /// There are `moof` boxes, or `moov` announces them.
  public var isFragmented = false
  /// From `mvhd`; `nil` when it is 0, as many writers leave it.
  public var creationDate: Date?
  /// Ticks per second of edit lists.
  public var movieTimescale: UInt32 = 0
  /// In the order of the file, which is libav's stream order.
  public var tracks: [ISOTrack] = []
  /// Places that can tell where it was filmed.
  public var locationCarriers: [LocationCarrier] = []
  /// What is behind the last box, when anything is.
  public var trailer: Trailer?
  /// Damage, in words: boxes beyond their parents, missing boxes, missing bytes.
  public var anomalies: [String] = []

  /// Bytes of samples that the file should have behind its end; more than 0 means truncated.
  public var missingByteCount: Int64 {
    max(0, (tracks.map(\.byteEnd).max() ?? 0) - byteCount)
  }

  /// Reads a file's boxes, by offset: never a sample of video or sound, never the whole file. Blocks.
  /// - Returns: `nil` when the file is not an ISO base media file.
  public static func read(path: String) throws(ISOMediaError) -> ISOFile? {
    try read(from: try FileBytes(path: path))
  }

  public static func read(from source: any ByteSource) throws(ISOMediaError) -> ISOFile? {
    guard try isISO(source) else { return nil }
    var reader = ISOFileReader(source: source)
    return try reader.read()
  }

  /// Types that a file can begin with; QuickTime files before 2001 have no `ftyp`.
  private static let firstTypes: Set<FourCC> = [
    "ftyp", "styp", "moov", "mdat", "moof", "sidx", "free", "skip", "wide", "pnot", "uuid",
  ]

  private static func isISO(_ source: any ByteSource) throws(ISOMediaError) -> Bool {
    var cursor = ByteCursor(try source.bytes(at: 0, count: 8))
    guard let size = cursor.u32(), let type = cursor.fourCC() else { return false }
    return firstTypes.contains(type) && (size >= 8 || size <= 1)
  }
}

/// Bytes behind the last box.
public struct Trailer: Equatable, Sendable {
  public enum Kind: String, Sendable {
    /// Written by Insta360 cameras: motion, exposure, and positions when a receiver is paired.
    case insta360
    /// Samsung's extra data (`SEFT` at the end).
    case samsung
    case unknown
  }

  public var kind: Kind
  public var range: Range<Int64>
}
