/// A run of samples of one track in a fragment (`trun`), with what `tfhd` and `trex` say where it does not.
public struct FragmentRun: Equatable, Sendable {
  /// What a track's samples have when nothing else is said.
  struct Defaults: Equatable, Sendable {
    var duration: UInt32 = 0
    var size: UInt32 = 0
    var flags: UInt32 = 0
  }

  /// One sample of a run.
  public struct Sample: Equatable, Sendable {
    /// Where it is in the file.
    public var range: Range<Int64>
    /// In ticks of the media.
    public var duration: UInt32
    /// From decoding to presentation, in ticks of the media.
    public var compositionOffset: Int32
    /// The flag says that a sample is *not* a sync sample.
    public var isSync: Bool
  }

  /// The `trun` box.
  public var box: Box
  /// Of the track that it belongs to.
  public var trackID: UInt32
  /// When its first sample is decoded, in ticks of the media (`tfdt`); `nil` when it goes on where the run before it
  /// ended.
  public var decodeTicks: Int64?
  /// Where its first sample is.
  public var dataStart: Int64
  /// As claimed, cut to what the box has room for when each sample has fields.
  public var sampleCount: Int
  let flags: UInt32
  let defaults: Defaults
  let firstFlags: UInt32?
  /// The samples' fields, four bytes each; empty when all are alike.
  let entries: Range<Int64>

  /// Reads a run's head.
  /// - Parameters:
  ///   - base: what an offset of its own counts from.
  ///   - position: where the run before it ended.
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

  /// What the box claims; more than `sampleCount` is damage.
  let claimedCount: Int

  var isUniform: Bool { FragmentRun.fieldCount(flags) == 0 }
  var isFirstSync: Bool { FragmentRun.isSync(firstFlags ?? defaults.flags) }
  var areOthersSync: Bool { FragmentRun.isSync(defaults.flags) }

  private static func fieldCount(_ flags: UInt32) -> Int { (flags & 0xF00).nonzeroBitCount }
  private static func isSync(_ flags: UInt32) -> Bool { flags & 0x1_0000 == 0 }

  /// Gives each sample in order, until `body` answers `false`. A run that claims more samples of one size than the file
  /// can hold ends at the file's end.
  public func forEachSample(
    in source: any ByteSource, _ body: (Sample) throws(ISOMediaError) -> Bool
  ) throws(ISOMediaError) {
    var start = dataStart
    var reader = TableReader(source: source, range: entries)
    for index in 0..<(isUniform ? uniformCount(in: source) : sampleCount) {
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

  /// How many samples of one size a file can hold, and one that reaches over its end. What lies in front of the file's
  /// beginning is as little there as what lies behind its end, and four thousand million of them take their time.
  private func uniformCount(in source: any ByteSource) -> Int {
    guard defaults.size > 0, dataStart >= 0, dataStart <= source.byteCount else { return 0 }
    return min(sampleCount, Int((source.byteCount - dataStart) / Int64(defaults.size)) + 1)
  }

  /// The end of its bytes.
  func end(in source: any ByteSource) throws(ISOMediaError) -> Int64 {
    if isUniform { return dataStart.addingSaturated(Int64(clamping: UInt64(sampleCount) * UInt64(defaults.size))) }
    var end = dataStart
    try forEachSample(in: source) { sample in
      end = sample.range.upperBound
      return true
    }
    return end
  }
}
