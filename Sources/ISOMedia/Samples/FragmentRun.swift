/// A run of consecutive samples of a track in a fragment (`trun`), combined with the defaults from `tfhd` and `trex`.
public struct FragmentRun: Equatable, Sendable {
  /// The default values for a track's samples.
  struct Defaults: Equatable, Sendable {
    var duration: UInt32 = 0
    var size: UInt32 = 0
    var flags: UInt32 = 0
  }

  /// A sample in a fragment run.
  public struct Sample: Equatable, Sendable {
    /// The byte range of the sample in the file.
    public var range: Range<Int64>
    /// The duration in media timescale ticks.
    public var duration: UInt32
    /// The interval from decoding to presentation, in media timescale ticks.
    public var compositionOffset: Int32
    /// Whether the sample is a sync sample. The flag in the file has the opposite meaning.
    public var isSync: Bool
  }

  /// The `trun` box.
  public var box: Box
  /// The ID of the track that the samples belong to.
  public var trackID: UInt32
  /// The first sample's decoding time in media timescale ticks (`tfdt`); `nil` if the run continues the previous one.
  public var decodeTicks: Int64?
  /// The file offset of the first sample.
  public var dataStart: Int64
  /// The declared number of samples. If samples have their own fields, the size of the box limits this number.
  public var sampleCount: Int
  let flags: UInt32
  let defaults: Defaults
  let firstFlags: UInt32?
  /// The byte range of the sample fields, which have four bytes each; empty if all samples are uniform.
  let entries: Range<Int64>

  /// Reads the header of a fragment run.
  /// - Parameters:
  ///   - base: the offset to which the run's data offset is relative.
  ///   - position: the end of the previous run.
  init?(
    _ box: Box, trackID: UInt32, defaults: Defaults, base: Int64, position: Int64, source: any ByteSource
  ) throws(ISOMediaError) {
    var cursor = try source.cursor(in: box.payload, atMost: 16)
    guard let flags = cursor.u32(), let claimed = cursor.u32() else { return nil }
    var start = position
    if flags & 0x01 != 0 {
      guard let offset = cursor.u32() else { return nil }
      start = base.addingSaturated(Int64(Int32(bitPattern: offset)))
    }
    firstFlags = flags & 0x04 != 0 ? cursor.u32() : nil
    self.box = box
    self.trackID = trackID
    self.flags = flags
    self.defaults = defaults
    dataStart = start
    entries = box.payload(skipping: Int64(cursor.position))
    let fields = FragmentRun.fieldCount(flags)
    sampleCount = fields == 0 ? Int(claimed) : min(Int(claimed), entries.count / (4 * fields), SampleTable.entryLimit)
    claimedCount = Int(claimed)
  }

  /// The number of samples that the box declares. If it differs from `sampleCount`, the box is damaged.
  let claimedCount: Int

  var isUniform: Bool { FragmentRun.fieldCount(flags) == 0 }
  var isFirstSync: Bool { FragmentRun.isSync(firstFlags ?? defaults.flags) }
  var areOthersSync: Bool { FragmentRun.isSync(defaults.flags) }

  private static func fieldCount(_ flags: UInt32) -> Int { (flags & 0xF00).nonzeroBitCount }
  private static func isSync(_ flags: UInt32) -> Bool { flags & 0x1_0000 == 0 }

  /// Calls `body` with each sample in order until `body` returns `false`. Uniform samples are enumerated only up to the
  /// end of the file, even if the run declares more.
  public func forEachSample(
    in source: any ByteSource, _ body: (Sample) throws(ISOMediaError) -> Bool
  ) throws(ISOMediaError) {
    var start = dataStart
    var reader = TableReader(source: source, range: entries)
    for index in 0..<(isUniform ? uniformSampleCount(in: source) : sampleCount) {
      let duration = flags & 0x100 != 0 ? try reader.u32() : defaults.duration
      let size = flags & 0x200 != 0 ? try reader.u32() : defaults.size
      var sampleFlags = flags & 0x400 != 0 ? try reader.u32() : defaults.flags
      let offset = flags & 0x800 != 0 ? try reader.u32() : 0
      if index == 0, let firstFlags { sampleFlags = firstFlags }
      guard let duration, let size, let sampleFlags, let offset else { return }
      let end = start.addingSaturated(Int64(size))
      guard
        try body(
          Sample(
            range: start..<end, duration: duration, compositionOffset: Int32(bitPattern: offset),
            isSync: FragmentRun.isSync(sampleFlags)))
      else { return }
      start = end
    }
  }

  /// The number of uniform samples that fit in the file, plus one that extends past its end. Samples at negative
  /// offsets aren't enumerated, because a damaged file may declare four billion of them.
  private func uniformSampleCount(in source: any ByteSource) -> Int {
    guard defaults.size > 0, dataStart >= 0, dataStart <= source.byteCount else { return 0 }
    return min(sampleCount, Int((source.byteCount - dataStart) / Int64(defaults.size)) + 1)
  }

  /// Returns the end offset of the run's data in the file.
  func endOffset(in source: any ByteSource) throws(ISOMediaError) -> Int64 {
    if isUniform { return dataStart.addingSaturated(Int64(clamping: UInt64(sampleCount) * UInt64(defaults.size))) }
    var end = dataStart
    try forEachSample(in: source) { sample in
      end = sample.range.upperBound
      return true
    }
    return end
  }
}
