/// Reads the entries of the sample tables.
extension SampleTable {
  /// A chunk: samples that are contiguous in the file.
  public struct Chunk: Equatable, Sendable {
    /// The chunk's offset in the file.
    public var offset: Int64
    /// The total size of the chunk's samples in bytes.
    public var byteCount: Int64
    /// The zero-based index of the first sample.
    public var firstSample: Int
    /// The number of samples in the chunk.
    public var sampleCount: Int
  }

  /// Statistics about the durations of all samples in a track.
  struct Timing: Equatable {
    var durationTicks: Int64 = 0
    var sampleCount = 0
    /// The number of samples with a duration of 0, excluding the last sample.
    var stalledCount = 0
    /// The minimum and maximum sample duration in ticks, excluding the last sample, whose duration is often wrong.
    var shortest: UInt32?
    var longest: UInt32?

    /// Whether sample durations vary by more than a rounding error: by at least two ticks and 10 %.
    var isVariable: Bool {
      guard let shortest, let longest else { return false }
      return longest - shortest > max(1, shortest / 10)
    }
  }

  func computeTiming(in source: any ByteSource) throws(ISOMediaError) -> Timing {
    var timing = Timing()
    guard isWalkable else { return timing }
    var table = TableReader(source: source, range: timeToSample.range)
    for index in 0..<timeToSample.count {
      guard let count = try table.u32(), let delta = try table.u32() else { break }
      let ticks = Int64(clamping: UInt64(count) * UInt64(delta))
      timing.durationTicks = timing.durationTicks.addingSaturated(ticks)
      timing.sampleCount += Int(count)
      if delta == 0 { timing.stalledCount += Int(count) - (index == timeToSample.count - 1 ? min(1, Int(count)) : 0) }
      if index > 0, index == timeToSample.count - 1, count == 1 { continue }
      if count == 0 { continue }
      timing.shortest = min(timing.shortest ?? delta, delta)
      timing.longest = max(timing.longest ?? delta, delta)
    }
    return timing
  }

  /// Returns the maximum interval from decoding to presentation, in ticks; 0 if there are no composition offsets.
  func maxCompositionOffset(in source: any ByteSource) throws(ISOMediaError) -> Int64 {
    guard isWalkable, let compositionOffsets else { return 0 }
    var table = TableReader(source: source, range: compositionOffsets.range)
    var longest: Int32 = 0
    for _ in 0..<compositionOffsets.count {
      guard try table.u32() != nil, let offset = try table.u32() else { break }
      longest = max(longest, Int32(bitPattern: offset))
    }
    return Int64(longest)
  }

  /// Calls `body` with each chunk in table order until `body` returns `false`. Offsets and sizes are not validated.
  public func forEachChunk(
    in source: any ByteSource, _ body: (Chunk) throws(ISOMediaError) -> Bool
  ) throws(ISOMediaError) {
    guard isWalkable else { return }
    var offsets = TableReader(source: source, range: chunkOffsets.range)
    var runs = TableReader(source: source, range: sampleToChunk.range)
    var sizes = SizeReader(table: self, source: source)
    var samplesPerChunk = 0
    var nextRun: (firstChunk: UInt32, samples: UInt32)? = try Self.readChunkRun(&runs)
    var sample = 0
    for chunk in 1...max(1, UInt32(chunkOffsets.count)) where sample < sampleCount {
      let offset = try offsets.unsigned(byteCount: chunkOffsetBits / 8)
      guard let offset else { return }
      while let run = nextRun, run.firstChunk <= chunk {
        samplesPerChunk = Int(run.samples)
        nextRun = try Self.readChunkRun(&runs)
      }
      let count = min(samplesPerChunk, sampleCount - sample)
      let found = Chunk(
        offset: Int64(clamping: offset), byteCount: try sizes.sumSizes(count), firstSample: sample, sampleCount: count)
      guard try body(found) else { return }
      sample += count
    }
  }

  /// Calls `body` with the zero-based index and the byte range of each sample, in decoding order, until `body` returns
  /// `false`. The ranges are not validated. Samples of uncompressed audio are not enumerated, because there are too
  /// many small ones.
  public func forEachSample(
    in source: any ByteSource, _ body: (Int, Range<Int64>) throws(ISOMediaError) -> Bool
  ) throws(ISOMediaError) {
    guard hasSampleSizes || sampleCount <= Self.entryLimit >> 8 else { return }
    var sizes = SizeReader(table: self, source: source)
    try forEachChunk(in: source) { chunk throws(ISOMediaError) in
      var start = chunk.offset
      for sample in chunk.firstSample..<chunk.firstSample + chunk.sampleCount {
        guard let size = try sizes.next() else { return false }
        let end = start.addingSaturated(Int64(size))
        guard try body(sample, start..<end) else { return false }
        start = end
      }
      return true
    }
  }

  /// Statistics about the positions of all samples in a track.
  struct Extent: Equatable {
    /// The end offset of the last sample; 0 if there are no samples. If it exceeds the file size, bytes are missing.
    var byteEnd: Int64 = 0
    /// The number of samples in all chunks. If the tables are inconsistent, this is less than the declared number of
    /// samples.
    var sampleCount = 0
    /// The number of samples in chunks that contain no bytes.
    var emptySampleCount = 0
    /// The number of chunks that have the same offset as the previous chunk.
    var repeatedChunkCount = 0
  }

  func computeExtent(in source: any ByteSource) throws(ISOMediaError) -> Extent {
    var extent = Extent()
    var last: Int64?
    try forEachChunk(in: source) { chunk in
      if chunk.byteCount > 0 {
        extent.byteEnd = max(extent.byteEnd, chunk.offset.addingSaturated(chunk.byteCount))
        if chunk.offset == last { extent.repeatedChunkCount += 1 }
        last = chunk.offset
      } else {
        extent.emptySampleCount += chunk.sampleCount
      }
      extent.sampleCount += chunk.sampleCount
      return true
    }
    return extent
  }

  private static func readChunkRun(_ table: inout TableReader) throws(ISOMediaError) -> (
    firstChunk: UInt32, samples: UInt32
  )? {
    guard let first = try table.u32(), let samples = try table.u32(), try table.u32() != nil else { return nil }
    return (first, samples)
  }

  /// Reads the sample sizes in order.
  private struct SizeReader {
    private var table: TableReader
    private let bits: Int
    private let common: UInt32
    private var lowNibble: UInt8?

    init(table: SampleTable, source: any ByteSource) {
      self.table = TableReader(source: source, range: table.sampleSizes.range)
      bits = table.sampleSizeBits
      common = table.commonSampleSize
    }

    /// Returns the total size of the next `count` samples.
    mutating func sumSizes(_ count: Int) throws(ISOMediaError) -> Int64 {
      if bits == 0 { return Int64(clamping: UInt64(count) * UInt64(common)) }
      var sum: Int64 = 0
      for _ in 0..<count {
        guard let size = try next() else { break }
        sum += Int64(size)
      }
      return sum
    }

    mutating func next() throws(ISOMediaError) -> UInt32? {
      switch bits {
      case 0: return common
      case 4:
        if let low = lowNibble {
          lowNibble = nil
          return UInt32(low)
        }
        guard let pair = try table.unsigned(byteCount: 1) else { return nil }
        lowNibble = UInt8(pair & 0x0F)
        return UInt32(pair >> 4)
      default: return try table.unsigned(byteCount: bits / 8).map { UInt32(truncatingIfNeeded: $0) }
      }
    }
  }
}

extension Int64 {
  /// Returns the sum of both values. If it overflows, returns the nearest representable value, so that values from
  /// damaged files remain comparable.
  package func addingSaturated(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}
