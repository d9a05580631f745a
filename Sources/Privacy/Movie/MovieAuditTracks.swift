import ClipModel
import ISOMedia
import LocationFormats

/// Checks tracks: timed metadata, text, and messages in video.
extension MovieAudit {
  /// The maximum number of bytes to read from all data tracks. An hour of GoPro telemetry has 20 MB.
  private static let sampleByteLimit: Int64 = 1 << 30
  /// The maximum size of a metadata sample in bytes. Real files have smaller samples.
  static let sampleLimit: Int64 = 16 << 20

  private static let mediaHandlers: Set<FourCC> = ["vide", "soun", "pict", "auxv"]

  static func isMedia(_ track: ISOTrack) -> Bool { track.handlerType.map(mediaHandlers.contains) ?? false }

  static func trackLabel(_ track: ISOTrack) -> String {
    "track \(track.trackID)" + (track.sampleEntries.first.map { " (\($0.format))" } ?? "")
  }

  /// Checks the samples of a track that is neither video nor audio.
  mutating func examine(_ track: ISOTrack, index: Int) throws(ISOMediaError) {
    if Self.isMedia(track) {
      // A track with unknown contents can be labeled as audio.
      if track.handlerType == "soun", !track.sampleEntries.allSatisfy({ MediaFormats.isAudio($0.format) }) {
        addOpaqueTrack("unknown-sound", track, index)
      }
      return
    }
    guard let entry = track.sampleEntries.first else {
      if track.sampleCount > 0 { addOpaqueTrack("unknown-track", track, index) }
      return
    }
    let setup = try makeSetup(of: entry, in: track)
    var found: [PayloadFinding] = []
    var budget = Self.sampleByteLimit
    var isWhole = true
    let source = source
    try file.forEachSample(of: track, in: source) { range throws(ISOMediaError) in
      let count = Int64(range.count)
      guard count > 0 else { return true }
      budget -= max(count, 64)
      isWhole = isWhole && budget > 0 && count <= Self.sampleLimit && range.upperBound <= source.byteCount
      guard isWhole else { return false }
      let bytes = try source.bytes(in: range, atMost: Int(count))
      let finding = TimedMetadata.examine(bytes, setup: setup)
      if let same = found.firstIndex(where: { $0.kind == finding.kind }) {
        found[same].trace.add(finding.trace)
        if finding.disclosure == .location { found[same].disclosure = .location }
      } else {
        found.append(finding)
      }
      // A malicious track could have a different kind of data in each sample.
      return found.count < 32
    }
    if !isWhole { addOpaqueTrack("unread-samples", track, index) }
    for finding in found {
      add(
        FoundCarrier(finding, place: Self.trackLabel(track), trackIndex: index),
        removal: .removeTrack(track.trackID, hasMotion: entry.format == "gpmd"))
    }
  }

  private mutating func addOpaqueTrack(
    _ kind: String, _ track: ISOTrack, _ index: Int, removal: MovieFinding.Removal? = nil
  ) {
    let finding = PayloadFinding(kind: kind, disclosure: .opaque)
    add(
      FoundCarrier(finding, place: Self.trackLabel(track), trackIndex: index),
      removal: removal ?? .removeTrack(track.trackID, hasMotion: false))
  }

  private func makeSetup(of entry: SampleEntry, in track: ISOTrack) throws(ISOMediaError) -> TimedMetadataSetup {
    var setup = TimedMetadataSetup(format: entry.format, handler: track.handlerType)
    switch entry.format {
    case "mebx":
      for keys in entry.extensions where keys.type == "keys" {
        var reader = BoxReader(source: source, childrenOf: keys)
        while setup.keys.count < 1000, let key = try reader.next() {
          var parts = BoxReader(source: source, childrenOf: key)
          while let part = try parts.next() {
            guard part.type == "keyd" else { continue }
            let name = try source.bytes(in: part.payload(skipping: 4), atMost: 1024)
            setup.keys[key.type.rawValue] = String(decoding: name, as: UTF8.self)
          }
        }
      }
    case "mett", "metx":
      // Reserved bytes and the data reference index come first, followed by null-terminated strings.
      let text = try source.bytes(in: entry.box.payload(skipping: 8), atMost: 1024)
      setup.mimeType = String(decoding: text, as: UTF8.self).split(separator: "\0").joined(separator: " ")
    default: break
    }
    return setup
  }

  // MARK: Sample descriptions

  /// The maximum size of a configuration record in bytes. Real records have a few hundred bytes.
  static let configurationLimit = 1 << 20

  /// Checks decoder configurations, where encoders leave messages. `MoviePositionSearch` finds text in sample
  /// descriptions.
  mutating func examineDescriptions(of track: ISOTrack) throws(ISOMediaError) {
    for entry in track.sampleEntries {
      if MediaFormats.encrypted.contains(entry.format) { addUnreadPart("\(Self.trackLabel(track)) is encrypted") }
      for box in entry.extensions {
        guard let configuration = DecoderConfiguration(rawValue: "\(box.type)") else { continue }
        let record = try source.bytes(in: box.payload, atMost: Self.configurationLimit)
        for finding in configuration.findings(in: record) {
          add(finding, at: box, removal: .cleanConfiguration(box, configuration))
        }
      }
    }
  }

  // MARK: Inside video

  private static let motionJPEG: Set<FourCC> = ["jpeg", "mjpa", "mjpb", "AVDJ", "dmb1"]
  private static let stillFormats: Set<FourCC> = ["png ", "mjp2"]
  /// The maximum number of cuts per track to keep in memory. An hour at 60 frames per second needs a quarter of them.
  private static let cutLimit = 1 << 20

  /// Reads the unit headers in all samples of a video track, and all complete units that aren't image data.
  /// - Parameter search: the search for positions in every message, regardless of its type.
  mutating func examineVideo(of track: ISOTrack, index: Int, search: PositionSearch) throws(ISOMediaError) {
    guard Self.isMedia(track), track.handlerType != "soun" else { return }
    guard let entry = track.sampleEntries.first else { return }
    let coding: VideoCoding
    switch try classifyContent(of: entry) {
    case .coded(let known): coding = known
    case .stills: return try examineStills(of: track, index: index, search: search)
    case .plain: return
    case .unknown:
      let isOnly = file.tracks.count { $0.handlerType == "vide" } == 1
      return addOpaqueTrack("unknown-video", track, index, removal: isOnly ? .none("the video format is unknown") : nil)
    }
    var found: [(finding: PayloadFinding, cuts: [MovieEdits.Cut])] = []
    var cutCount = 0
    let source = source
    try file.forEachSample(of: track, in: source) { range throws(ISOMediaError) in
      for message in try coding.messages(in: range, of: source, search: search) {
        let cut = MovieEdits.Cut(message.range, replacement: message.replacement)
        let finding = message.finding
        cutCount += 1
        guard
          let same = found.firstIndex(where: {
            $0.finding.kind == finding.kind && $0.finding.disclosure == finding.disclosure
          })
        else {
          found.append((finding, [cut]))
          continue
        }
        found[same].finding.trace.add(finding.trace)
        found[same].cuts.append(cut)
      }
      return cutCount < Self.cutLimit
    }
    if cutCount >= Self.cutLimit { addUnreadPart("\(Self.trackLabel(track)): its frames contain too many messages") }
    for (finding, cuts) in found {
      let place = "\(Self.trackLabel(track)), inside \(cuts.count) pictures"
      add(FoundCarrier(finding, place: place, trackIndex: index), removal: .cut(cuts))
    }
  }

  /// Checks samples that are complete image files for Exif data.
  private mutating func examineStills(
    of track: ISOTrack, index: Int, search: PositionSearch
  ) throws(ISOMediaError) {
    var found: PayloadFinding?
    var cuts: [MovieEdits.Cut] = []
    var budget: Int64 = 256 << 20
    let source = source
    try file.forEachSample(of: track, in: source) { range throws(ISOMediaError) in
      budget -= max(Int64(range.count), 64 << 10)
      let bytes = try source.bytes(in: range, atMost: 8 << 20)
      if let finding = search.examine(bytes), let blanked = search.blanked(bytes) {
        found.merge(finding)
        cuts.append(MovieEdits.Cut(range.lowerBound..<range.lowerBound + Int64(bytes.count), replacement: blanked))
      }
      return budget > 0
    }
    add(found.flatMap { FoundCarrier($0, place: Self.trackLabel(track), trackIndex: index) }, removal: .cut(cuts))
  }

  private enum VideoContent {
    case coded(VideoCoding)
    case stills
    case plain
    case unknown
  }

  private func classifyContent(of entry: SampleEntry) throws(ISOMediaError) -> VideoContent {
    if Self.motionJPEG.contains(entry.format) { return .coded(.jpeg) }
    if Self.stillFormats.contains(entry.format) { return .stills }
    if MediaFormats.isMPEG2(entry.format) { return .coded(.startCodes) }
    if MediaFormats.plainVideo.contains(entry.format) { return .plain }
    if let framing = try readFraming(of: entry) { return .coded(.units(framing)) }
    guard entry.format == "mp4v", let esds = entry.extensions.first(where: { $0.type == "esds" }) else {
      return .unknown
    }
    // These are object type indications (ISO/IEC 14496-1).
    switch ElementaryStreamDescriptor(try source.bytes(in: esds.payload, atMost: 256))?.objectType ?? 0 {
    case 0x20, 0x60...0x65, 0x6A: return .coded(.startCodes)
    case 0x6C: return .coded(.jpeg)
    case 0x6D, 0x6E: return .stills
    default: return .unknown
    }
  }

  private func readFraming(of entry: SampleEntry) throws(ISOMediaError) -> VideoFraming? {
    func readLengthSize(_ type: FourCC, at offset: Int) throws(ISOMediaError) -> Int? {
      guard let box = entry.extensions.first(where: { $0.type == type }) else { return nil }
      let bytes = try source.bytes(in: box.payload, atMost: offset + 1)
      return bytes.count > offset ? Int(bytes[offset] & 3) + 1 : nil
    }
    // The configuration records store `lengthSizeMinusOne` at these offsets (ISO/IEC 14496-15).
    if let size = try readLengthSize("avcC", at: 4) { return .h264(lengthSize: size) }
    if let size = try readLengthSize("hvcC", at: 21) { return .hevc(lengthSize: size) }
    return entry.format == "av01" ? .av1 : nil
  }
}
