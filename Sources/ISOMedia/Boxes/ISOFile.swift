public import Foundation

/// The structure of an ISO base media file (MP4, MOV, M4V or 3GP), as described by its boxes.
public struct ISOFile: Equatable, Sendable {
  /// The file size in bytes.
  public var byteCount: Int64 = 0
  /// The major brand, such as `isom` or `qt `; `nil` for old QuickTime files, which have no `ftyp` box.
  public var majorBrand: FourCC?
  /// The compatible brands in `ftyp`; empty if the file has no `ftyp` box.
  public var compatibleBrands: [FourCC] = []
  /// The top-level boxes in file order.
  public var topLevelBoxes: [Box] = []
  /// Whether `moov` comes before `mdat`; `nil` if one of them is missing.
  public var isFastStart: Bool?
  /// Whether the file has `moof` boxes or its `moov` box declares fragments.
  public var isFragmented = false
  /// The creation date in `mvhd`; `nil` if the field is 0, which many programs write.
  public var creationDate: Date?
  /// The movie timescale, in ticks per second. Edit lists use it.
  public var movieTimescale: UInt32 = 0
  /// The tracks in file order, which is also libav's stream order.
  public var tracks: [ISOTrack] = []
  /// The data after the file's last box; `nil` if there is none.
  public var trailer: Trailer?
  var fragmentDefaults = FragmentDefaults()
  /// Descriptions of damage, such as missing bytes, missing boxes, and boxes that exceed their parents.
  public var anomalies: [String] = []
  /// Descriptions of sample tables that are too large or inconsistent with each other.
  public var tableProblems: [String] = []

  /// The number of sample or index bytes that are missing at the end of the file. The file is truncated if this is
  /// above 0.
  public var missingByteCount: Int64 {
    let index = topLevelBoxes.filter { $0.type == "moov" || $0.type == "moof" }.map(\.overrun).max() ?? 0
    return max(0, (tracks.map(\.byteEnd).max() ?? 0).addingSaturated(-byteCount), index)
  }

  /// Describes the first track with an implausible number of samples; `nil` if there is none. A reader that stores one
  /// entry per sample would run out of memory.
  public var implausibleTrack: String? {
    for track in tracks where track.sampleCount > SampleTable.trackLimit {
      // Uncompressed audio has millions of tiny samples of equal size, so this checks whether the file is large enough
      // for them.
      let size = track.table.map { $0.hasSampleSizes ? 0 : Int64($0.commonSampleSize) } ?? 0
      let (bytes, isTooMuch) = size.multipliedReportingOverflow(by: Int64(track.sampleCount))
      if size > 0, !isTooMuch, bytes <= 2 * byteCount { continue }
      return "\(track.box.path) declares \(track.sampleCount) samples"
    }
    return nil
  }

  /// Calls `body` with the byte range of each sample of a track, including samples in fragments, in decoding order,
  /// until `body` returns `false`. The ranges are not validated.
  public func forEachSample(
    of track: ISOTrack, in source: any ByteSource, _ body: (Range<Int64>) throws(ISOMediaError) -> Bool
  ) throws(ISOMediaError) {
    var continues = true
    try track.table?.forEachSample(in: source) { _, range throws(ISOMediaError) in
      continues = try body(range)
      return continues
    }
    try forEachRun(in: source) { run throws(ISOMediaError) in
      guard continues, run.trackID == track.trackID else { return }
      try run.forEachSample(in: source) { sample throws(ISOMediaError) in
        continues = try body(sample.range)
        return continues
      }
    }
  }

  /// Returns the byte ranges of all samples, sorted. Adjacent ranges are merged.
  ///
  /// - Returns: `nil` if the number of separate ranges is implausible.
  public func sampleRanges(
    in source: any ByteSource, of isWanted: (UInt32) -> Bool = { _ in true }
  ) throws(ISOMediaError) -> [Range<Int64>]? {
    var ranges: [Range<Int64>] = []
    func appendRange(_ range: Range<Int64>) -> Bool {
      if let last = ranges.last, last.upperBound == range.lowerBound {
        ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
      } else if !range.isEmpty {
        ranges.append(range)
      }
      return ranges.count < Self.rangeLimit
    }
    for track in tracks where isWanted(track.trackID) {
      try track.table?.forEachChunk(in: source) { chunk in
        appendRange(chunk.offset..<chunk.offset.addingSaturated(chunk.byteCount))
      }
    }
    try forEachRun(in: source) { run throws(ISOMediaError) in
      guard isWanted(run.trackID) else { return }
      _ = appendRange(run.dataStart..<max(run.dataStart, try run.endOffset(in: source)))
    }
    return ranges.count < Self.rangeLimit ? .union(ranges) : nil
  }

  /// The maximum number of byte ranges. It is enough for weeks of video; the ranges then need 64 MiB of memory.
  private static let rangeLimit = 1 << 22

  /// Calls `body` with each sample run in the file's fragments, in file order.
  public func forEachRun(
    in source: any ByteSource, _ body: (FragmentRun) throws(ISOMediaError) -> Void
  ) throws(ISOMediaError) {
    for box in topLevelBoxes where box.type == "moof" {
      try fragmentDefaults.forEachRun(of: box, in: source, body)
    }
  }

  /// Reads the boxes of a file, but not its samples. Blocks the calling thread.
  /// - Returns: `nil` if the file is not an ISO base media file.
  public static func read(path: String) throws(ISOMediaError) -> ISOFile? {
    try read(from: try FileBytes(path: path))
  }

  /// Reads the boxes from any byte source. Blocks the calling thread.
  /// - Returns: `nil` if the source is not an ISO base media file.
  public static func read(from source: any ByteSource) throws(ISOMediaError) -> ISOFile? {
    guard try isISOFile(source) else { return nil }
    var reader = ISOFileReader(source: source)
    return try reader.read()
  }

  /// The box types with which a media file can start. QuickTime files from before 2001 have no `ftyp` box.
  private static let firstTypes: Set<FourCC> = [
    "ftyp", "styp", "moov", "mdat", "moof", "sidx", "free", "skip", "wide", "pnot", "uuid",
  ]

  private static func isISOFile(_ source: any ByteSource) throws(ISOMediaError) -> Bool {
    var cursor = ByteCursor(try source.bytes(at: 0, count: 8))
    guard let size = cursor.u32(), let type = cursor.fourCC() else { return false }
    return firstTypes.contains(type) && (size >= 8 || size <= 1)
  }
}

/// The data after a file's last box.
public struct Trailer: Equatable, Sendable {
  /// The program or camera family that wrote the trailer.
  public enum Kind: String, Sendable {
    /// Insta360 cameras, which record motion, exposure and, if a GPS receiver is paired, positions.
    case insta360
    /// Samsung phones, whose trailer ends with `SEFT`.
    case samsung
    /// An unknown writer, or damaged data.
    case unknown
  }

  /// The program or camera family that wrote the trailer.
  public var kind: Kind
  /// The byte range of the trailer in the file.
  public var range: Range<Int64>
}
