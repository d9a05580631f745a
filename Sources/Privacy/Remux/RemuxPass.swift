internal import ClipModel
internal import ISOMedia
internal import LibAV
internal import LocationFormats

/// One run through a source, from its header to the end of its copy.
struct RemuxPass {
  let name: String
  let path: String
  let format: RemuxContainer.Format
  let policy: RemuxPolicy
  /// Tracks that stay behind, by libav's index.
  let leftOut: Set<Int>
  let interruption: Interruption
  /// How the source is opened: `whole` finds tracks that begin in the middle.
  var analysis = InputContainer.Analysis.always
  /// By source track, what is added to its times.
  var corrections: [Int: Int64] = [:]
  /// What is put back into the tracks of a Matroska file afterwards.
  var restoration: MatroskaRestoration?
  var report: RemuxReport
  /// The tracks of the copy, in their order.
  private(set) var kept: [KeptTrack] = []
  private(set) var delayed: [DelayedTrack] = []
  /// Tracks of a transport stream of which no frame was found.
  private(set) var unused: Set<Int> = []

  struct KeptTrack {
    var source: Int
    var codec: String
    var timeBase: Rational
    var name: String?
    var presentation: [String: String]
  }

  /// What becomes of a source track.
  private struct Route {
    var output: Int
    /// `nil` when its pictures have no room for messages.
    var coding: PictureCoding?
    var timeBase: Rational
    /// What is added to its times.
    var shift: Int64
  }

  /// A track whose decoder begins with samples that are not played.
  struct DelayedTrack {
    var source: Int
    var output: Int
    /// Presentation time of the first packet, in ticks of the source.
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
    // Which entry describes which track is known only where there are as many of both.
    let trackCount = input.streams.count { $0.kind != .attachment && !$0.isAttachedPicture }
    if restoration?.trackCount != trackCount { restoration = nil }
    let routes = try addTracks(of: input, to: output)
    try addContents(of: input, to: output)
    try output.writeHeader(startSeconds: input.startSeconds)
    try copyPackets(of: input, to: output, routes: routes)
    try output.finish()
  }

  /// libav takes the delay of a decoder (`CodecDelay` of Matroska) off the times when it reads; some versions add it
  /// again when they write, and some do not. The copy shows which.
  /// - Returns: by source track, how far the times in the copy are off.
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

  private mutating func addTracks(of input: InputContainer, to output: RemuxContainer) throws -> [Int: Route] {
    var routes: [Int: Route] = [:]
    unused = []
    for stream in input.streams where !leftOut.contains(stream.index) {
      let track = "track \(stream.index + 1) (\(stream.codecName))"
      let metadata = policy.kept(stream.metadata, of: track, report: &report)
      if stream.kind == .attachment || stream.isAttachedPicture {
        try addAttachment(stream, of: track, metadata: metadata, to: output)
        continue
      }
      if isTransportStream, !stream.isDescribed {
        // Its first frame comes later than the analysis goes, or never.
        guard analysis == .whole else { throw RemuxError.lateTrack(name: name, track: stream.index) }
        unused.insert(stream.index)
        report.note("\(track) has no complete frame and is not kept")
        continue
      }
      switch stream.kind {
      case .video, .audio, .subtitle:
        guard output.accepts(stream) else {
          throw RemuxError.noPlace(name: name, track: stream.index, codec: stream.codecName)
        }
        let coding =
          stream.kind == .video ? PictureCoding(codec: stream.codecName, setup: stream.setup) : nil
        let setup = try cutSetup(of: stream, coding: coding, track: track)
        let name = metadata["title"]
        var metadata = metadata
        metadata["title"] = restoration?.placeholder(forTrack: stream.index, named: name) ?? name
        let index = try output.addTrack(copying: stream, metadata: metadata, setup: setup)
        kept.append(
          KeptTrack(
            source: stream.index, codec: stream.codecName, timeBase: stream.timeBase, name: name,
            presentation: stream.presentation))
        let delay = isMatroska ? stream.decoderDelayTicks : 0
        if delay > 0 { delayed.append(DelayedTrack(source: stream.index, output: index)) }
        routes[stream.index] = Route(
          output: index, coding: coding, timeBase: stream.timeBase,
          shift: delay &+ (corrections[stream.index] ?? 0))
        if isMatroska, stream.timeBase.value < 0.001 { report.note("\(track): times are rounded to milliseconds") }
      case .data, .attachment, .unknown: report.remove("\(track): data")
      }
    }
    input.select(unused.union(routes.keys))
    return routes
  }

  private var isTransportStream: Bool { if case .transportStream = format { true } else { false } }

  private var isMatroska: Bool { format == .matroska || format == .webM }

  private mutating func addAttachment(
    _ stream: SourceStream, of track: String, metadata: [String: String], to output: RemuxContainer
  ) throws {
    let content = MemoryBytes(stream.isAttachedPicture ? stream.attachedPicture : stream.setup)
    let mediaType = stream.metadata["mimetype"] ?? ""
    let finding = try AttachedFile.examine(
      0..<content.byteCount, of: content, mediaType: mediaType, search: policy.search)
    if let finding, policy.removes(finding) { return report.remove("\(track): \(finding.kind)") }
    var metadata = metadata
    // Matroska attachments need both.
    metadata["filename"] = metadata["filename"] ?? "attachment-\(stream.index + 1)"
    metadata["mimetype"] = metadata["mimetype"] ?? (mediaType.isEmpty ? "application/octet-stream" : mediaType)
    try output.addAttachment(copying: stream, content: content.bytes, metadata: metadata)
  }

  private mutating func addContents(of input: InputContainer, to output: RemuxContainer) throws {
    var metadata = policy.kept(input.metadata, of: "tags", report: &report)
    // AVI has two dates, of which libav writes one.
    if metadata["date"] == nil, let date = metadata["creation_time"], format == .avi {
      metadata["date"] = date
    }
    output.setMetadata(metadata)
    for var chapter in input.chapters {
      if let title = chapter.title, let finding = policy.search.examine(Array(title.utf8)) {
        report.remove("chapter title: \(finding.kind)")
        chapter.title = nil
      }
      try output.add(chapter)
    }
    if case .transportStream = format, try !output.setProgram(of: input) {
      report.note("the tracks of several programs are in one")
    }
  }

  // MARK: Packets

  private mutating func copyPackets(
    of input: InputContainer, to output: RemuxContainer, routes: [Int: Route]
  ) throws {
    let packet = try Packet()
    let known = input.streams.count
    while try input.read(into: packet) {
      try interruption.check()
      let index = packet.streamIndex
      if index >= known || unused.contains(index) {
        // Data is not copied, whenever it begins.
        guard input.streams[index].kind == .data else { throw RemuxError.lateTrack(name: name, track: index) }
        report.remove("track \(index + 1): data")
        continue
      }
      guard let route = routes[index] else { continue }
      if packet.isCorrupt { report.note("track \(index + 1) has damaged packets; they were copied as they are") }
      if let coding = route.coding { try cutMessages(of: packet, coding: coding) }
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
