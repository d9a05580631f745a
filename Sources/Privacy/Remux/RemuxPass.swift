internal import ClipModel
internal import ISOMedia
internal import LibAV
internal import LocationFormats

/// Copies a source's packets to a new file in a single pass.
struct RemuxPass {
  let name: String
  let path: String
  let format: RemuxContainer.Format
  let policy: RemuxPolicy
  /// The libav indexes of the tracks that are not copied.
  let excludedTracks: Set<Int>
  let interruption: Interruption
  /// How to open the source. `whole` also finds tracks that start in the middle of the file.
  var analysis = InputContainer.Analysis.always
  /// The timestamp corrections, keyed by source track.
  var corrections: [Int: Int64] = [:]
  /// Restores elements of Matroska tracks after the pass.
  var restoration: MatroskaRestoration?
  var report: RemuxReport
  /// The tracks of the copy, in order.
  private(set) var kept: [KeptTrack] = []
  private(set) var delayed: [DelayedTrack] = []
  /// The transport stream tracks that have no complete frame.
  private(set) var unused: Set<Int> = []

  struct KeptTrack {
    var source: Int
    var codec: String
    var timeBase: Rational
    var name: String?
    var presentation: [String: String]
  }

  /// The destination of a source track.
  private struct TrackRoute {
    var output: Int
    /// The coding of the track; `nil` if its frames can't contain messages.
    var coding: VideoCoding?
    var timeBase: Rational
    /// The offset to add to the track's timestamps.
    var shift: Int64
  }

  /// A track whose decoder outputs initial samples that players skip.
  struct DelayedTrack {
    var source: Int
    var output: Int
    /// The presentation time of the first packet, in ticks of the source.
    var start: Int64?
  }

  mutating func run(to destination: String) throws {
    kept = []
    delayed = []
    let input = try InputContainer(path: path, interruption: interruption, analysis: analysis)
    guard input.formatName.split(separator: ",").contains(Substring(format.name)) else {
      throw RemuxError.unsupported(name: name)
    }
    let output = try RemuxContainer(format, at: destination, interruption: interruption)
    // Track entries can be matched to tracks only if their counts are equal.
    let trackCount = input.streams.count { $0.kind != .attachment && !$0.isAttachedPicture }
    if restoration?.trackCount != trackCount { restoration = nil }
    let routes = try addTracks(of: input, to: output)
    try addMetadata(of: input, to: output)
    try output.writeHeader(startSeconds: input.startSeconds)
    try copyPackets(of: input, to: output, routes: routes)
    try output.finish()
  }

  /// Returns the timestamp corrections that the copy needs. When libav reads a file, it subtracts the decoder delay
  /// (Matroska's `CodecDelay`) from the timestamps. Only some versions add the delay again when they write, so this
  /// compares the copy with the source.
  /// - Returns: the timestamp errors in the copy, keyed by source track.
  func corrections(of destination: String) throws -> [Int: Int64] {
    guard !delayed.isEmpty else { return [:] }
    let copy = try InputContainer(path: destination, interruption: interruption, analysis: .never)
    var waiting = Dictionary(uniqueKeysWithValues: delayed.map { ($0.output, $0) })
    var corrections: [Int: Int64] = [:]
    let packet = try Packet()
    while !waiting.isEmpty, try copy.read(into: packet) {
      guard let track = waiting.removeValue(forKey: packet.streamIndex), let start = track.start,
        let written = packet.presentationTicks
      else { continue }
      if written != start { corrections[track.source] = start &- written }
    }
    return corrections
  }

  // MARK: Tracks

  private mutating func addTracks(of input: InputContainer, to output: RemuxContainer) throws -> [Int: TrackRoute] {
    var routes: [Int: TrackRoute] = [:]
    unused = []
    for stream in input.streams where !excludedTracks.contains(stream.index) {
      let track = "track \(stream.index + 1) (\(stream.codecName))"
      let metadata = policy.filterMetadata(stream.metadata, of: track, report: &report)
      if stream.kind == .attachment || stream.isAttachedPicture {
        try addAttachment(stream, of: track, metadata: metadata, to: output)
        continue
      }
      if isTransportStream, !stream.isDescribed {
        // The track's first frame is missing, or comes after the part that was analyzed.
        guard analysis == .whole else { throw RemuxError.lateTrack(name: name, track: stream.index) }
        unused.insert(stream.index)
        report.addNote("\(track) has no complete frame, so it was not copied")
        continue
      }
      switch stream.kind {
      case .video, .audio, .subtitle:
        routes[stream.index] = try addTrack(stream, of: track, metadata: metadata, to: output)
      case .data, .attachment, .unknown: report.addRemoval("\(track): data")
      }
    }
    input.select(unused.union(routes.keys))
    return routes
  }

  private mutating func addTrack(
    _ stream: SourceStream, of track: String, metadata: [String: String], to output: RemuxContainer
  ) throws -> TrackRoute {
    guard output.accepts(stream) else {
      throw RemuxError.noPlace(name: name, track: stream.index, codec: stream.codecName)
    }
    let coding = stream.kind == .video ? VideoCoding(codec: stream.codecName, setup: stream.setup) : nil
    let setup = try removeSetupMessages(of: stream, coding: coding, track: track)
    let title = metadata["title"]
    var metadata = metadata
    metadata["title"] = restoration?.placeholderName(forTrack: stream.index, named: title) ?? title
    let index = try output.addTrack(copying: stream, metadata: metadata, setup: setup)
    kept.append(
      KeptTrack(
        source: stream.index, codec: stream.codecName, timeBase: stream.timeBase, name: title,
        presentation: stream.presentation))
    let delay = format.isMatroska ? stream.decoderDelayTicks : 0
    if delay > 0 { delayed.append(DelayedTrack(source: stream.index, output: index)) }
    if format.isMatroska, stream.timeBase.value < 0.001 {
      report.addNote("\(track): timestamps are rounded to milliseconds")
    }
    return TrackRoute(
      output: index, coding: coding, timeBase: stream.timeBase, shift: delay &+ (corrections[stream.index] ?? 0))
  }

  private var isTransportStream: Bool { if case .transportStream = format { true } else { false } }

  private mutating func addAttachment(
    _ stream: SourceStream, of track: String, metadata: [String: String], to output: RemuxContainer
  ) throws {
    let content = MemoryBytes(stream.isAttachedPicture ? stream.attachedPicture : stream.setup)
    let mediaType = stream.metadata["mimetype"] ?? ""
    let finding = try AttachedFile.examine(
      0..<content.byteCount, of: content, mediaType: mediaType, search: policy.search)
    if let finding, policy.options.removes(finding) { return report.addRemoval("\(track): \(finding.kind)") }
    var metadata = metadata
    // Matroska attachments need both a file name and a MIME type.
    metadata["filename"] = metadata["filename"] ?? "attachment-\(stream.index + 1)"
    metadata["mimetype"] = metadata["mimetype"] ?? (mediaType.isEmpty ? "application/octet-stream" : mediaType)
    try output.addAttachment(copying: stream, content: content.bytes, metadata: metadata)
  }

  private mutating func addMetadata(of input: InputContainer, to output: RemuxContainer) throws {
    var metadata = policy.filterMetadata(input.metadata, of: "tags", report: &report)
    // AVI has two dates, and libav writes only one of them.
    if metadata["date"] == nil, let date = metadata["creation_time"], format == .avi {
      metadata["date"] = date
    }
    output.setMetadata(metadata)
    for var chapter in input.chapters {
      if let title = chapter.title, let finding = policy.search.examine(Array(title.utf8)) {
        report.addRemoval("chapter title: \(finding.kind)")
        chapter.title = nil
      }
      try output.add(chapter)
    }
    if isTransportStream, try !output.setProgram(of: input) {
      report.addNote("the tracks of several programs were merged into one program")
    }
  }

  // MARK: Packets

  private mutating func copyPackets(
    of input: InputContainer, to output: RemuxContainer, routes: [Int: TrackRoute]
  ) throws {
    let packet = try Packet()
    let known = input.streams.count
    while try input.read(into: packet) {
      try interruption.check()
      let index = packet.streamIndex
      if index >= known || unused.contains(index) {
        // Data tracks are not copied, regardless of where they start.
        guard input.streams[index].kind == .data else { throw RemuxError.lateTrack(name: name, track: index) }
        report.addRemoval("track \(index + 1): data")
        continue
      }
      guard let route = routes[index] else { continue }
      if packet.isCorrupt { report.addNote("track \(index + 1) has damaged packets, which were copied unchanged") }
      if let coding = route.coding { try removeMessages(of: packet, coding: coding) }
      packet.changeSideData { policy.search.blanked($0) }
      if let place = delayed.firstIndex(where: { $0.source == index && $0.start == nil }) {
        delayed[place].start = packet.presentationTicks
      }
      packet.presentationTicks = packet.presentationTicks.map { $0 &+ route.shift }
      packet.decodingTicks = packet.decodingTicks.map { $0 &+ route.shift }
      guard packet.presentationTicks != nil || packet.decodingTicks != nil else {
        throw RemuxError.noTime(name: name, track: index, codec: input.streams[index].codecName)
      }
      try output.write(packet, track: route.output, timeBase: route.timeBase)
    }
  }
}

extension RemuxContainer.Format {
  var isMatroska: Bool { self == .matroska || self == .webM }
}
