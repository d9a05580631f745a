/// The combined totals of a track's fragments (`moof`).
struct FragmentTotals: Equatable {
  var sampleCount = 0
  var syncSampleCount = 0
  var timing = SampleTable.Timing()
  /// The end offset of the last sample in the file.
  var byteEnd: Int64 = 0
  /// The start time of the first fragment, if it has a timestamp, and the end time of the last one. There may be gaps
  /// between fragments.
  var firstTicks: Int64?
  var endTicks: Int64 = 0
}

/// The default values for each track's fragments, from the `trex` boxes in `moov/mvex`.
struct FragmentDefaults: Equatable, Sendable {
  private var byTrack: [UInt32: FragmentRun.Defaults] = [:]

  init() {}

  mutating func read(_ mvex: Box, in source: any ByteSource) throws(ISOMediaError) {
    var reader = BoxReader(source: source, childrenOf: mvex)
    while let box = try reader.next() {
      guard box.type == "trex" else { continue }
      var cursor = try source.cursor(in: box.payload)
      guard cursor.skip(4), let track = cursor.u32(), cursor.skip(4), let duration = cursor.u32(),
        let size = cursor.u32(), let flags = cursor.u32()
      else { continue }
      byTrack[track] = FragmentRun.Defaults(duration: duration, size: size, flags: flags)
    }
  }

  /// Calls `body` with each sample run of a fragment, in file order (ISO/IEC 14496-12, section 8.8). Returns a
  /// description of the damage, if there is any.
  @discardableResult
  func forEachRun(
    of moof: Box, in source: any ByteSource, _ body: (FragmentRun) throws(ISOMediaError) -> Void
  ) throws(ISOMediaError) -> String? {
    var reader = BoxReader(source: source, childrenOf: moof)
    // If the fragment has no explicit base offset, the first track's offsets are relative to the start of the fragment,
    // and every other track's to the end of the previous track's data.
    var implicitBase = moof.range.lowerBound
    while let box = try reader.next() {
      guard box.type == "traf" else { continue }
      implicitBase = try readTrackFragment(box, of: moof, implicitBase: implicitBase, in: source, body)
    }
    return reader.problem
  }

  private func readTrackFragment(
    _ traf: Box, of moof: Box, implicitBase: Int64, in source: any ByteSource,
    _ body: (FragmentRun) throws(ISOMediaError) -> Void
  ) throws(ISOMediaError) -> Int64 {
    var track: UInt32?
    var values = FragmentRun.Defaults()
    var base = implicitBase
    // A run that has no offset starts at the end of the previous run.
    var position = implicitBase
    var decodeTicks: Int64?
    var reader = BoxReader(source: source, childrenOf: traf)
    while let box = try reader.next() {
      if box.type == "tfhd" {
        var cursor = try source.cursor(in: box.payload)
        guard let flags = cursor.u32(), let id = cursor.u32() else { return position }
        track = id
        values = byTrack[id] ?? FragmentRun.Defaults()
        if flags & 0x02_0000 != 0 { base = moof.range.lowerBound }
        if flags & 0x01 != 0 { base = Int64(clamping: cursor.u64() ?? 0) }
        if flags & 0x02 != 0 { _ = cursor.u32() }
        if flags & 0x08 != 0 { values.duration = cursor.u32() ?? 0 }
        if flags & 0x10 != 0 { values.size = cursor.u32() ?? 0 }
        if flags & 0x20 != 0 { values.flags = cursor.u32() ?? 0 }
        position = base
      } else if box.type == "tfdt" {
        var cursor = try source.cursor(in: box.payload, atMost: 12)
        decodeTicks = cursor.fullBoxHeader().flatMap { cursor.unsigned(is64Bit: $0.is64Bit) }.map {
          Int64(clamping: $0)
        }
      } else if box.type == "trun", let track,
        var run = try FragmentRun(
          box, trackID: track, defaults: values, base: base, position: position, source: source)
      {
        run.decodeTicks = decodeTicks
        decodeTicks = nil
        try body(run)
        position = try run.endOffset(in: source)
      }
    }
    return position
  }
}

/// Computes each track's totals over all fragments in a file.
struct FragmentReader {
  let source: any ByteSource
  private(set) var defaults = FragmentDefaults()
  private(set) var totals: [UInt32: FragmentTotals] = [:]
  private(set) var anomalies: [String] = []

  init(source: any ByteSource) { self.source = source }

  mutating func readDefaults(_ mvex: Box) throws(ISOMediaError) { try defaults.read(mvex, in: source) }

  mutating func readFragment(_ moof: Box) throws(ISOMediaError) {
    var sums = totals
    var found: [String] = []
    let problem = try defaults.forEachRun(of: moof, in: source) { run throws(ISOMediaError) in
      if run.claimedCount > run.sampleCount {
        found.append("\(run.box.path) declares \(run.claimedCount) samples but has room for only \(run.sampleCount)")
      }
      var sum = sums[run.trackID] ?? FragmentTotals()
      try sum.addRun(run, in: source)
      sums[run.trackID] = sum
    }
    totals = sums
    anomalies += found
    if let problem { anomalies.append(problem) }
  }
}

extension FragmentTotals {
  fileprivate mutating func addRun(_ run: FragmentRun, in source: any ByteSource) throws(ISOMediaError) {
    var end = run.dataStart
    if let ticks = run.decodeTicks {
      firstTicks = firstTicks ?? ticks
      endTicks = ticks
    }
    let before = timing.durationTicks
    defer { endTicks = endTicks.addingSaturated(timing.durationTicks - before) }
    if run.isUniform {
      // Uniform samples don't need to be read one by one, so their number doesn't matter.
      guard run.sampleCount > 0 else { return }
      addSamples(1, duration: run.defaults.duration, isSync: run.isFirstSync)
      addSamples(run.sampleCount - 1, duration: run.defaults.duration, isSync: run.areOthersSync)
      end = try run.endOffset(in: source)
    } else {
      var sum = self
      try run.forEachSample(in: source) { sample in
        sum.addSamples(1, duration: sample.duration, isSync: sample.isSync)
        end = sample.range.upperBound
        return true
      }
      self = sum
    }
    if end > run.dataStart { byteEnd = max(byteEnd, end) }
  }

  private mutating func addSamples(_ count: Int, duration: UInt32, isSync: Bool) {
    sampleCount += count
    if isSync { syncSampleCount += count }
    let ticks = Int64(clamping: UInt64(count) * UInt64(duration))
    timing.durationTicks = timing.durationTicks.addingSaturated(ticks)
    // A duration of 0 is common at fragment boundaries.
    guard duration > 0 else { return }
    timing.shortest = min(timing.shortest ?? duration, duration)
    timing.longest = max(timing.longest ?? duration, duration)
  }
}
