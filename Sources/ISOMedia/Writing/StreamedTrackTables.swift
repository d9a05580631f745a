import ClipModel

/// The sample tables of a track that `StreamedMovieWriter` writes.
struct StreamedTrackTables {
  /// Equal values of adjacent samples.
  private struct Run {
    var count: UInt32
    var value: UInt32
  }

  private struct Chunk {
    var offset: Int64
    var sampleCount: UInt32
  }

  private var sizes: [UInt32] = []
  private var totalBytes: Int64 = 0
  private var syncs: [UInt32] = []
  /// The durations of all samples except the last one.
  private var durations: [Run] = []
  private var offsets: [Run] = []
  private var hasOffsets = false
  private var chunks: [Chunk] = []
  private var first: StreamedMovieWriter.Sample?
  private var lastDecodingTicks: Int64 = 0
  private var lastDuration: Int64 = 0
  /// The latest end of a sample.
  private var endTicks = Int64.min

  // MARK: Samples

  func accepts(_ sample: StreamedMovieWriter.Sample) -> Bool {
    let (offset, isTooFar) = sample.presentationTicks.subtractingReportingOverflow(sample.decodingTicks)
    guard !isTooFar, (0...Int64(Int32.max)).contains(offset), UInt32(exactly: sample.bytes.count) != nil,
      (0...Int64(UInt32.max)).contains(sample.durationTicks), sample.decodingTicks.magnitude < 1 << 61
    else { return false }
    guard first != nil else { return true }
    return sample.decodingTicks > lastDecodingTicks
      && UInt32(exactly: sample.decodingTicks - lastDecodingTicks) != nil
  }

  /// - Parameter chunkOffset: the position in the file if the sample starts a chunk; otherwise `nil`.
  mutating func add(_ sample: StreamedMovieWriter.Sample, chunkOffset: Int64?) {
    if first == nil {
      first = sample
      first?.bytes = []
    } else {
      Self.append(UInt32(truncatingIfNeeded: sample.decodingTicks - lastDecodingTicks), to: &durations)
    }
    let offset = UInt32(truncatingIfNeeded: sample.presentationTicks - sample.decodingTicks)
    Self.append(offset, to: &offsets)
    hasOffsets = hasOffsets || offset != 0
    sizes.append(UInt32(truncatingIfNeeded: sample.bytes.count))
    totalBytes += Int64(sample.bytes.count)
    if sample.isSync { syncs.append(UInt32(truncatingIfNeeded: sizes.count)) }
    if let chunkOffset {
      chunks.append(Chunk(offset: chunkOffset, sampleCount: 1))
    } else {
      chunks[chunks.count - 1].sampleCount += 1
    }
    (lastDecodingTicks, lastDuration) = (sample.decodingTicks, sample.durationTicks)
    endTicks = max(endTicks, sample.presentationTicks + sample.durationTicks)
  }

  private static func append(_ value: UInt32, to runs: inout [Run]) {
    if runs.last?.value == value {
      runs[runs.count - 1].count += 1
    } else {
      runs.append(Run(count: 1, value: value))
    }
  }

  var isEmpty: Bool { first == nil }

  // MARK: Durations

  /// The duration of all samples.
  var mediaTicks: Int64 { first.map { lastDecodingTicks - $0.decodingTicks + lastDuration } ?? 0 }

  /// The durations of the edits in ticks of the movie timescale: the delay before the first presentation, which is negative
  /// if the beginning is hidden, and the time from there to the end of the last presentation.
  private func edits(in movieTimescale: UInt32, of timescale: UInt32) -> (delay: Int64, duration: Int64) {
    guard let first else { return (0, 0) }
    let delay = Self.rescale(first.presentationTicks, timescale, to: movieTimescale, roundsUp: false)
    let duration = Self.rescale(
      endTicks - first.presentationTicks, timescale, to: movieTimescale, roundsUp: true)
    return (delay, max(duration + min(delay, 0), 0))
  }

  /// The time from 0 to the end of the last presentation, rounded up.
  func presentationDuration(in movieTimescale: UInt32, of timescale: UInt32) -> UInt64 {
    guard first != nil else { return 0 }
    return UInt64(max(Self.rescale(endTicks, timescale, to: movieTimescale, roundsUp: true), 0))
  }

  func averageBitsPerSecond(timescale: UInt32) -> UInt32 {
    guard mediaTicks > 0 else { return 0 }
    return UInt32(saturating: Double(totalBytes) * 8 * Double(timescale) / Double(mediaTicks))
  }

  /// Returns the edit list that hides decoding delay and audio priming, or delays a track that starts late.
  func editList(movieTimescale: UInt32, timescale: UInt32) -> [UInt8] {
    guard let first else { return [] }
    let (delay, duration) = edits(in: movieTimescale, of: timescale)
    let start = delay > 0 ? first.presentationTicks - first.decodingTicks : -min(first.decodingTicks, 0)
    let isWide = [delay, duration, start].contains { $0 > Int64(Int32.max) }
    var writer = BoxWriter()
    func edit(_ duration: Int64, _ time: Int64, to box: inout BoxWriter) {
      box.unsigned(UInt64(bitPattern: duration), is64Bit: isWide)
      box.unsigned(UInt64(bitPattern: time), is64Bit: isWide)
      box.u32(0x10000)
    }
    writer.box("edts") { edits in
      edits.fullBox("elst", version: isWide ? 1 : 0) { list in
        list.u32(delay > 0 ? 2 : 1)
        if delay > 0 { edit(delay, -1, to: &list) }
        edit(duration, start, to: &list)
      }
    }
    return writer.bytes
  }

  private static func rescale(_ ticks: Int64, _ from: UInt32, to: UInt32, roundsUp: Bool) -> Int64 {
    let (high, low) = ticks.multipliedFullWidth(by: Int64(to))
    // Times of less than 2^61 ticks and scales of less than 2^32 can exceed 64 bits only in damaged files.
    guard high == (Int64(bitPattern: low) < 0 ? -1 : 0) else { return ticks < 0 ? .min / 4 : .max / 4 }
    let product = Int64(bitPattern: low)
    let (quotient, remainder) = product.quotientAndRemainder(dividingBy: Int64(from))
    if roundsUp { return quotient + (remainder > 0 ? 1 : 0) }
    return quotient - (remainder < 0 ? 1 : 0)
  }

  // MARK: Boxes

  /// Writes all tables except the sample descriptions.
  func write(to writer: inout BoxWriter) {
    var durations = durations
    if first != nil { Self.append(UInt32(truncatingIfNeeded: lastDuration), to: &durations) }
    Self.write(durations, "stts", to: &writer)
    if !syncs.isEmpty, syncs.count < sizes.count {
      writer.fullBox("stss") { box in
        box.u32(UInt32(truncatingIfNeeded: syncs.count))
        for sync in syncs { box.u32(sync) }
      }
    }
    if hasOffsets { Self.write(offsets, "ctts", to: &writer) }
    writeChunks(to: &writer)
  }

  private static func write(_ runs: [Run], _ type: FourCC, to writer: inout BoxWriter) {
    writer.fullBox(type) { box in
      box.u32(UInt32(truncatingIfNeeded: runs.count))
      for run in runs {
        box.u32(run.count)
        box.u32(run.value)
      }
    }
  }

  private func writeChunks(to writer: inout BoxWriter) {
    let changes = chunks.indices.filter { $0 == 0 || chunks[$0].sampleCount != chunks[$0 - 1].sampleCount }
    writer.fullBox("stsc") { box in
      box.u32(UInt32(truncatingIfNeeded: changes.count))
      for index in changes {
        box.u32(UInt32(truncatingIfNeeded: index + 1))
        box.u32(chunks[index].sampleCount)
        box.u32(1)
      }
    }
    writer.fullBox("stsz") { box in
      box.u32(0)
      box.u32(UInt32(truncatingIfNeeded: sizes.count))
      for size in sizes { box.u32(size) }
    }
    let isWide = (chunks.last?.offset ?? 0) > Int64(UInt32.max)
    writer.fullBox(isWide ? "co64" : "stco") { box in
      box.u32(UInt32(truncatingIfNeeded: chunks.count))
      for chunk in chunks { box.unsigned(UInt64(chunk.offset), is64Bit: isWide) }
    }
  }

  /// Writes that decoding must start one sample before the first one that is played (ISO/IEC 14496-12, 10.1).
  func writePreroll(to writer: inout BoxWriter) {
    guard first != nil else { return }
    writer.fullBox("sgpd", version: 1) { box in
      box.fourCC("roll")
      box.u32(2)
      box.u32(1)
      box.u16(UInt16(bitPattern: -1))
    }
    writer.fullBox("sbgp") { box in
      box.fourCC("roll")
      box.u32(1)
      box.u32(UInt32(truncatingIfNeeded: sizes.count))
      box.u32(1)
    }
  }
}
