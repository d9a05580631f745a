internal import ClipModel

/// Reads the content of a `trak` box.
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

  /// Reads the track and adds its fragments' totals.
  mutating func read(fragments: [UInt32: FragmentTotals]) throws(ISOMediaError) -> ISOTrack {
    try readChildren(track.box)
    guard let table = track.table else {
      anomalies.append("\(track.box.path) has no sample table")
      return track
    }
    tableProblems += table.problems
    if !table.isWalkable { addTableProblem("the sample table is too large to read") }
    let timing = try table.computeTiming(in: source)
    track.sampleCount = table.sampleCount
    track.syncSampleCount = table.syncSampleCount
    track.hasVariableFrameRate = timing.isVariable
    track.stalledSampleCount = timing.stalledCount
    let extent = try table.computeExtent(in: source)
    track.byteEnd = extent.byteEnd
    if table.isWalkable, extent.sampleCount < table.sampleCount {
      addTableProblem("\(table.sampleCount - extent.sampleCount) of \(table.sampleCount) samples are not in any chunk")
    }
    if extent.emptySampleCount * 10 > table.sampleCount {
      addTableProblem("\(extent.emptySampleCount) of \(table.sampleCount) samples are empty")
    }
    if extent.repeatedChunkCount > 0 {
      addTableProblem("\(extent.repeatedChunkCount) chunks start at the same offset as the previous chunk")
    }
    if table.isWalkable, timing.sampleCount != table.sampleCount {
      addTableProblem("\(timing.sampleCount) samples have timestamps, but \(table.sampleCount) have sizes")
    }
    if let more = fragments[track.trackID] {
      track.sampleCount += more.sampleCount
      track.syncSampleCount += more.syncSampleCount
      track.byteEnd = max(track.byteEnd, more.byteEnd)
      track.hasVariableFrameRate = track.hasVariableFrameRate || more.timing.isVariable
      let sum = timing.durationTicks.addingSaturated(more.timing.durationTicks)
      // The duration includes any gaps between fragments.
      track.mediaDurationTicks = max(sum, more.firstTicks.map { more.endTicks.addingSaturated(-$0) } ?? 0)
    } else {
      // Players show all samples even if the header declares a shorter duration, and the last sample's duration is
      // often wrong.
      track.mediaDurationTicks =
        timing.sampleCount > 0 ? min(timing.durationTicks, headerTicks ?? .max) : headerTicks ?? 0
      compareHeaderDuration(with: timing)
    }
    // With reordered frames, the last displayed frame ends after the table's total duration.
    let delay = fragments[track.trackID] == nil ? try table.maxCompositionOffset(in: source) : nil
    track.presentationSeconds = ISOTrack.presentationDuration(
      edits: track.edits, mediaTicks: track.mediaDurationTicks, timescale: track.timescale,
      movieTimescale: movieTimescale, lastTicks: delay.map { track.mediaDurationTicks.addingSaturated($0) })
    return track
  }

  private mutating func addTableProblem(_ problem: String) { tableProblems.append("\(track.box.path): \(problem)") }

  /// Adds a problem if the durations differ by more than half a second, which rounding can't explain. Only checks video
  /// and audio, because the samples of time code and metadata tracks may have any duration.
  private mutating func compareHeaderDuration(with timing: SampleTable.Timing) {
    guard track.handlerType == "vide" || track.handlerType == "soun", let headerTicks, timing.sampleCount > 0,
      track.timescale > 0
    else { return }
    let header = Double(headerTicks) / Double(track.timescale)
    let samples = Double(timing.durationTicks) / Double(track.timescale)
    guard abs(header - samples) > max(0.5, samples / 20) else { return }
    addTableProblem(
      "the header declares a duration of \(decimal(header)) s, but the samples last \(decimal(samples)) s")
  }

  /// Reads child boxes recursively. Valid files don't nest deeper than `trak/mdia/minf`. Deeper nesting indicates
  /// damage and could overflow the stack.
  private mutating func readChildren(_ box: Box, depth: Int = 0) throws(ISOMediaError) {
    var reader = BoxReader(source: source, childrenOf: box)
    while let child = try reader.next() {
      switch child.type {
      case "mdia", "minf", "edts": if depth < 3 { try readChildren(child, depth: depth + 1) }
      case "tkhd": readTrackHeader(try source.cursor(in: child.payload))
      case "mdhd": readMediaHeader(try source.cursor(in: child.payload))
      // In QuickTime files, the `minf` box has its own handler, which doesn't describe the media type.
      case "hdlr" where box.type == "mdia": readHandler(try source.cursor(in: child.payload))
      case "elst": try readEdits(child)
      case "stbl":
        track.table = try SampleTable(box: child, source: source)
        try readSampleEntries(in: child)
      default: break
      }
    }
    if let problem = reader.problem { anomalies.append(problem) }
  }

  private mutating func readTrackHeader(_ cursor: ByteCursor) {
    var cursor = cursor
    guard let (is64Bit, flags) = cursor.fullBoxHeader(), cursor.skip(is64Bit ? 16 : 8), let id = cursor.u32() else {
      return
    }
    track.isEnabled = flags & 1 == 1
    track.trackID = id
    _ = cursor.u32()  // reserved
    let ticks = cursor.unsigned(is64Bit: is64Bit)
    if let ticks, ticks != Self.unknownDuration(is64Bit) { track.headerDuration = ticks }
    // Skip the reserved fields, layer, alternate group and volume.
    guard cursor.skip(16) else { return }
    let matrix = (0..<9).compactMap { _ in cursor.u32().map { Int32(bitPattern: $0) } }
    guard matrix.count == 9, let width = cursor.u32(), let height = cursor.u32() else { return }
    track.displayMatrix = matrix
    if width > 0, height > 0 { track.displaySize = PictureSize(width: Int(width >> 16), height: Int(height >> 16)) }
  }

  /// The value of a duration field, with all bits set, that means the duration is unknown.
  private static func unknownDuration(_ is64Bit: Bool) -> UInt64 { is64Bit ? .max : UInt64(UInt32.max) }

  private mutating func readMediaHeader(_ cursor: ByteCursor) {
    var cursor = cursor
    guard let is64Bit = cursor.fullBoxHeader()?.is64Bit, cursor.skip(is64Bit ? 16 : 8), let timescale = cursor.u32()
    else {
      return
    }
    track.timescale = timescale
    let ticks = cursor.unsigned(is64Bit: is64Bit)
    // Fragmented files store a duration of 0.
    if let ticks, ticks != 0, ticks != Self.unknownDuration(is64Bit) { headerTicks = Int64(clamping: ticks) }
    if let code = cursor.u16() { track.language = Self.decodeLanguage(code) }
  }

  /// Decodes a language code of three 5-bit letters (ISO 639-2/T). Values below 0x400 are classic Mac OS language
  /// codes, where 0 is English.
  private static func decodeLanguage(_ code: UInt16) -> String? {
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
    // QuickTime strings have a length prefix. ISO strings are null-terminated.
    if let count = name.first, Int(count) == name.count - 1 { name = name.dropFirst() }
    track.handlerName = String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
  }

  private mutating func readEdits(_ box: Box) throws(ISOMediaError) {
    // This is enough for a thousand edits of 20 bytes each. A longer list indicates damage.
    guard let edits = EditListEntry.readEditList(try source.cursor(in: box.payload, atMost: 8 + 20 * 1000)) else {
      anomalies.append("\(box.path) is truncated")
      return
    }
    track.edits = edits
  }

  private mutating func readSampleEntries(in table: Box) throws(ISOMediaError) {
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
