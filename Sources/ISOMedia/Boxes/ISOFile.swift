public import Foundation

/// What an ISO base media file (MP4, MOV, M4V, 3GP) says about itself: facts read from its boxes, no opinions.
public struct ISOFile: Equatable, Sendable {
  /// Bytes of the whole file.
  public var byteCount: Int64 = 0
  /// `isom`, `qt  `; `nil` for old QuickTime files without `ftyp`.
  public var majorBrand: FourCC?
  /// As in `ftyp`; empty without it.
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
  /// What is behind the last box, when anything is.
  public var trailer: Trailer?
  var fragmentDefaults = FragmentDefaults()
  /// Damage, in words: boxes beyond their parents, missing boxes, missing bytes.
  public var anomalies: [String] = []
  /// Sample tables that are too large, or do not fit each other or their boxes, in words.
  public var tableProblems: [String] = []

  /// Bytes that the file should have behind its end, of samples or of the index; more than 0 means truncated.
  public var missingByteCount: Int64 {
    let index = topLevelBoxes.filter { $0.type == "moov" || $0.type == "moof" }.map(\.overrun).max() ?? 0
    return max(0, (tracks.map(\.byteEnd).max() ?? 0).addingSaturated(-byteCount), index)
  }

  /// What a track claims beyond anything that a film has, in words; `nil` for ordinary ones. Readers that keep an entry
  /// for each sample would fill the memory with it.
  public var excess: String? {
    for track in tracks where track.sampleCount > SampleTable.trackLimit {
      // Uncompressed sound has millions of small ones, all alike; the file has to have their bytes.
      let size = track.table.map { $0.hasSampleSizes ? 0 : Int64($0.commonSampleSize) } ?? 0
      let (bytes, isTooMuch) = size.multipliedReportingOverflow(by: Int64(track.sampleCount))
      if size > 0, !isTooMuch, bytes <= 2 * byteCount { continue }
      return "\(track.box.path) claims \(track.sampleCount) samples"
    }
    return nil
  }

  /// Gives each sample of a track, those of fragments too, in decoding order, until `body` answers `false`. Ranges are
  /// what the file claims.
  public func forEachSample(
    of track: ISOTrack, in source: any ByteSource, _ body: (Range<Int64>) throws(ISOMediaError) -> Bool
  ) throws(ISOMediaError) {
    var goesOn = true
    try track.table?.forEachSample(in: source) { _, range throws(ISOMediaError) in
      goesOn = try body(range)
      return goesOn
    }
    try forEachRun(in: source) { run throws(ISOMediaError) in
      guard goesOn, run.trackID == track.trackID else { return }
      try run.forEachSample(in: source) { sample throws(ISOMediaError) in
        goesOn = try body(sample.range)
        return goesOn
      }
    }
  }

  /// Where samples are: sorted, neighbours made one.
  ///
  /// - Returns: `nil` when there are more separate places than any film has.
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

  /// Weeks of film; their places take 64 MiB.
  private static let rangeLimit = 1 << 22

  /// Gives each run of samples in the fragments, in file order.
  public func forEachRun(
    in source: any ByteSource, _ body: (FragmentRun) throws(ISOMediaError) -> Void
  ) throws(ISOMediaError) {
    for box in topLevelBoxes where box.type == "moof" {
      try fragmentDefaults.forEachRun(of: box, in: source, body)
    }
  }

  /// Reads a file's boxes, by offset: never a sample of video or sound, never the whole file. Blocks.
  /// - Returns: `nil` when the file is not an ISO base media file.
  public static func read(path: String) throws(ISOMediaError) -> ISOFile? {
    try read(from: try FileBytes(path: path))
  }

  /// The same of bytes anywhere; on this thread.
  /// - Returns: `nil` when they are no ISO base media file.
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
  /// Whose it is.
  public enum Kind: String, Sendable {
    /// Written by Insta360 cameras: motion, exposure, and positions when a receiver is paired.
    case insta360
    /// Samsung's extra data (`SEFT` at the end).
    case samsung
    /// Of somebody else, or damage.
    case unknown
  }

  /// Whose it is.
  public var kind: Kind
  /// In bytes of the file.
  public var range: Range<Int64>
}
