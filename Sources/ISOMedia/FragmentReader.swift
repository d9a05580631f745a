/// What the fragments (`moof`) add to a track.
struct FragmentTotals: Equatable {
  var sampleCount = 0
  var syncSampleCount = 0
  var timing = SampleTable.Timing()
  /// The end of the last sample in the file.
  var byteEnd: Int64 = 0
}

/// Adds up the fragments of a file (ISO/IEC 14496-12, section 8.8).
struct FragmentReader {
  /// What a track's samples have when a fragment does not say (`trex`, `tfhd`).
  private struct Defaults {
    var duration: UInt32 = 0
    var size: UInt32 = 0
    var flags: UInt32 = 0
  }

  let source: any ByteSource
  private var defaults: [UInt32: Defaults] = [:]
  private(set) var totals: [UInt32: FragmentTotals] = [:]
  private(set) var anomalies: [String] = []

  init(source: any ByteSource) { self.source = source }

  /// Reads the defaults of `moov/mvex`.
  mutating func readDefaults(_ mvex: Box) throws(ISOMediaError) {
    var reader = BoxReader(source: source, childrenOf: mvex)
    while let box = try reader.next() {
      guard box.type == "trex" else { continue }
      var cursor = try source.cursor(in: box.payload)
      guard cursor.skip(4), let track = cursor.u32(), cursor.skip(4), let duration = cursor.u32(),
        let size = cursor.u32(), let flags = cursor.u32()
      else { continue }
      defaults[track] = Defaults(duration: duration, size: size, flags: flags)
    }
  }

  mutating func readFragment(_ moof: Box) throws(ISOMediaError) {
    var reader = BoxReader(source: source, childrenOf: moof)
    while let box = try reader.next() {
      if box.type == "traf" { try readTrack(box, moofStart: moof.range.lowerBound) }
    }
    if let problem = reader.problem { anomalies.append(problem) }
  }

  private mutating func readTrack(_ traf: Box, moofStart: Int64) throws(ISOMediaError) {
    var track: UInt32?
    var values = Defaults()
    var base = moofStart
    // A run without an offset of its own goes on where the one before it ended.
    var position = moofStart
    var reader = BoxReader(source: source, childrenOf: traf)
    while let box = try reader.next() {
      if box.type == "tfhd" {
        var cursor = try source.cursor(in: box.payload)
        guard let flags = cursor.u32(), let id = cursor.u32() else { return }
        track = id
        values = defaults[id] ?? Defaults()
        if flags & 0x01 != 0 { base = Int64(clamping: cursor.u64() ?? 0) }
        if flags & 0x02 != 0 { _ = cursor.u32() }
        if flags & 0x08 != 0 { values.duration = cursor.u32() ?? 0 }
        if flags & 0x10 != 0 { values.size = cursor.u32() ?? 0 }
        if flags & 0x20 != 0 { values.flags = cursor.u32() ?? 0 }
        position = base
      } else if box.type == "trun", let track {
        position = try readRun(box, track: track, values: values, base: base, position: position)
      }
    }
  }

  /// Adds a run of samples; gives the end of its bytes.
  private mutating func readRun(
    _ box: Box, track: UInt32, values: Defaults, base: Int64, position: Int64
  ) throws(ISOMediaError) -> Int64 {
    var reader = TableReader(source: source, range: box.payload)
    guard let flags = try reader.u32(), let claimed = try reader.u32() else { return position }
    var end = position
    if flags & 0x01 != 0 {
      guard let offset = try reader.u32() else { return position }
      end = base.addingSaturated(Int64(Int32(bitPattern: offset)))
    }
    var firstFlags: UInt32?
    if flags & 0x04 != 0 { firstFlags = try reader.u32() }
    let fieldCount = (flags & 0xF00).nonzeroBitCount
    if fieldCount == 0 {
      return add(
        count: claimed, values: values, firstFlags: firstFlags, track: track, position: end)
    }
    let count = min(Int(claimed), box.payload.count / (4 * fieldCount), SampleTable.entryLimit)
    if count < claimed { anomalies.append("\(box.path) claims \(claimed) samples and has room for \(count)") }

    var sum = totals[track] ?? FragmentTotals()
    var hasBytes = false
    for index in 0..<count {
      let duration = flags & 0x100 != 0 ? try reader.u32() : values.duration
      let size = flags & 0x200 != 0 ? try reader.u32() : values.size
      var sampleFlags = flags & 0x400 != 0 ? try reader.u32() : values.flags
      if flags & 0x800 != 0 { _ = try reader.u32() }
      if index == 0, let firstFlags { sampleFlags = firstFlags }
      guard let duration, let size, let sampleFlags else { break }
      sum.add(1, duration: duration, isSync: Self.isSync(sampleFlags))
      end = end.addingSaturated(Int64(size))
      hasBytes = hasBytes || size > 0
    }
    if hasBytes { sum.byteEnd = max(sum.byteEnd, end) }
    totals[track] = sum
    return end
  }

  /// A run whose samples are all alike: nothing to read, whatever number it claims.
  private mutating func add(
    count: UInt32, values: Defaults, firstFlags: UInt32?, track: UInt32, position: Int64
  ) -> Int64 {
    guard count > 0 else { return position }
    var sum = totals[track] ?? FragmentTotals()
    sum.add(1, duration: values.duration, isSync: Self.isSync(firstFlags ?? values.flags))
    sum.add(Int(count) - 1, duration: values.duration, isSync: Self.isSync(values.flags))
    let end = position.addingSaturated(Int64(clamping: UInt64(count) * UInt64(values.size)))
    if values.size > 0 { sum.byteEnd = max(sum.byteEnd, end) }
    totals[track] = sum
    return end
  }

  /// The flag says that a sample is *not* a sync sample.
  private static func isSync(_ flags: UInt32) -> Bool { flags & 0x1_0000 == 0 }
}

extension FragmentTotals {
  fileprivate mutating func add(_ count: Int, duration: UInt32, isSync: Bool) {
    sampleCount += count
    if isSync { syncSampleCount += count }
    let ticks = Int64(clamping: UInt64(count) * UInt64(duration))
    timing.durationTicks = timing.durationTicks.addingSaturated(ticks)
    // Single odd durations at the seams of fragments are usual: only real durations count.
    guard duration > 0 else { return }
    timing.shortest = min(timing.shortest ?? duration, duration)
    timing.longest = max(timing.longest ?? duration, duration)
  }
}
