/// One sample of a track, as the tables claim it to be.
public struct MediaSample: Equatable, Sendable {
  /// Where it is in the file.
  public var range: Range<Int64>
  /// In ticks of the media; the first sample's is 0.
  public var decodeTicks: Int64
  /// Until the next one is decoded, in ticks of the media.
  public var durationTicks: UInt32
  /// From decoding to presentation; many writers have negative ones where the standard wants none.
  public var compositionOffset: Int32
  /// Decoding can start here.
  public var isSync: Bool

  /// When it is shown, in ticks of the media, before edits.
  public var presentationTicks: Int64 { decodeTicks.addingSaturated(Int64(compositionOffset)) }
}

extension [MediaSample] {
  /// How many have no time of their own: shown or decoded with another one, or shown longer after they are decoded than
  /// all of them last.
  public var stalledCount: Int {
    let times = map(\.presentationTicks).sorted()
    let shown = zip(times, times.dropFirst()).count { $0 == $1 }
    let decoded = dropLast().count { $0.durationTicks == 0 }
    let length = durationTicks
    return Swift.max(shown, decoded, count { Int64($0.compositionOffset).magnitude > UInt64(clamping: length) })
  }

  /// How long they last together, in ticks of the media.
  public var durationTicks: Int64 { reduce(0) { $0.addingSaturated(Int64($1.durationTicks)) } }
}

extension SampleTable {
  /// More are not listed: two hours of 60 pictures a second, in 20 MB.
  public static let listLimit = 1 << 19
  /// Half a day of 60 pictures a second, or of packets of sound: a reader that keeps an entry for each takes 100 MB.
  static let trackLimit = 1 << 21

  /// All samples in decoding order; those of fragments are not among them.
  /// - Returns: `nil` when there are too many, and for uncompressed sound, whose samples have a few bytes each.
  public func samples(in source: any ByteSource) throws(ISOMediaError) -> [MediaSample]? {
    guard isWalkable, hasSampleSizes || sampleCount <= 1 || commonSampleSize > 64, sampleCount <= Self.listLimit else {
      return nil
    }
    var times = RunReader(timeToSample, in: source)
    var offsets = compositionOffsets.map { RunReader($0, in: source) }
    var syncs = syncSamples.map { TableReader(source: source, range: $0.range) }
    var nextSync = try syncs?.u32()
    var decodeTicks: Int64 = 0
    var samples: [MediaSample] = []
    samples.reserveCapacity(sampleCount)
    try forEachSample(in: source) { index, range throws(ISOMediaError) in
      let duration = try times.next() ?? 0
      // Numbers of sync samples count from 1.
      while let sync = nextSync, sync < index + 1 { nextSync = try syncs?.u32() }
      samples.append(
        MediaSample(
          range: range, decodeTicks: decodeTicks, durationTicks: duration,
          compositionOffset: Int32(bitPattern: try offsets?.next() ?? 0),
          isSync: syncs == nil || nextSync == UInt32(index + 1)))
      decodeTicks = decodeTicks.addingSaturated(Int64(duration))
      return true
    }
    return samples
  }
}

extension ISOFile {
  /// All samples of a track in decoding order, those of fragments too.
  /// - Returns: `nil` when there are too many.
  public func samples(
    of track: ISOTrack, in source: any ByteSource
  ) throws(ISOMediaError) -> [MediaSample]? {
    guard track.sampleCount <= SampleTable.listLimit, var samples = try track.table?.samples(in: source) else {
      return nil
    }
    guard isFragmented else { return samples }
    var decodeTicks = samples.durationTicks
    try forEachRun(in: source) { run throws(ISOMediaError) in
      guard run.trackID == track.trackID else { return }
      decodeTicks = run.decodeTicks ?? decodeTicks
      try run.forEachSample(in: source) { sample in
        guard samples.count < SampleTable.listLimit else { return false }
        samples.append(
          MediaSample(
            range: sample.range, decodeTicks: decodeTicks, durationTicks: sample.duration,
            compositionOffset: sample.compositionOffset, isSync: sample.isSync))
        decodeTicks = decodeTicks.addingSaturated(Int64(sample.duration))
        return true
      }
    }
    return samples
  }
}

/// Reads a table of runs, a count and a value each, as one value for every sample.
private struct RunReader {
  private var table: TableReader
  private var left: UInt32 = 0
  private var value: UInt32 = 0

  init(_ entries: SampleTable.Entries, in source: any ByteSource) {
    table = TableReader(source: source, range: entries.range)
  }

  /// `nil` behind the last run.
  mutating func next() throws(ISOMediaError) -> UInt32? {
    while left == 0 {
      guard let count = try table.u32(), let value = try table.u32() else { return nil }
      (left, self.value) = (count, value)
    }
    left -= 1
    return value
  }
}
