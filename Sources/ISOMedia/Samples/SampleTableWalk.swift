/// What the tables add up to.
extension SampleTable {
  /// Samples that lie one behind the other in the file.
  public struct Chunk: Equatable, Sendable {
    /// Where it begins in the file.
    public var offset: Int64
    /// Of all its samples together.
    public var byteCount: Int64
    /// Zero-based.
    public var firstSample: Int
    /// How many samples it holds.
    public var sampleCount: Int
  }

  /// The durations of all samples.
  struct Timing: Equatable {
    var durationTicks: Int64 = 0
    var sampleCount = 0
    /// Samples that last no time; the last one may.
    var stalledCount = 0
    /// The shortest and longest duration of a sample, in ticks; the last sample left out, as writers often make it up.
    var shortest: UInt32?
    var longest: UInt32?

    /// More than rounding to ticks: at least two ticks and a tenth between the shortest and the longest frame.
    var isVariable: Bool {
      guard let shortest, let longest else { return false }
      return longest - shortest > max(1, shortest / 10)
    }
  }

  func timing(in source: any ByteSource) throws(ISOMediaError) -> Timing {
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

  /// How much later than it is decoded a picture is shown at most, in ticks; 0 without such offsets.
  func longestCompositionOffset(in source: any ByteSource) throws(ISOMediaError) -> Int64 {
    guard isWalkable, let compositionOffsets else { return 0 }
    var table = TableReader(source: source, range: compositionOffsets.range)
    var longest: Int32 = 0
    for _ in 0..<compositionOffsets.count {
      guard try table.u32() != nil, let offset = try table.u32() else { break }
      longest = max(longest, Int32(bitPattern: offset))
    }
    return Int64(longest)
  }

  /// Gives each chunk in table order, until `body` answers `false`. Offsets and sizes are what the file claims.
  public func forEachChunk(
    in source: any ByteSource, _ body: (Chunk) throws(ISOMediaError) -> Bool
  ) throws(ISOMediaError) {
    guard isWalkable else { return }
    var offsets = TableReader(source: source, range: chunkOffsets.range)
    var runs = TableReader(source: source, range: sampleToChunk.range)
    var sizes = SizeReader(table: self, source: source)
    var samplesPerChunk = 0
    var nextRun: (firstChunk: UInt32, samples: UInt32)? = try Self.run(&runs)
    var sample = 0
    for chunk in 1...max(1, UInt32(chunkOffsets.count)) where sample < sampleCount {
      let offset = chunkOffsetBits == 64 ? try offsets.u64() : try offsets.u32().map(UInt64.init)
      guard let offset else { return }
      while let run = nextRun, run.firstChunk <= chunk {
        samplesPerChunk = Int(run.samples)
        nextRun = try Self.run(&runs)
      }
      let count = min(samplesPerChunk, sampleCount - sample)
      let found = Chunk(
        offset: Int64(clamping: offset), byteCount: try sizes.sum(count), firstSample: sample, sampleCount: count)
      guard try body(found) else { return }
      sample += count
    }
  }

  /// Gives each sample in decoding order, until `body` answers `false`: its number from 0 and where it is. Ranges are
  /// what the file claims. Of uncompressed sound, whose samples have a few bytes each, there are too many: nothing is
  /// given, its chunks are all there is to know.
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

  /// Where the samples lie, taken together.
  struct Extent: Equatable {
    /// The end of the last sample: bytes behind the file's end are missing. 0 when there is no sample.
    var byteEnd: Int64 = 0
    /// Samples that are in a chunk; fewer than there are when the tables do not fit together.
    var sampleCount = 0
    /// Those of chunks without a byte.
    var emptySampleCount = 0
    /// Chunks that lie where the one before them does.
    var repeatedChunkCount = 0
  }

  func extent(in source: any ByteSource) throws(ISOMediaError) -> Extent {
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

  private static func run(_ table: inout TableReader) throws(ISOMediaError) -> (firstChunk: UInt32, samples: UInt32)? {
    guard let first = try table.u32(), let samples = try table.u32(), try table.u32() != nil else { return nil }
    return (first, samples)
  }

  /// The sizes of the samples, in order.
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

    /// Bytes of the next samples together.
    mutating func sum(_ count: Int) throws(ISOMediaError) -> Int64 {
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
      case 32: return try table.u32()
      case 16: return try table.u16().map(UInt32.init)
      case 8: return try table.u8().map(UInt32.init)
      default:
        if let low = lowNibble {
          lowNibble = nil
          return UInt32(low)
        }
        guard let pair = try table.u8() else { return nil }
        lowNibble = pair & 0x0F
        return UInt32(pair >> 4)
      }
    }
  }
}

extension Int64 {
  /// The sum, or the largest value when it does not fit: claims of a damaged file stay comparable.
  package func addingSaturated(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}
