/// A sample of a track, as described by the sample tables.
public struct MediaSample: Equatable, Sendable {
  /// The byte range of the sample in the file.
  public var range: Range<Int64>
  /// The decoding time in media timescale ticks, starting at 0.
  public var decodeTicks: Int64
  /// The interval until the next sample is decoded, in media timescale ticks.
  public var durationTicks: UInt32
  /// The interval from decoding to presentation, in media timescale ticks. Many writers use negative values where the
  /// standard forbids them.
  public var compositionOffset: Int32
  /// Whether decoding can start at this sample.
  public var isSync: Bool

  /// The presentation time in media timescale ticks, before the edit list is applied.
  public var presentationTicks: Int64 { decodeTicks.addingSaturated(Int64(compositionOffset)) }
}

extension [MediaSample] {
  /// The number of samples that have the same presentation or decoding time as another sample, or a composition offset
  /// that exceeds the total duration.
  public var stalledCount: Int {
    let times = map(\.presentationTicks).sorted()
    let shown = zip(times, times.dropFirst()).count { $0 == $1 }
    let decoded = dropLast().count { $0.durationTicks == 0 }
    let length = durationTicks
    return Swift.max(shown, decoded, count { Int64($0.compositionOffset).magnitude > UInt64(clamping: length) })
  }

  /// The total duration of all samples, in media timescale ticks.
  public var durationTicks: Int64 { reduce(0) { $0.addingSaturated(Int64($1.durationTicks)) } }
}

extension SampleTable {
  /// The maximum number of samples in a list, which is enough for two hours at 60 Hz. The list then needs 20 MB of
  /// memory.
  public static let listLimit = 1 << 19
  /// The maximum number of samples in a track, which is enough for half a day of 60 Hz video or of audio packets. A
  /// reader that stores one entry per sample then needs 100 MB of memory.
  static let trackLimit = 1 << 21

  /// Returns all samples in decoding order, except those in fragments.
  /// - Returns: `nil` if there are too many samples, or if the audio is uncompressed, because its samples are only a
  ///   few bytes long.
  public func samples(in source: any ByteSource) throws(ISOMediaError) -> [MediaSample]? {
    guard isWalkable, hasSampleSizes || sampleCount <= 1 || commonSampleSize > 64, sampleCount <= Self.listLimit else {
      return nil
    }
    var times = TableRunReader(timeToSample, in: source)
    var offsets = compositionOffsets.map { TableRunReader($0, in: source) }
    var syncs = syncSamples.map { TableReader(source: source, range: $0.range) }
    var nextSync = try syncs?.u32()
    var decodeTicks: Int64 = 0
    var samples: [MediaSample] = []
    samples.reserveCapacity(sampleCount)
    try forEachSample(in: source) { index, range throws(ISOMediaError) in
      let duration = try times.next() ?? 0
      // Sync sample numbers start at 1.
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
  /// Returns all samples of a track in decoding order, including those in fragments.
  /// - Returns: `nil` if there are too many samples.
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

/// Expands a run-length-encoded table, whose entries have a count and a value, to one value per sample.
private struct TableRunReader {
  private var table: TableReader
  private var left: UInt32 = 0
  private var value: UInt32 = 0

  init(_ entries: SampleTable.Entries, in source: any ByteSource) {
    table = TableReader(source: source, range: entries.range)
  }

  /// Returns the next sample's value; `nil` after the last run.
  mutating func next() throws(ISOMediaError) -> UInt32? {
    while left == 0 {
      guard let count = try table.u32(), let value = try table.u32() else { return nil }
      (left, self.value) = (count, value)
    }
    left -= 1
    return value
  }
}
