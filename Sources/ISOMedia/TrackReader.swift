/// Reads one `trak` box.
struct TrackReader {
  let source: any ByteSource
  let movieTimescale: UInt32
  private(set) var anomalies: [String] = []
  private var track: ISOTrack
  private var headerTicks: Int64?

  init(source: any ByteSource, box: Box, movieTimescale: UInt32) {
    self.source = source
    self.movieTimescale = movieTimescale
    track = ISOTrack(box: box)
  }

  /// The track, with what its fragments add.
  mutating func read(fragments: [UInt32: FragmentTotals]) throws(ISOMediaError) -> ISOTrack {
    try walk(track.box)
    guard let table = track.table else {
      anomalies.append("\(track.box.path) has no sample table")
      return track
    }
    anomalies += table.problems
    if !table.isWalkable { anomalies.append("\(track.box.path): the sample table is too large to be read") }
    let timing = try table.timing(in: source)
    track.sampleCount = table.sampleCount
    track.syncSampleCount = table.syncSampleCount
    track.hasVariableFrameRate = timing.isVariable
    let extent = try table.extent(in: source)
    track.byteEnd = extent.byteEnd
    if table.isWalkable, extent.sampleCount < table.sampleCount {
      let lost = table.sampleCount - extent.sampleCount
      anomalies.append("\(track.box.path): \(lost) of \(table.sampleCount) samples are in no chunk")
    }
    if let more = fragments[track.trackID] {
      track.sampleCount += more.sampleCount
      track.syncSampleCount += more.syncSampleCount
      track.byteEnd = max(track.byteEnd, more.byteEnd)
      track.hasVariableFrameRate = track.hasVariableFrameRate || more.timing.isVariable
      track.mediaDurationTicks = timing.durationTicks.addingSaturated(more.timing.durationTicks)
    } else {
      track.mediaDurationTicks = headerTicks ?? timing.durationTicks
    }
    track.presentationSeconds = ISOTrack.presentation(
      edits: track.edits, mediaTicks: track.mediaDurationTicks, timescale: track.timescale,
      movieTimescale: movieTimescale)
    return track
  }

  /// Boxes nest `trak/mdia/minf`; deeper is damage, and would cost the stack.
  private mutating func walk(_ box: Box, depth: Int = 0) throws(ISOMediaError) {
    var reader = BoxReader(source: source, childrenOf: box)
    while let child = try reader.next() {
      switch child.type {
      case "mdia", "minf", "edts": if depth < 3 { try walk(child, depth: depth + 1) }
      case "tkhd": readHeader(try source.cursor(in: child.payload))
      case "mdhd": readMediaHeader(try source.cursor(in: child.payload))
      // `minf` has a second handler in QuickTime files: that of the data, not of the media.
      case "hdlr" where box.type == "mdia": readHandler(try source.cursor(in: child.payload))
      case "elst": try readEdits(child)
      case "stbl":
        track.table = try SampleTable(box: child, source: source)
        try readEntries(in: child)
      default: break
      }
    }
    if let problem = reader.problem { anomalies.append(problem) }
  }

  private mutating func readHeader(_ cursor: ByteCursor) {
    var cursor = cursor
    guard let flags = cursor.u32() else { return }
    let isWide = flags >> 24 == 1
    guard cursor.skip(isWide ? 16 : 8), let id = cursor.u32() else { return }
    track.trackID = id
    _ = cursor.u32()  // reserved
    let ticks = isWide ? cursor.u64() : cursor.u32().map(UInt64.init)
    if let ticks, ticks != (isWide ? UInt64.max : UInt64(UInt32.max)) { track.headerDuration = ticks }
  }

  private mutating func readMediaHeader(_ cursor: ByteCursor) {
    var cursor = cursor
    guard let flags = cursor.u32() else { return }
    let isWide = flags >> 24 == 1
    guard cursor.skip(isWide ? 16 : 8), let timescale = cursor.u32() else { return }
    track.timescale = timescale
    let ticks = isWide ? cursor.u64() : cursor.u32().map(UInt64.init)
    // All ones mean unknown, and writers of fragments leave 0.
    let unknown = isWide ? UInt64.max : UInt64(UInt32.max)
    if let ticks, ticks != 0, ticks != unknown { headerTicks = Int64(clamping: ticks) }
  }

  private mutating func readHandler(_ cursor: ByteCursor) {
    var cursor = cursor
    guard cursor.skip(8), let type = cursor.fourCC() else { return }
    track.handlerType = type
    guard cursor.skip(12), var name = cursor.take(cursor.remaining) else { return }
    // QuickTime counts the characters in front, ISO ends them with a zero.
    if let count = name.first, Int(count) == name.count - 1 { name = name.dropFirst() }
    track.handlerName = String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
  }

  private mutating func readEdits(_ box: Box) throws(ISOMediaError) {
    // A thousand edits of 20 bytes: more is damage.
    guard let edits = Edit.list(try source.cursor(in: box.payload, atMost: 8 + 20 * 1000)) else {
      anomalies.append("\(box.path) is cut off")
      return
    }
    track.edits = edits
  }

  private mutating func readEntries(in table: Box) throws(ISOMediaError) {
    var tables = BoxReader(source: source, childrenOf: table)
    while let box = try tables.next() {
      guard box.type == "stsd" else { continue }
      var entries = BoxReader(source: source, childrenOf: box, skipping: 8)
      while let entry = try entries.next(), track.sampleEntries.count < 256 {
        track.sampleEntries.append(try SampleEntry(box: entry, handler: track.handlerType, source: source))
      }
    }
  }
}
