public import Foundation

/// The content of an ISO base media file (MP4, MOV, M4V, 3GP) as described by its boxes.
public struct ISOFile: Equatable, Sendable {
  /// The size of the file.
  public var byteCount: Int64 = 0
  /// The major brand, such as `isom` or `qt  `; `nil` for old QuickTime files without `ftyp`.
  public var majorBrand: FourCC?
  /// The compatible brands in `ftyp`; empty if there is no `ftyp`.
  public var compatibleBrands: [FourCC] = []
  /// The top-level boxes in file order.
  public var topLevelBoxes: [Box] = []
  /// Whether `moov` comes before `mdat`; `nil` if one of them is missing.
  public var isFastStart: Bool?
  /// Whether the file has `moof` boxes, or `moov` declares them.
  public var isFragmented = false
  /// The creation date in `mvhd`; `nil` if it is 0, as written by many programs.
  public var creationDate: Date?
  /// The number of ticks per second in edit lists.
  public var movieTimescale: UInt32 = 0
  /// The tracks in file order, which is libav's stream order.
  public var tracks: [ISOTrack] = []
  /// The data after the last box.
  public var trailer: Trailer?
  var fragmentDefaults = FragmentDefaults()
  /// Descriptions of damage: boxes that exceed their parents, missing boxes, missing bytes.
  public var anomalies: [String] = []
  /// Descriptions of sample tables that are too large or inconsistent.
  public var tableProblems: [String] = []

  /// The number of sample or index bytes that are missing at the end. A value above 0 means that the file is truncated.
  public var missingByteCount: Int64 {
    let index = topLevelBoxes.filter { $0.type == "moov" || $0.type == "moof" }.map(\.overrun).max() ?? 0
    return max(0, (tracks.map(\.byteEnd).max() ?? 0).addingSaturated(-byteCount), index)
  }

  /// A description of a track with an implausible number of samples; `nil` if there is none. Readers that store an
  /// entry per sample would run out of memory.
  public var implausibleTrack: String? {
    for track in tracks where track.sampleCount > SampleTable.trackLimit {
      // Uncompressed audio has millions of small samples of equal size, so check that the file can contain them.
      let size = track.table.map { $0.hasSampleSizes ? 0 : Int64($0.commonSampleSize) } ?? 0
      let (bytes, isTooMuch) = size.multipliedReportingOverflow(by: Int64(track.sampleCount))
      if size > 0, !isTooMuch, bytes <= 2 * byteCount { continue }
      return "\(track.box.path) claims \(track.sampleCount) samples"
    }
    return nil
  }

  /// Calls `body` with the range of each sample of a track, including fragments, in decoding order, until it returns
  /// `false`. The ranges are not validated.
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

  /// The sorted ranges of the samples. Adjacent ranges are merged.
  ///
  /// - Returns: `nil` if the number of separate ranges is implausible.
  public func sampleRanges(
    in source: any ByteSource, of isWanted: (UInt32) -> Bool = { _ in true }
  ) throws(ISOMediaError) -> [Range<Int64>]? {
    var ranges: [Range<Int64>] = []
    func add(_ range: Range<Int64>) -> Bool {
      if let last = ranges.last, last.upperBound == range.lowerBound {
        ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
      } else if !range.isEmpty {
        ranges.append(range)
      }
      return ranges.count < Self.rangeLimit
    }
    for track in tracks where isWanted(track.trackID) {
      try track.table?.forEachChunk(in: source) { chunk in
        add(chunk.offset..<chunk.offset.addingSaturated(chunk.byteCount))
      }
    }
    try forEachRun(in: source) { run throws(ISOMediaError) in
      guard isWanted(run.trackID) else { return }
      _ = add(run.dataStart..<max(run.dataStart, try run.end(in: source)))
    }
    return ranges.count < Self.rangeLimit ? .union(ranges) : nil
  }

  /// Enough for weeks of video. The ranges need 64 MiB.
  private static let rangeLimit = 1 << 22

  /// Calls `body` with each run of samples in the fragments, in file order.
  public func forEachRun(
    in source: any ByteSource, _ body: (FragmentRun) throws(ISOMediaError) -> Void
  ) throws(ISOMediaError) {
    for box in topLevelBoxes where box.type == "moof" {
      try fragmentDefaults.forEachRun(of: box, in: source, body)
    }
  }

  /// Reads the boxes of a file, but never its samples or the whole file. Blocks.
  /// - Returns: `nil` if the file is not an ISO base media file.
  public static func read(path: String) throws(ISOMediaError) -> ISOFile? {
    try read(from: try FileBytes(path: path))
  }

  /// Reads the boxes from any source. Blocks.
  /// - Returns: `nil` if the source is not an ISO base media file.
  public static func read(from source: any ByteSource) throws(ISOMediaError) -> ISOFile? {
    guard try isISO(source) else { return nil }
    var reader = ISOFileReader(source: source)
    return try reader.read()
  }

  /// The types of a file's first box. QuickTime files from before 2001 have no `ftyp`.
  private static let firstTypes: Set<FourCC> = [
    "ftyp", "styp", "moov", "mdat", "moof", "sidx", "free", "skip", "wide", "pnot", "uuid",
  ]

  private static func isISO(_ source: any ByteSource) throws(ISOMediaError) -> Bool {
    var cursor = ByteCursor(try source.bytes(at: 0, count: 8))
    guard let size = cursor.u32(), let type = cursor.fourCC() else { return false }
    return firstTypes.contains(type) && (size >= 8 || size <= 1)
  }
}

/// The data after the last box.
public struct Trailer: Equatable, Sendable {
  /// The writer of the trailer.
  public enum Kind: String, Sendable {
    /// Insta360 cameras, which record motion, exposure, and GPS positions if a receiver is paired.
    case insta360
    /// Samsung's additional data (`SEFT` at the end).
    case samsung
    /// An unknown writer, or damaged data.
    case unknown
  }

  /// The writer of the trailer.
  public var kind: Kind
  /// The range in the file.
  public var range: Range<Int64>
}
