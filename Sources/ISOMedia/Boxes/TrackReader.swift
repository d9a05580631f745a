internal import ClipModel

/// Reads one `trak` box.
struct TrackReader {
  let source: any ByteSource
  let movieTimescale: UInt32
  private(set) var anomalies: [String] = []
  private(set) var tableProblems: [String] = []
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
    tableProblems += table.problems
    if !table.isWalkable { tableProblems.append("\(track.box.path): the sample table is too large to be read") }
    let timing = try table.timing(in: source)
    track.sampleCount = table.sampleCount
    track.syncSampleCount = table.syncSampleCount
    track.hasVariableFrameRate = timing.isVariable
    track.stalledSampleCount = timing.stalledCount
    let extent = try table.extent(in: source)
    track.byteEnd = extent.byteEnd
    if table.isWalkable, extent.sampleCount < table.sampleCount {
      let lost = table.sampleCount - extent.sampleCount
      tableProblems.append("\(track.box.path): \(lost) of \(table.sampleCount) samples are in no chunk")
    }
    if extent.emptySampleCount * 10 > table.sampleCount {
      tableProblems.append("\(track.box.path): \(extent.emptySampleCount) of \(table.sampleCount) samples are empty")
    }
    if extent.repeatedChunkCount > 0 {
      tableProblems.append("\(track.box.path): \(extent.repeatedChunkCount) chunks lie where the one before them does")
    }
    if table.isWalkable, timing.sampleCount != table.sampleCount {
      tableProblems.append(
        "\(track.box.path): \(timing.sampleCount) samples have times, and \(table.sampleCount) have sizes")
    }
    if let more = fragments[track.trackID] {
      track.sampleCount += more.sampleCount
      track.syncSampleCount += more.syncSampleCount
      track.byteEnd = max(track.byteEnd, more.byteEnd)
      track.hasVariableFrameRate = track.hasVariableFrameRate || more.timing.isVariable
      let sum = timing.durationTicks.addingSaturated(more.timing.durationTicks)
      // Gaps between fragments last as long as they last.
      track.mediaDurationTicks = max(sum, more.firstTicks.map { more.endTicks.addingSaturated(-$0) } ?? 0)
    } else {
      // Players show the samples there are, however long the header says; and writers make the last one's length up.
      track.mediaDurationTicks =
        timing.sampleCount > 0 ? min(timing.durationTicks, headerTicks ?? .max) : headerTicks ?? 0
      compareHeader(with: timing)
    }
    // Pictures that are shown after those that are decoded behind them last longer than their table says.
    let delay = fragments[track.trackID] == nil ? try table.longestCompositionOffset(in: source) : nil
    track.presentationSeconds = ISOTrack.presentation(
      edits: track.edits, mediaTicks: track.mediaDurationTicks, timescale: track.timescale,
      movieTimescale: movieTimescale, lastTicks: delay.map { track.mediaDurationTicks.addingSaturated($0) })
    return track
  }

  /// Half a second is more than any writer rounds. Of picture and sound only: the one sample of a time code or of a
  /// camera's notes may last as long as it wants.
  private mutating func compareHeader(with timing: SampleTable.Timing) {
    guard track.handlerType == "vide" || track.handlerType == "soun", let headerTicks, timing.sampleCount > 0,
      track.timescale > 0
    else { return }
    let seconds = (
      Double(headerTicks) / Double(track.timescale), Double(timing.durationTicks) / Double(track.timescale)
    )
    guard abs(seconds.0 - seconds.1) > max(0.5, seconds.1 / 20) else { return }
    tableProblems.append(
      "\(track.box.path): the header says \(decimal(seconds.0)) s, and its samples last \(decimal(seconds.1)) s")
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
    track.isEnabled = flags & 1 == 1
    track.trackID = id
    _ = cursor.u32()  // reserved
    let ticks = isWide ? cursor.u64() : cursor.u32().map(UInt64.init)
    if let ticks, ticks != (isWide ? UInt64.max : UInt64(UInt32.max)) { track.headerDuration = ticks }
    // Reserved, layer, alternate group, volume, reserved.
    guard cursor.skip(16) else { return }
    let matrix = (0..<9).compactMap { _ in cursor.u32().map { Int32(bitPattern: $0) } }
    guard matrix.count == 9, let width = cursor.u32(), let height = cursor.u32() else { return }
    track.displayMatrix = matrix
    if width > 0, height > 0 { track.displaySize = PictureSize(width: Int(width >> 16), height: Int(height >> 16)) }
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
    if let code = cursor.u16() { track.language = Self.language(code) }
  }

  /// Three letters of five bits (ISO 639-2/T); below 0x400 are the Macintosh's own numbers, of which 0 is English.
  private static func language(_ code: UInt16) -> String? {
    guard code >= 0x400 else { return code == 0 ? "eng" : nil }
    let letters = [code >> 10 & 31, code >> 5 & 31, code & 31].map { UInt8($0 + 0x60) }
    guard letters.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }) else { return nil }
    let text = String(decoding: letters, as: UTF8.self)
    return text == "und" ? nil : text
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
    guard let edits = EditListEntry.list(try source.cursor(in: box.payload, atMost: 8 + 20 * 1000)) else {
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
